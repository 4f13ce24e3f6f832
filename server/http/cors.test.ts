import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, serve, type TestServer } from "../testing/kit.ts";

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

/** What a page of an origin gets at each way in; null: no Origin, a program. */
const headersOf = (origin: string | null) => (origin === null ? {} : { origin: origin.replace("SELF", server.url) });

test.each([
  ["a program", null, true],
  ["a page of this server", "SELF", true],
  ["a page of an origin that is named", "https://play.example", true],
  ["a page of another origin", "https://evil.example", false],
  ["a page without an origin of its own", "null", false],
  ["an origin that only looks like ours", "http://127.0.0.1.evil.example", false],
])("%s may act, and open sockets: %s is %s", async (_name, origin, may) => {
  const headers = headersOf(origin);
  const act = await fetch(`${server.url}/api/v1/identities`, { method: "POST", headers, body: '{"name":"Ada"}' });
  expect(act.status).toBe(may ? 201 : 403);
  if (!may) expect(await act.json()).toMatchObject({ error: { code: "forbidden" } });

  const { token } = await guest(server);
  const { code } = (await call(server, "POST", "/rooms", { token, body: { preset: "duel" } })).body;
  const seat = await fetch(`${server.url}/matchmake/joinById/${code}`, {
    method: "POST",
    headers,
    body: '{"watch":true}',
  });
  expect(seat.status).toBe(may ? 200 : 403);

  expect(await upgraded(`/process/${code}?sessionId=x`, headers)).toBe(may ? 101 : 403);
  expect(await upgraded("/socket.io/?EIO=4&transport=websocket", headers)).toBe(may ? 101 : 403);
  const polled = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`, { headers });
  expect(polled.ok).toBe(may);
});

/** The status of an upgrade to a WebSocket. */
function upgraded(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server.url}${path}`, {
      headers: {
        ...headers,
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      },
    });
    asked.once("upgrade", (answer, socket) => {
      socket.on("error", () => {});
      socket.destroy();
      resolve(answer.statusCode ?? 0);
    });
    asked.once("response", (answer) => resolve(answer.resume().statusCode ?? 0));
    asked.once("error", reject);
    asked.end();
  });
}
