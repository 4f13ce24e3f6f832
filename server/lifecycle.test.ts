/** Going down and coming back, a failing store, the showcase: whole servers on real stores. */
import { rm } from "node:fs/promises";
import type { Room } from "@colyseus/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { StoreUnavailable } from "../rooms/ports.ts";
import type { RunningApp } from "./app.ts";
import type { MatchStore } from "./store/MatchStore.ts";
import { call, guest, type Json, joinSeat, serve, sync, type TestServer, until, watch } from "./testing/kit.ts";

let running: TestServer[] = [];
const folders = new Set<string>();
async function start(...args: Parameters<typeof serve>): Promise<TestServer> {
  const server = await serve(...args);
  running.push(server);
  folders.add(server.dataDir);
  return server;
}
async function stop(server: TestServer): Promise<void> {
  running = running.filter((other) => other !== server);
  await server.stop(true);
}
afterEach(async () => {
  for (const server of running) await stop(server);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
});

async function duel(server: RunningApp) {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  const joined = await call(server, "POST", `/rooms/${body.code}/join`, { token: bob.token, body: {} });
  return { ...body, seat_token2: joined.body.seat_token, ada, bob };
}
const left = (room: Room) => new Promise<number>((resolve) => room.onLeave((code) => resolve(code)));
const move = (server: RunningApp, room: Json, token: string, body: object) =>
  call(server, "POST", `/matches/${room.match_id}/moves`, { token, body });

test("a server goes down and another takes up its matches (PROTOCOL 2 and 5, R9.4)", async () => {
  const first = await start();
  const room = await duel(first);
  const waiting = await call(first, "POST", "/rooms", { token: room.ada.token, body: { preset: "summit" } });
  const house = await call(first, "POST", "/rooms", { token: room.ada.token, body: { preset: "david-goliath" } });
  const gone = await call(first, "POST", "/rooms", { token: room.ada.token, body: { preset: "duel" } });
  await call(first, "POST", `/rooms/${gone.body.code}/leave`, { token: gone.body.seat_token, body: {} });
  const done = await duel(first);
  await call(first, "POST", `/matches/${done.match_id}/resign`, { token: done.seat_token, body: {} });
  const accepted = { turn: 0, command: "G1@P11+90" };
  expect((await move(first, room, room.seat_token, accepted)).body).toMatchObject({ ok: true });
  await until("the house has come", async () => {
    const { body } = await call(first, "GET", `/rooms/${house.body.code}`);
    return body.phase === "playing";
  });

  const sockets = [await joinSeat(first.url, room.code, room.seat_token), await watch(first.url, room.code)];
  const codes = Promise.all(sockets.map(left));
  const stopped = stop(first);
  // Clients come back on this code (PROTOCOL 5).
  expect(await codes).toEqual([4001, 4001]);
  await stopped;
  expect(first.errors).toEqual([]);

  const second = await start({}, { dataDir: first.dataDir });
  const state = (await call(second, "GET", `/matches/${room.match_id}/state`, { token: room.seat_token })).body;
  expect(state.meta).toMatchObject({ room_code: room.code, turn: 1, current_player: "P2", phase: "playing" });
  expect(state.meta.deadline_ms - state.meta.server_time_ms).toBeGreaterThan(590_000);
  const back = await joinSeat(second.url, room.code, room.seat_token);
  expect((await sync(back)).seat).toBe("P1");
  await back.leave();
  expect((await move(second, room, room.seat_token, accepted)).body).toMatchObject({ ok: true, repeated: true });
  expect((await move(second, room, room.seat_token2, { turn: 1, command: "G1@P14+90" })).body.ok).toBe(true);

  expect((await call(second, "GET", `/rooms/${waiting.body.code}`)).body).toMatchObject({
    phase: "waiting",
    host: "P1",
  });
  const joined = await call(second, "POST", `/rooms/${waiting.body.code}/join`, { token: room.bob.token, body: {} });
  expect(joined.body.seat).toBe("P2");

  // House seats are driven again: the bot answers a move.
  const played = await move(second, house.body, house.body.seat_token, accepted);
  expect(played.body.ok).toBe(true);
  await until("the house has moved", async () => {
    const { body } = await call(second, "GET", `/matches/${house.body.match_id}/state`);
    return body.meta.turn >= 2;
  });

  expect((await call(second, "GET", `/rooms/${gone.body.code}`)).body.error.code).toMatch(/room_closed|not_found/);
  const over = await call(second, "GET", `/matches/${done.match_id}/state`);
  expect(over.body.status).toMatchObject({ game_over: true, winner: ["P2"] });
  // Its room is there as long as a rematch can be asked for (PROTOCOL 2).
  expect((await call(second, "GET", `/rooms/${done.code}`)).body).toMatchObject({ phase: "over" });
});

test("while rooms are taken up again, a code is `unavailable` and not unknown", async () => {
  const first = await start();
  const room = await duel(first);
  await stop(first);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const starting = start(
    { PORT: String(first.port) },
    {
      dataDir: first.dataDir,
      wrapStore: (store) => ({ ...flaky(store, () => false), unfinished: () => held.then(() => store.unfinished()) }),
    },
  );
  const ask = () => call(first, "GET", `/rooms/${room.code}`).catch(() => null);
  const early = await until("it listens", ask);
  expect(early).toMatchObject({ status: 503, body: { error: { code: "unavailable", retry_after_s: 1 } } });
  goOn();
  await starting;
  expect((await ask())?.status).toBe(200);
});

describe("a store that fails (PROTOCOL 2)", () => {
  test("moves, joins and creations are `unavailable` with a time, then all goes on; nothing is half done", async () => {
    let failing = false;
    const server = await start({}, { wrapStore: (store) => flaky(store, () => failing) });
    const room = await duel(server);
    failing = true;
    const answer = await move(server, room, room.seat_token, { turn: 0, command: "G1@P11+90" });
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable", retry_after_s: 1 } } });
    expect(answer.body.state.meta.turn).toBe(0);
    const before = (await call(server, "GET", "/rooms")).body.total;
    const created = await call(server, "POST", "/rooms", { token: room.ada.token, body: { preset: "duel" } });
    expect(created.body.error).toMatchObject({ code: "unavailable", retry_after_s: 1 });
    expect((await call(server, "GET", "/rooms")).body.total).toBe(before);
    failing = false;
    expect((await move(server, room, room.seat_token, { turn: 0, command: "G1@P11+90" })).body.ok).toBe(true);
    expect(server.errors.length).toBeGreaterThan(0);
  });
});

function flaky(store: MatchStore, failing: () => boolean): MatchStore {
  const check = async () => {
    if (failing()) throw new StoreUnavailable("no space left");
  };
  return {
    claims: store.claims,
    create: (entry) => check().then(() => store.create(entry)),
    append: (...args) => check().then(() => store.append(...args)),
    read: (id) => store.read(id),
    alive: (id, elapsed) => store.alive(id, elapsed),
    unfinished: () => store.unfinished(),
    unfinishedByCode: (code) => store.unfinishedByCode(code),
    rematchOf: (id) => store.rematchOf(id),
    finished: (limit) => store.finished(limit),
    record: (id) => store.record(id),
    close: () => store.close(),
  };
}
