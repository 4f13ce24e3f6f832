/** Guesses of room codes are counted at every call that takes a code, together. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { guest, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ RATE_LIMITS: "on", TRUST_PROXY: "1" });
});
afterAll(() => server.stop());

test.each([
  ["look", "9.9.9.1", "GET", "/api/v1/rooms/IXENT-QQQQQQ"],
  ["join", "9.9.9.2", "POST", "/api/v1/rooms/IXENT-QQQQQQ/join"],
  ["leave", "9.9.9.3", "POST", "/api/v1/rooms/IXENT-QQQQQQ/leave"],
  ["a socket", "9.9.9.4", "POST", "/matchmake/joinById/IXENT-QQQQQQ"],
])("%s", async (_name, address, method, path) => {
  const { token } = await guest(server);
  const ask = async () =>
    (
      await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "x-forwarded-for": address },
        ...(method === "POST" ? { body: "{}" } : {}),
      })
    ).status;
  for (let i = 0; i < 20; i++) expect(await ask()).toBe(404);
  expect(await ask()).toBe(429);
});
