/**
 * The Socket.IO door (PROTOCOL 7), for any language with a client. Like Colyseus it would take every request and
 * upgrade of the server that it is attached to, so it is attached to one that never listens and is handed its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Namespace, Server, type Socket } from "socket.io";
import { FloodGate, type FloodLimits } from "../../rooms/frames.ts";
import type { Clock, Reporter } from "../../rooms/ports.ts";
import { type Answer, type Refusal, refuse } from "../../shared/protocol/codes.ts";
import { parseMatchId } from "../../shared/protocol/ids.ts";
import { MAX_BODY_BYTES, MAX_FRAME_BYTES } from "../../shared/protocol/requests.ts";
import type { Limits } from "../limits.ts";
import type { Caller, MatchService } from "../service/MatchService.ts";
import type { Tokens } from "../tokens.ts";
import { CALLS } from "./calls.ts";
import { Following } from "./following.ts";

const PATH = "/socket.io/";
const NAMESPACE = "/agents";
/** In which a connection must have come to the namespace. */
const CONNECT_MS = 10_000;
/** Packets that wait for a reader who does not read; then it is let go. */
const MAX_WAITING = 2_000;

export interface SocketIoPorts {
  readonly service: MatchService;
  readonly tokens: Tokens;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly report: Reporter;
  readonly flood: FloodLimits;
  /** Origins whose pages may call. */
  readonly origins: readonly string[];
  addressOf(req: IncomingMessage): string;
}

export interface SocketIoDoor {
  owns(req: IncomingMessage): boolean;
  request(req: IncomingMessage, res: ServerResponse): void;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every connection; clients come again by themselves. */
  close(): Promise<void>;
}

export function socketIoDoor(ports: SocketIoPorts): SocketIoDoor {
  const inner = createServer();
  const { origins } = ports;
  const io = new Server(inner, {
    path: PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_BODY_BYTES,
    connectTimeout: CONNECT_MS,
    perMessageDeflate: false,
    httpCompression: false,
    ...(origins.length === 0 ? {} : { cors: { origin: origins.includes("*") ? true : [...origins] } }),
  });
  io.engine.on(
    "connection",
    (connection: { request: IncomingMessage; close(): void; once(e: "close", f: () => void): void }) => {
      const close = ports.limits.open("socket", ports.addressOf(connection.request));
      if (close === null) connection.close();
      else connection.once("close", close);
    },
  );
  serveAgents(io.of(NAMESPACE), ports);
  return {
    owns: (req) => (req.url ?? "").startsWith(PATH),
    request: (req, res) => void inner.emit("request", req, res),
    upgrade: (req, socket, head) => void inner.emit("upgrade", req, socket, head),
    async close() {
      // The transport goes, not the namespace: clients take the latter for a wish that they stay away.
      for (const socket of await io.of(NAMESPACE).fetchSockets()) io.of(NAMESPACE).sockets.get(socket.id)?.conn.close();
      await io.close();
    },
  };
}

function serveAgents(agents: Namespace, ports: SocketIoPorts): void {
  const { tokens, service, report } = ports;
  agents.use((socket, next) => {
    const { token } = (socket.handshake.auth ?? {}) as { token?: unknown };
    const known =
      token === undefined ||
      (typeof token === "string" && (tokens.verifyIdentity(token) !== null || tokens.verify(token) !== null));
    if (known) return next();
    const refusal = refuse("unauthorized", "This token is none of ours.");
    next(Object.assign(new Error(`${refusal.code}: ${refusal.message}`), { data: refusal }));
  });
  agents.on("connection", (socket) => {
    const { token = null } = socket.handshake.auth as { token?: string | null };
    const caller: Caller = { token, code: null, address: ports.addressOf(socket.request) };
    const send = (type: string, message: object) => {
      if (waiting(socket) > MAX_WAITING) socket.conn.close();
      else socket.emit(type, message);
    };
    const following = new Following(service, {
      anew: (match_id, state) => send("state", { match_id, state }),
      event: (match_id, { event }) => send("event", { match_id, ...event }),
      yourTurn: (match_id, seat, state) => send("your_turn", { match_id, seat, state }),
      matchOver: (match_id, seat, state) => send("match_over", { match_id, seat, state }),
    });
    const watch = async (matchId: string, by: Caller): Promise<Answer<object>> => following.follow(by, matchId, null);
    const stop = followOwn(caller, ports, following, send);
    socket.once("disconnect", () => {
      stop();
      following.close();
    });
    const gate = new FloodGate(ports.clock, ports.flood);
    socket.onAny((name: unknown, ...args: unknown[]) => {
      const last = args.at(-1);
      const answer = (value: object) => void (typeof last === "function" && last(value));
      const payload = typeof args[0] === "function" ? undefined : args[0];
      switch (gate.next()) {
        case "kick":
          return void socket.conn.close();
        case "refuse":
          return answer(refuse("rate_limited", "Too many messages; wait a second.", 1));
        case "pass":
          void answered(String(name), payload, { caller, service, watch }, report).then(answer);
      }
    });
  });
}

/** What is current at the caller's seats, then what happens there: of an identity at all, of a seat token at that one. */
function followOwn(
  caller: Caller,
  { service, tokens, report }: SocketIoPorts,
  following: Following,
  send: (type: string, message: object) => void,
): () => void {
  const failed = (match_id: string) => (error: unknown) => report.error(error, { match_id, at: "socketio.follow" });
  const claim = caller.token === null ? null : tokens.verify(caller.token);
  if (claim !== null) {
    following.follow(caller, claim.match_id, claim.seat).catch(failed(claim.match_id));
    return () => {};
  }
  if (caller.token === null) return () => {};
  const followed = service.followSeats(caller, ({ type, match_id, seat, state, code }) => {
    if (!following.follows(match_id)) following.follow(caller, match_id, null).catch(failed(match_id));
    if (type !== "match_start") send(type, { match_id, code, seat, state });
  });
  return followed.ok ? followed.stop : () => {};
}

async function answered(
  name: string,
  payload: unknown,
  asker: Parameters<(typeof CALLS)[string]>[0],
  report: Reporter,
): Promise<Answer<object> | Refusal> {
  const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (call === undefined)
    return refuse("bad_request", `There is no call of this name; there are ${Object.keys(CALLS).join(", ")}.`);
  try {
    if (sizeOf(payload) > MAX_FRAME_BYTES)
      return refuse("too_large", `A message has at most ${MAX_FRAME_BYTES} bytes.`);
    return await call(asker, payload);
  } catch (error) {
    const match_id = parseMatchId(String((payload as { match_id?: unknown } | null)?.match_id));
    report.error(error, { ...(match_id === null ? {} : { match_id }), at: `socketio.${name}` });
    return refuse("internal", "Something went wrong here.");
  }
}

function sizeOf(payload: unknown): number {
  return Buffer.byteLength(JSON.stringify(payload ?? null) ?? "");
}

/** Packets that a connection has not taken yet. */
function waiting(socket: Socket): number {
  return (socket.conn as unknown as { readonly writeBuffer: readonly unknown[] }).writeBuffer.length;
}
