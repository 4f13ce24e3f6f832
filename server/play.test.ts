import { afterAll, beforeAll, expect, test } from "vitest";
import type { EventMessage } from "../shared/protocol/messages.ts";
import type { NativeState } from "../shared/protocol/state.ts";
import { call, guest, type Json, joinSeat, serve, sync, type TestServer, until, watch } from "./testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

test("create, join by code, play to the end by two sockets; a spectator sees every event (PROTOCOL 5)", async () => {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const created = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  expect(created.status).toBe(201);
  expect(created.body.seat).toBe("P1");
  expect(created.body.state.meta.phase).toBe("waiting");
  const { code, match_id } = created.body;

  const spectator = await watch(server.url, code);
  const seen: EventMessage[] = [];
  spectator.onMessage("event", (message: EventMessage) => void seen.push(message));
  const first = await joinSeat(server.url, code, created.body.seat_token);
  const joined = await call(server, "POST", `/rooms/${code}/join`, { token: bob.token, body: {} });
  expect(joined.body).toMatchObject({ match_id, seat: "P2" });
  expect(joined.body.state.meta).toMatchObject({ phase: "playing", current_player: "P1", turn: 0 });
  const second = await joinSeat(server.url, code, joined.body.seat_token);

  let state: NativeState = joined.body.state;
  while (state.meta.phase === "playing") {
    const mover = state.meta.current_player;
    const [room, token] = mover === "P1" ? [first, created.body.seat_token] : [second, joined.body.seat_token];
    const { commands } = (await call(server, "GET", `/matches/${match_id}/legal`, { token })).body;
    const command = commands[(state.meta.turn * 7919) % commands.length];
    const answer: Json = await room.request("move", { turn: state.meta.turn, command });
    expect(answer).toMatchObject({ ok: true });
    ({ state } = await sync(room));
  }
  expect(state.status.game_over).toBe(true);
  expect(state.meta.seed).toMatch(/^[0-9a-f]{32}$/);
  await until("the spectator has seen the end", () => seen.at(-1)?.type === "over");
  const turns = seen.filter((message) => message.type === "turn").map((message) => message.turn);
  expect(turns).toEqual(Array.from({ length: state.meta.turn }, (_, i) => i + 1));
  expect(server.errors).toEqual([]);
});

test("a Solo match over HTTP alone, to its end (PROTOCOL 6)", async () => {
  const { token } = await guest(server);
  const created = await call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1 } });
  const { match_id, seat_token } = created.body;
  let state: NativeState = created.body.state;
  expect(state.meta.phase).toBe("playing");
  while (state.meta.phase === "playing") {
    const { commands } = (await call(server, "GET", `/matches/${match_id}/legal`, { token: seat_token })).body;
    const moved = await call(server, "POST", `/matches/${match_id}/moves?wait=turn`, {
      token: seat_token,
      body: { turn: state.meta.turn, command: commands[state.meta.turn % commands.length], reasoning: "because" },
    });
    expect(moved.status).toBe(200);
    state = moved.body.state;
  }
  expect(["VICTORY", "TIMEOUT"]).toContain(state.status.result);
  const after = await call(server, "POST", `/matches/${match_id}/moves`, { token: seat_token, body: { command: "x" } });
  expect(after).toMatchObject({ status: 409, body: { error: { code: "match_over" } } });
});

test("house bots take their seats and play (PROTOCOL 1)", async () => {
  const { token } = await guest(server);
  const created = await call(server, "POST", "/rooms", { token, body: { preset: "arena" } });
  expect(created.body).toMatchObject({ seat: null, seat_token: null });
  const over = await until("the end", async () => {
    const { body } = await call(server, "GET", `/matches/${created.body.match_id}/state`);
    return body.status.game_over ? body : null;
  });
  expect(over.status.players.P1).toMatchObject({ kind: "ai", brain: "greedy", taken: true });
});
