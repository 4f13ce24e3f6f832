import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Json, serve, type TestServer, until } from "./testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ SHOWCASE: "on", SHOWCASE_PACE_MS: "17" });
});
afterAll(() => server.stop());

test("one match of house bots is always live, at the pace that is set, and can be watched without a login", async () => {
  const row = await until("a match is live", async () => {
    const { body } = await call(server, "GET", "/rooms?status=playing");
    return body.rooms[0] as Json;
  });
  expect(row.seats.every((s: Json) => s.brain === "greedy")).toBe(true);
  expect(row.host).toBeNull();
  expect(server.bots.driven.every((seat) => seat.pace_ms === 17)).toBe(true);
  const state = await call(server, "GET", `/matches/${row.match_id}/state`);
  expect(state.body.meta.phase).toBe("playing");
  expect(state.body.meta.deadline_ms).not.toBeNull();
});

test("after its end, or when it could not start, another one comes", { timeout: 40_000 }, async () => {
  const [first] = server.gateway.holders();
  await first?.abandon();
  const second = await until(
    "another one is live",
    () => server.gateway.holders().find((h) => h.id !== first?.id && h.match.engine.phase === "playing"),
    30_000,
  );
  expect(second.match.preset).not.toBe(first?.match.preset);
});
