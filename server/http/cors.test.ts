import { afterAll, beforeAll, expect, test } from "vitest";
import { serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ CORS_ORIGINS: "https://play.example" });
});
afterAll(() => server.stop());

const from = (origin: string, method: string) =>
  fetch(`${server.url}/api/v1/presets`, { method, headers: { origin, "access-control-request-method": "POST" } });

test.each([
  ["an origin that is named may call", "https://play.example", "https://play.example"],
  ["another may not", "https://evil.example", null],
  ["nor one that only begins alike", "https://play.example.evil.example", null],
])("%s", async (_name, origin, allowed) => {
  for (const method of ["GET", "OPTIONS"]) {
    const answer = await from(origin, method);
    expect(answer.headers.get("access-control-allow-origin")).toBe(allowed);
    expect(answer.headers.get("vary")).toContain("Origin");
  }
});

test("a preflight says what may be sent", async () => {
  const answer = await from("https://play.example", "OPTIONS");
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-headers")).toContain("Authorization");
});
