/** A match played over HTTP beside the page that shows it: turns take milliseconds instead of clicks. */
import type { Page } from "playwright-core";
import type { NativeState } from "../../shared/protocol/state.ts";
import { openPreset, waitFor } from "./page.ts";

type Seat = "P1" | "P2" | "P3" | "P4";

async function call<T>(url: string, method: string, path: string, token: string | null, body?: unknown): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = (await answer.json()) as T;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(read).slice(0, 300)}`);
  return read;
}

export class ApiMatch {
  readonly url: string;
  readonly code: string;
  readonly id: string;
  readonly tokens: Partial<Record<Seat, string>>;

  constructor(url: string, code: string, id: string, tokens: Partial<Record<Seat, string>>) {
    this.url = url;
    this.code = code;
    this.id = id;
    this.tokens = tokens;
  }

  /** Plays one legal command of the seat to move, drawn by `pick`; gives the state after it. */
  async turn(pick: (n: number) => number, reasoning?: string): Promise<NativeState> {
    const now = await this.state();
    const token = this.tokens[now.meta.current_player as Seat];
    if (!token) throw new Error(`no token of ${now.meta.current_player}`);
    const { commands } = await call<{ commands: string[] }>(this.url, "GET", `/matches/${this.id}/legal`, token);
    const command = commands[pick(commands.length)];
    const body = { turn: now.meta.turn, command, ...(reasoning ? { reasoning } : {}) };
    const { state } = await call<{ state: NativeState }>(this.url, "POST", `/matches/${this.id}/moves`, token, body);
    return state;
  }

  /** Plays on until `turns` have been played in all, or the match is over. */
  async playTo(turns: number, pick: (n: number) => number, reasoning?: string): Promise<NativeState> {
    let state = await this.state();
    while (state.meta.phase === "playing" && state.meta.turn < turns) state = await this.turn(pick, reasoning);
    return state;
  }

  state(): Promise<NativeState> {
    return call(this.url, "GET", `/matches/${this.id}/state?code=${this.code}`, null);
  }

  resign(seat: Seat): Promise<unknown> {
    return call(this.url, "POST", `/matches/${this.id}/resign`, this.tokens[seat] ?? null, {});
  }
}

/** A duel in which the page sits as P1 and a program as P2; both seats can be played from here. */
export async function duelWith(page: Page, url: string): Promise<ApiMatch> {
  const code = await openPreset(page, url, "duel");
  const me = await call<{ token: string }>(url, "POST", "/identities", null, { name: "Program" });
  const joined = await call<{ match_id: string; seat_token: string }>(url, "POST", `/rooms/${code}/join`, me.token, {});
  await waitFor(page, "g.phase === 'playing' && g.seat === 'P1'");
  const own = await page.evaluate<string>("JSON.parse(localStorage.getItem('gearmice.seats'))[0].seat_token");
  return new ApiMatch(url, code, joined.match_id, { P1: own, P2: joined.seat_token });
}

/** A room of any making, all of whose seats are played from here. */
export async function apiMatch(url: string, room: object): Promise<ApiMatch> {
  type Opened = { code: string; match_id: string; seat: Seat | null; seat_token: string | null };
  const tokens: Partial<Record<Seat, string>> = {};
  const enter = async (n: number, path: string, body: object): Promise<Opened> => {
    const me = await call<{ token: string }>(url, "POST", "/identities", null, { name: `Player ${n}` });
    const opened = await call<Opened>(url, "POST", path, me.token, body);
    if (opened.seat && opened.seat_token) tokens[opened.seat] = opened.seat_token;
    return opened;
  };
  const { code, match_id } = await enter(1, "/rooms", room);
  const seats = Object.keys(
    (await call<NativeState>(url, "GET", `/matches/${match_id}/state?code=${code}`, null)).status.players,
  );
  for (let n = 2; n <= seats.length; n++) await enter(n, `/rooms/${code}/join`, {});
  return new ApiMatch(url, code, match_id, tokens);
}
