/** A room belongs to those it is made for: whoever watches the list for new rooms is not quicker than they (PROTOCOL 2). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { shiftClock } from "../test/support/shiftClock.ts";
import { call, guest, serve, type TestServer, until } from "./testing/kit.ts";

let server: TestServer;
const clock = shiftClock();
beforeAll(async () => {
  server = await serve({}, { clock });
});
afterAll(() => server.stop());

/** Joins every room in the instant at which this process takes it up, until the returned function is called. */
function racer(): () => void {
  return server.gateway.onHeld((holder) => {
    void holder.join({ identity: "racer" as never, name: "Racer" });
  });
}

test.each([
  ["a room with a house bot, which takes a while to start", { preset: "david-goliath" }, "P1"],
  ["a room for two people", { preset: "duel" }, "P1"],
  ["a room whose creator only watches", { format: "1v1", level: 1, join: false }, null],
])("%s", async (_name, body, seat) => {
  const stop = racer();
  const { token } = await guest(server, "Ada");
  const created = await call(server, "POST", "/rooms", { token, body });
  stop();
  expect(created).toMatchObject({ status: 201, body: { seat } });
});

test("the room of a rematch", async () => {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body: room } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  const { body: joined } = await call(server, "POST", `/rooms/${room.code}/join`, { token: bob.token, body: {} });
  const path = `/matches/${room.match_id}`;
  await call(server, "POST", `${path}/resign`, { token: joined.seat_token });
  await call(server, "POST", `${path}/rematch`, { token: room.seat_token });
  const stop = racer();
  const { body } = await call(server, "POST", `${path}/rematch`, { token: joined.seat_token });
  stop();
  expect(body.opened).toMatchObject({ seat: "P1" });
  const { state } = (await call(server, "POST", `/rooms/${body.opened.code}/join`, { token: ada.token, body: {} }))
    .body;
  expect([state.status.players.P1.name, state.status.players.P2.name]).toEqual(["Bob", "Ada"]);
});

test("who asks for the rematch when its room is open already has the seat that was kept", async () => {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body: room } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  // Bob never calls with the token of his seat, so he does not count as connected.
  await call(server, "POST", `/rooms/${room.code}/join`, { token: bob.token, body: {} });
  const path = `/matches/${room.match_id}`;
  await call(server, "POST", `${path}/resign`, { token: room.seat_token });
  const rematch = async (token: string) => (await call(server, "POST", `${path}/rematch`, { token })).body.opened;
  // 30 s after his last call Bob has gone.
  expect(await rematch(room.seat_token)).toBeNull();
  clock.skip(31_000);
  await until("the room of the rematch", async () => rematch(room.seat_token));
  const kept = await rematch(bob.token);
  expect(kept).toMatchObject({ seat: "P1" });
  const { body } = await call(server, "GET", `/matches/${kept.match_id}/state`, { token: kept.seat_token });
  expect(body.meta.phase).toBe("playing");
  expect([body.status.players.P1.name, body.status.players.P2.name]).toEqual(["Bob", "Ada"]);
});
