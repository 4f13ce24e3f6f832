/** Every door as a hand that plays one seat: what is asked of one is asked of all. */
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { io } from "socket.io-client";
import { call, type Json, joinSeat, sync } from "../../../server/testing/kit.ts";

export interface Answered {
  readonly ok: boolean;
  readonly code?: string;
  readonly retry_after_s?: number;
}

/** Who plays, by both tokens. */
export interface Sitter {
  readonly identity: string;
  readonly seat: string;
}

export interface Place {
  readonly code: string;
  readonly match_id: string;
}

/** How a match stands, as the door tells it. */
export interface Look {
  readonly turn: number;
  readonly mover: string | null;
  readonly isOver: boolean;
  readonly result: string | null;
}

export interface Hand {
  look(): Promise<Look>;
  move(move: { readonly turn?: number; readonly command: string }): Promise<Answered>;
  close(): Promise<void>;
}

export interface Door {
  readonly name: string;
  /** The classic door has Solo games alone. */
  readonly solo: boolean;
  /** Resolves with a refusal where the door does not even let in. */
  open(url: string, place: Place, who: Sitter, from?: string): Promise<Hand | Answered>;
}

const nothing = async () => {};
/** Of a state in either dialect. */
const lookOf = ({ meta, status }: Json): Look => ({
  turn: meta.turn,
  mover: meta.current_player,
  isOver: status.game_over,
  result: status.result,
});
const forwarded = (from: string | undefined): Record<string, string> => (from ? { "x-forwarded-for": from } : {});

const http: Door = {
  name: "HTTP",
  solo: false,
  open: async (url, { match_id }, { seat }, from) => ({
    look: async () =>
      lookOf((await call({ url }, "GET", `/matches/${match_id}/state?wait=turn`, { token: seat })).body),
    async move(body) {
      const answer = await fetch(`${url}/api/v1/matches/${match_id}/moves`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${seat}`, ...forwarded(from) },
        body: JSON.stringify(body),
      });
      const { ok, error } = (await answer.json()) as Json;
      return ok ? { ok } : { ok: false, ...error };
    },
    close: nothing,
  }),
};

const colyseus: Door = {
  name: "Colyseus",
  solo: false,
  async open(url, { code }, { seat }) {
    try {
      const room = await joinSeat(url, code, seat);
      return {
        async look() {
          // Before the start there is nothing new to tell of.
          const { state } = (await sync(room)) as Json;
          return state === undefined ? { turn: 0, mover: null, isOver: false, result: null } : lookOf(state);
        },
        move: (move) => room.request("move", move),
        close: async () => void (await room.leave()),
      };
    } catch (error) {
      return { ok: false, code: /^([a-z_]+): /.exec((error as Error).message)?.[1] ?? "" };
    }
  },
};

const socketIo: Door = {
  name: "Socket.IO",
  solo: false,
  async open(url, { match_id }, { identity }, from) {
    const socket = io(`${url}/agents`, { auth: { token: identity }, forceNew: true, extraHeaders: forwarded(from) });
    const refused = await new Promise<Json | null>((resolve) => {
      socket.once("connect", () => resolve(null));
      socket.once("connect_error", (error) => resolve((error as Json).data));
    });
    if (refused !== null) return refused;
    return {
      look: async () => lookOf((await socket.timeout(5_000).emitWithAck("state", { match_id })).state),
      move: (move) => socket.timeout(5_000).emitWithAck("move", { match_id, ...move }),
      close: async () => void socket.close(),
    };
  },
};

const mcp: Door = {
  name: "MCP",
  solo: false,
  async open(url, { match_id }, { identity }, from) {
    const client = new McpClient({ name: "test", version: "1" });
    let refused: Answered | null = null;
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${identity}`, ...forwarded(from) } },
      async fetch(input, init) {
        const answer = await fetch(input, init);
        if (!answer.ok) refused = { ok: false, ...((await answer.clone().json()) as Json).error };
        return answer;
      },
    });
    try {
      await client.connect(transport);
    } catch {
      return refused ?? { ok: false };
    }
    return {
      async look() {
        const answer = await client.callTool({ name: "wait_turn", arguments: { match_id } });
        return lookOf((answer as Json).structuredContent.state);
      },
      async move(move) {
        refused = null;
        try {
          const answer = await client.callTool({ name: "play_move", arguments: { match_id, ...move } });
          return (answer as Json).structuredContent;
        } catch {
          return refused ?? { ok: false };
        }
      },
      close: () => client.close(),
    };
  },
};

const a2a: Door = {
  name: "A2A",
  solo: true,
  open: async (url, { match_id }, { identity }, from) => ({
    async look() {
      const headers = { authorization: `Bearer ${identity}` };
      return lookOf(await (await fetch(`${url}/get_state?game_id=${match_id}`, { headers })).json());
    },
    async move(move) {
      const answer = await fetch(`${url}/submit_move`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${identity}`, ...forwarded(from) },
        body: JSON.stringify({ game_id: match_id, ...move }),
      });
      const { success, msg, error } = (await answer.json()) as Json;
      if (error) return { ok: false, ...error };
      return success ? { ok: true } : { ok: false, code: msg.split(":")[0] };
    },
    close: nothing,
  }),
};

const sdk: Door = {
  name: "hosted SDK",
  solo: false,
  async open(url, { code, match_id }, { identity }, from) {
    const post = async (path: string, body: object, from?: string): Promise<Json> => {
      const headers = { "content-type": "application/json", "x-firebase-token": identity, ...forwarded(from) };
      return (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
    };
    // Who sits there already is told their own seat again; who does not, plays as somebody else and is found out.
    const { game_player_id = `${match_id}-P1-${"0".repeat(16)}`, error } = await post("/arena/join", {
      room_code: code,
    });
    if (error && error.code !== "room_full") return { ok: false, ...error };
    return {
      async look() {
        const headers = { "x-firebase-token": identity };
        const { state } = (await (await fetch(`${url}/arena/turn/${game_player_id}`, { headers })).json()) as Json;
        return lookOf(state);
      },
      async move(move) {
        const { success, msg, error } = await post("/move", { game_player_id, ...move }, from);
        if (error) return { ok: false, ...error };
        return success ? { ok: true } : { ok: false, code: msg.split(":")[0] };
      },
      close: nothing,
    };
  },
};

export const DOORS: readonly Door[] = [http, colyseus, socketIo, mcp, a2a, sdk];

/** A match in which everybody has sat down over the HTTP door, and who they are. */
export async function seated(
  server: { readonly url: string },
  format: "solo" | "1v1",
  people: readonly string[],
  options: object = {},
): Promise<Place & { readonly sitters: readonly Sitter[] }> {
  const [first = "", ...others] = people;
  const made = await call(server, "POST", "/rooms", { token: first, body: { format, level: 1, ...options } });
  const sitters: Sitter[] = [{ identity: first, seat: made.body.seat_token }];
  for (const identity of others) {
    const { body } = await call(server, "POST", `/rooms/${made.body.code}/join`, { token: identity, body: {} });
    sitters.push({ identity, seat: body.seat_token });
  }
  return { code: made.body.code, match_id: made.body.match_id, sitters };
}
