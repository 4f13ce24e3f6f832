import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, type Json, serve, type TestServer } from "./testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ RATE_LIMITS: "on" });
});
afterAll(() => server.stop());

test("resigning and asking for a rematch over and over makes no more rooms than the limit, and harms nobody else", async () => {
  const play = async () => {
    const { token } = await guest(server);
    return (await call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1 } })).body as Json;
  };
  const again = async ({ match_id, seat_token }: Json) => {
    await call(server, "POST", `/matches/${match_id}/resign`, { token: seat_token });
    return call(server, "POST", `/matches/${match_id}/rematch`, { token: seat_token });
  };
  let room = await play();
  for (let i = 0; i < 60; i++) {
    const { body } = await again(room);
    expect(body.opened).toMatchObject({ seat: "P1" });
    room = body.opened;
  }
  expect(await again(room)).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
  expect(await again(await play())).toMatchObject({ status: 200, body: { opened: { seat: "P1" } } });
});
