/** Whoever waits for a room to fill may ask as often as it likes; whoever tries codes may not. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { guest, type Json, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ RATE_LIMITS: "on", TRUST_PROXY: "1" });
});
afterAll(() => server.stop());

test("a creator asks for its room a hundred times, a stranger is slowed", async () => {
  const [ada, bob] = [(await guest(server, "Ada")).token, (await guest(server, "Bob")).token];
  const ask = async (token: string, path: string, body?: object): Promise<{ status: number; body: Json }> => {
    const answer = await fetch(`${server.url}${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json", "x-firebase-token": token, "x-forwarded-for": "203.0.113.7" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const { body: room } = await ask(ada, "/arena/create", { mode: "1v1", model: "x" });
  const path = `/arena/room/${room.room_code}`;
  for (let i = 0; i < 100; i++) expect((await ask(ada, path)).body.status).toBe("waiting");
  const codes: number[] = [];
  for (let i = 0; i < 100; i++) codes.push((await ask(bob, path)).status);
  expect(codes[0]).toBe(200);
  const { status, body } = await ask(bob, path);
  expect([codes.at(-1), status]).toEqual([429, 429]);
  expect(body).toMatchObject({
    success: false,
    msg: expect.stringMatching(/^rate_limited: /),
    error: { retry_after_s: expect.any(Number) },
  });
});
