/** The Socket.IO and hosted SDK doors of one process reach matches that another holds, also when that one dies (DESIGN 4). */
import { randomUUID } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, type Json } from "../../../server/testing/kit.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { type RunningServer, startServerProcess } from "../../support/server.ts";
import { until } from "../../support/until.ts";

let redis: RunningRedis;
let running: RunningServer[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  redis = await startRedis();
  const env = { REDIS_URL: redis.url, REDIS_PREFIX: `test-${randomUUID()}:`, LEASE_SECONDS: "2", RATE_LIMITS: "off" };
  running = await Promise.all([0, 1].map(() => startServerProcess({ ...env, LOG_LEVEL: "error", OPS_PORT: "0" })));
}, 60_000);
afterAll(async () => {
  for (const socket of sockets) socket.close();
  for (const server of running) await server.stop("SIGKILL");
  await redis?.stop();
});

/** An agent at one process: what it was told, and its calls. */
function agent(server: RunningServer, token: string | null) {
  const socket = io(`${server.url}/agents`, { auth: token === null ? {} : { token }, forceNew: true });
  sockets.push(socket);
  const told: { readonly type: string; readonly message: Json }[] = [];
  socket.onAny((type: string, message: Json) => void told.push({ type, message }));
  const ask = (name: string, payload: object): Promise<Json> => socket.timeout(10_000).emitWithAck(name, payload);
  return { told, ask };
}

test("the hosted SDK: a session of one process is played at the other, a room of one joined and played there", async () => {
  const [a, b] = running as [RunningServer, RunningServer];
  const [ada, bob] = [(await guest(a, "Ada")).token, (await guest(b, "Bob")).token];
  const sdk = async (server: RunningServer, token: string, path: string, body?: object): Promise<Json> => {
    const headers = { "content-type": "application/json", "x-firebase-token": token };
    const method = body === undefined ? "GET" : "POST";
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(`${server.url}${path}`, { method, headers, ...sent })).json();
  };
  const made = await call(a, "POST", "/sessions", { token: ada, body: { mode: "lab" } });
  const session_id = made.body.session_id;
  const game = await sdk(b, ada, "/play", { session_id });
  const { game_player_id } = game;
  // A lost answer, asked for again where the match is not.
  expect(await sdk(a, ada, "/play", { session_id })).toMatchObject({ success: true, game_player_id });
  const command = "G1@P11(b=0)+90";
  expect(await sdk(a, ada, "/move", { game_player_id, command })).toMatchObject({
    success: true,
    state: { meta: { turn: 1 } },
  });

  const room = await sdk(a, ada, "/arena/create", { mode: "1v1", level: 1, model: "x" });
  expect(await sdk(b, bob, `/arena/room/${room.room_code}`)).toMatchObject({ status: "waiting", players_joined: 1 });
  const joined = await sdk(b, bob, "/arena/join", { room_code: room.room_code, model: "y" });
  expect(joined).toMatchObject({ player_slot: "P2", game_id: room.game_id });
  const first = { game_player_id: room.game_player_id, command: "G4@P21(b=0)+90" };
  expect(await sdk(b, ada, "/arena/move", first)).toMatchObject({ success: true });
  expect(await sdk(b, bob, `/arena/turn/${joined.game_player_id}`)).toMatchObject({ your_turn: true });
});

test("create at one, join and play at the other, watch there, and go on when the holder is killed", {
  timeout: 60_000,
}, async () => {
  const [a, b] = running as [RunningServer, RunningServer];
  const ada = agent(a, (await guest(a, "Ada")).token);
  const bobToken = (await guest(b, "Bob")).token;
  const bob = agent(b, bobToken);
  const made = await ada.ask("create", { preset: "duel" });
  const { match_id } = made;
  expect(await bob.ask("join", { code: made.code })).toMatchObject({ ok: true, match_id, seat: "P2" });
  const watcher = agent(b, null);
  expect(await watcher.ask("watch", { match_id })).toMatchObject({ ok: true, state: { meta: { match_id } } });

  expect(await ada.ask("move", { match_id, turn: 0, command: "G4@P21+90" })).toMatchObject({ ok: true });
  const turn = await until("Bob's turn is told", () => bob.told.find(({ type }) => type === "your_turn"));
  expect(turn.message).toMatchObject({ match_id, seat: "P2", state: { meta: { turn: 1, current_player: "P2" } } });
  const { commands } = await bob.ask("legal", { match_id });
  expect(await bob.ask("move", { match_id, turn: 0, command: commands[0] })).toMatchObject({ code: "stale_turn" });
  expect(await bob.ask("move", { match_id, turn: 1, command: commands[0] })).toMatchObject({ ok: true });
  await until(
    "the watcher has seen both",
    () => watcher.told.filter(({ message }) => message.type === "turn").length === 2,
  );

  await a.stop("SIGKILL");
  const here = await until("the match is here", async () => {
    const answer = await bob.ask("state", { match_id });
    return answer.ok ? answer.state : null;
  });
  expect(here.meta).toMatchObject({ turn: 2, current_player: "P1" });
  const again = agent(b, made.seat_token);
  await until("Ada's turn is told here", () => again.told.some(({ type }) => type === "your_turn"));
  const list = (await again.ask("legal", { match_id })).commands;
  expect(await again.ask("move", { match_id, turn: 2, command: list[0] })).toMatchObject({ ok: true });
  // By the event, or by the whole state when the move came before it was followed here.
  await until("the watcher follows on", () =>
    watcher.told.some(({ message }) => message.turn === 3 || message.state?.meta.turn === 3),
  );
  await until("Bob is told his turn", () =>
    bob.told.some(({ type, message }) => type === "your_turn" && message.state.meta.turn === 3),
  );
});
