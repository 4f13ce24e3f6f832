/** `GET /prompts/:mode/:player` (PROTOCOL 6). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "../../shared/prompts/index.ts";
import { sha256Hex } from "../../shared/protocol/hash.ts";
import { call, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

test.each([
  ["solo/P1", build("solo", "P1"), null],
  ["1v1/P2", build("1v1", "P2"), null],
  ["2v2/P3", build("2v2", "P3"), "P4"],
  ["ffa4/P4", build("ffa4", "P4"), null],
  ["arena/P1", build("arena", "P1"), null],
  ["arena/P1?ally=P2", build("arena", "P1", "P2"), "P2"],
])("%s without any token", async (path, prompt, ally) => {
  const { status, body } = await call(server, "GET", `/prompts/${path}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ prompt, ally, prompt_hash: sha256Hex(prompt) });
  expect(body.fragments.map(({ text }: { text: string }) => text).join("\n\n")).toBe(prompt);
});

test.each([
  ["chess/P1", 404, "not_found"],
  ["1v1/P3", 404, "not_found"],
  ["solo/constructor", 404, "not_found"],
  ["2v2/P1?ally=P3", 422, "bad_options"],
])("%s is refused", async (path, status, code) => {
  const answer = await call(server, "GET", `/prompts/${path}`);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});
