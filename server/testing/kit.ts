/** For tests: a whole server on a free port with a real store, and clients that play over its doors. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type Room } from "@colyseus/sdk";
import { pino } from "pino";
import type { BotSupervisor, HouseSeat, OfferedBrain } from "../../rooms/ports.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { type RunningApp, type ServerPorts, startServer } from "../app.ts";
import { type Config, readConfig } from "../config.ts";
import { openSigner } from "../keys/recordKeys.ts";
import { LEDGER_FILE, openFileLedger } from "../ranking/fileLedger.ts";
import { rankedSeal } from "../ranking/ledger.ts";
import type { Logs } from "../reporter.ts";
import { makeSeal } from "../signing.ts";
import { openFileStore } from "../store/fileStore.ts";
import type { MatchStore } from "../store/MatchStore.ts";

export { until } from "../../test/support/until.ts";

export interface TestServer extends RunningApp {
  readonly dataDir: string;
  readonly store: MatchStore;
  readonly bots: TestBots;
  /** Everything that was logged as an error. */
  readonly errors: { readonly error: unknown; readonly context: object }[];
  /** Closes the server and its store; the folder goes unless `keep`. */
  stop(keep?: boolean): Promise<void>;
}

/** House bots in the test's own process that play the first legal move; they can be told not to start. */
export class TestBots implements BotSupervisor {
  failing = false;
  /** Seats whose bot shall not connect. */
  absent = false;
  readonly driven: HouseSeat[] = [];
  readonly #rooms = new Map<string, Room[]>();
  readonly #url: string;
  constructor(url: string) {
    this.#url = url;
  }
  knows(brain: string): boolean {
    return brain === "greedy" || brain === "random";
  }
  offered(): readonly OfferedBrain[] {
    return ["greedy", "random"].map((name) => ({ name, model: null }));
  }
  async drive(seat: HouseSeat): Promise<void> {
    if (this.failing) throw new Error("no bot today");
    this.driven.push(seat);
    if (this.absent) return;
    void this.#play(seat);
  }
  release(matchId: string): void {
    for (const room of this.#rooms.get(matchId) ?? []) void room.leave().catch(() => {});
    this.#rooms.delete(matchId);
  }
  stop(): void {
    for (const id of [...this.#rooms.keys()]) this.release(id);
  }
  async #play(seat: HouseSeat): Promise<void> {
    const room = await joinSeat(this.#url, seat.code, seat.seat_token);
    this.#rooms.set(seat.match_id, [...(this.#rooms.get(seat.match_id) ?? []), room]);
    const act = async () => {
      const { state } = await sync(room);
      if (state.meta.current_player !== seat.seat) return;
      const answer = await fetch(`${this.#url}/api/v1/matches/${seat.match_id}/legal`, bearer(seat.seat_token));
      const { commands } = (await answer.json()) as { commands?: string[] };
      if (commands?.[0]) await room.request("move", { turn: state.meta.turn, command: commands[0] });
    };
    room.onMessage("event", () => void act().catch(() => {}));
    await act().catch(() => {});
  }
}

/** Starts a server; `env` is added to settings that suit tests. */
export async function serve(
  env: Readonly<Record<string, string>> = {},
  more: Partial<ServerPorts> & {
    readonly dataDir?: string;
    readonly wrapStore?: (store: MatchStore) => MatchStore;
  } = {},
): Promise<TestServer> {
  const dataDir = more.dataDir ?? (await mkdtemp(join(tmpdir(), "gearmice-test-")));
  const config: Config = readConfig({
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDir,
    SHOWCASE: "off",
    RATE_LIMITS: "off",
    BOT_PACE_MS: "0",
    SHOWCASE_PACE_MS: "0",
    SOCKET_MESSAGES_PER_SECOND: "100000",
    SOCKET_KICK_PER_SECOND: "200000",
    ...env,
  });
  const errors: { error: unknown; context: object }[] = [];
  const logs: Logs = {
    logger: pino({ level: "silent" }),
    error: (error, context) => void errors.push({ error, context }),
    info: () => {},
  };
  await mkdir(dataDir, { recursive: true });
  const signer = openSigner(dataDir);
  const ledger = await openFileLedger(join(dataDir, LEDGER_FILE));
  const store = await openFileStore(dataDir, { seal: rankedSeal(makeSeal(signer), signer, ledger), report: logs });
  let bots: TestBots | undefined;
  const app = await startServer(config, {
    store: more.wrapStore ? more.wrapStore(store) : store,
    ledger,
    logs,
    bots: (url) => {
      bots = new TestBots(url);
      return bots;
    },
    ...(more.clock ? { clock: more.clock } : {}),
  });
  if (bots === undefined) throw new Error("no supervisor was asked for");
  const supervisor = bots;
  return {
    ...app,
    dataDir,
    store,
    bots: supervisor,
    errors,
    async stop(keep = false) {
      supervisor.stop();
      await app.close();
      await store.close();
      await ledger.close();
      if (!keep) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function bearer(token: string | null): RequestInit {
  return token === null ? {} : { headers: { authorization: `Bearer ${token}` } };
}

export interface HttpAnswer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Json = any;

/** One call of the HTTP door; `path` without `/api/v1`. */
export async function call<T = Json>(
  server: { readonly url: string },
  method: string,
  path: string,
  options: { readonly token?: string | null; readonly body?: unknown } = {},
): Promise<HttpAnswer<T>> {
  const { token = null, body } = options;
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as T };
}

export interface Guest {
  readonly token: string;
  readonly id: string;
  readonly name: string;
}

export async function guest(server: { readonly url: string }, name = "Ada"): Promise<Guest> {
  return (await call<Guest>(server, "POST", "/identities", { body: { name } })).body;
}

/** A socket for a seat, without Colyseus' own reconnection. */
export async function joinSeat(url: string, code: string, seatToken: string): Promise<Room> {
  return join_(url, code, { seatToken });
}

export async function watch(url: string, code: string): Promise<Room> {
  return join_(url, code, { watch: true });
}

export async function join_(url: string, code: string, options: object): Promise<Room> {
  const room = await new Client(url).joinById(code, options);
  room.reconnection.enabled = false;
  for (const type of ["event", "presence", "refused", "seat", "rematch"]) room.onMessage(type, () => {});
  return room;
}

export async function sync(room: Room): Promise<{ state: NativeState; seat: string | null }> {
  return room.request("sync", { version: 0 });
}
