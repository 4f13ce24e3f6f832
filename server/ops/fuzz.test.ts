/** Mutated calls of the operators' port, with and without the token: always an answer with a code, and nothing closed. */
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { picker } from "../../test/support/random.ts";
import { call, guest, serve, type TestServer } from "../testing/kit.ts";

const ROUNDS = 400;
let server: TestServer;
let token = "";
beforeAll(async () => {
  server = await serve();
  token = (await readFile(join(server.dataDir, "admin-token"), "utf8")).trim();
});
afterAll(() => server.stop());

const METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"];
const PARTS = [
  ...["admin", "matches", "monitor", "api", "room", "call", "assets", "close", "metrics", "healthz", "..", "."],
  ...["%2e%2e", "%", "%00", "%ff", "%2F", "__proto__", "IXENT-QQQQQQ", "019a7c1e-2f00-7abc-8def-0123456789ab", "é", ""],
];
const QUERIES = [
  "",
  "?",
  "?roomId=x",
  "?roomId=__proto__&method=constructor&args=[]",
  "?roomId[]=1",
  "?%",
  "?wait=turn",
];

interface Told {
  readonly status: number;
  readonly text: string;
}

/** As it stands: fetch would tidy the path up. */
function ask(method: string, path: string, authorization: string | null, body: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ host: "127.0.0.1", port: server.opsPort ?? 0, method, path },
        headers: {
          "content-type": "application/json",
          "content-length": body.length,
          ...(authorization === null ? {} : { authorization }),
        },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    call.on("error", (error) =>
      reject(new Error(`${method} ${path} ${authorization} ${body.length}: ${error.message}`)),
    );
    call.end(body);
  });
}

test(`${ROUNDS} mutated calls`, async () => {
  const ada = await guest(server);
  const { body: room } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "solo-trial" } });
  const pick = picker(5);
  const one = <T>(list: readonly T[]) => list[pick(list.length)] as T;
  const password = Buffer.from(`me:${token}`).toString("base64");
  const given = [null, `Bearer ${token}`, `Basic ${password}`, "Bearer", "Basic :", `Bearer ${ada.token}`, "Digest x"];
  const seen = new Set<number>();
  for (let i = 0; i < ROUNDS; i++) {
    const parts = Array.from({ length: 1 + pick(5) }, () => one(PARTS));
    const path = encodeURI(`/${parts.join("/")}`).replace(/%25/g, "%") + one(QUERIES);
    const [method, authorization] = [one(METHODS), one(given)];
    const { status, text } = await ask(method, path, authorization, one(["", "{", "null", "x".repeat(70_000)]));
    seen.add(status);
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(500);
    if (status >= 400) expect(text, `${status} ${method} ${path}`).toMatch(/^\{"error":\{"code":"\w+"/);
    // Nothing of the caller's comes back as anything but JSON.
    if (status >= 400) expect(text).not.toContain(token);
  }
  expect(seen.size).toBeGreaterThan(3);
  expect((await call(server, "GET", `/matches/${room.match_id}/state`)).body.meta.phase).toBe("playing");
  expect(server.errors).toEqual([]);
});
