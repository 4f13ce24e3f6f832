/** The Socket.IO door of one process reaches matches that another holds, also when that one dies (DESIGN 4). */
import { randomUUID } from "node:crypto";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guest, type Json } from "../../../server/testing/kit.ts";
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
