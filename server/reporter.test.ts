import { expect, test } from "vitest";
import type { IdentityId } from "../shared/protocol/ids.ts";
import { consoleLike, openReporter } from "./reporter.ts";
import { makeTokens } from "./tokens.ts";

function written(write: (logs: ReturnType<typeof openReporter>) => void): string {
  const lines: string[] = [];
  write(openReporter("trace", { write: (line: string) => void lines.push(line) }));
  return lines.join("");
}

test("one object a line: nothing that is logged breaks out of its line", () => {
  const text = written((logs) => {
    logs.error(new Error('bad\n{"level":60}\u001b[31m'), { at: "room.move", match_id: "m\r\n1" });
    logs.info("a\nb", { name: "\u0000\u001b]0;x" });
  });
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ at: "room.move", match_id: "m\r\n1" });
});

test("tokens and seeds are left out", () => {
  const text = written((logs) =>
    logs.info("x", { seat_token: "secret-1", token: "secret-2", room: { seed: "secret-3", seat_token: "secret-4" } }),
  );
  expect(text).not.toContain("secret");
});

test.each<[string, Record<string, unknown>]>([
  ["a field", { authorization: "Bearer secret-1", cookie: "secret-2" }],
  ["headers", { headers: { authorization: "secret-1", cookie: "secret-2", "set-cookie": ["secret-3"] } }],
  ["a request", { req: { headers: { Authorization: "secret-1", Cookie: "secret-2", "x-gearmice-peer": "secret-3" } } }],
  ["an address", { url: "/x?token=secret-1&a=1&seatToken=secret-2" }],
  ["an address that opens a private room", { url: "/api/v1/matches/1/state?code=secret-1" }],
])("%s with a secret in it is written without", (_name, context) => {
  const text = written((logs) => logs.info("x", context));
  expect(text).not.toContain("secret");
  expect(() => JSON.parse(text)).not.toThrow();
});

test("a token in a text is not written: messages, stacks, causes", () => {
  const token = makeTokens([{ id: "aaaa", key: "11".repeat(32), from_ms: 0, until_ms: null }]).issueIdentity({
    id: "g" as IdentityId,
    name: "Ada",
  });
  const error = new Error(`cannot call /x?seatToken=${token}`, { cause: new Error(`Bearer ${token}`) });
  const text = written((logs) => {
    logs.error(error, { at: "t" });
    logs.error(token, { at: "t" });
    consoleLike(logs.logger).error("Authorization: Bearer", token);
  });
  expect(text.trimEnd().split("\n")).toHaveLength(3);
  expect(text).not.toContain(token.slice(8));
  for (const part of token.split(".").slice(3)) expect(text).not.toContain(part);
});

test.each([
  ["a header of any case", { headers: { Authorization: "Bearer secret-part", "x-firebase-token": "secret-part" } }],
  ["a password", { password: "secret-part" }],
  ["an address with a code", { url: "/api/v1/matches/x/state?wait=turn&code=secret-part" }],
  ["an address with a token", { url: "/x?seatToken=secret-part&y=1" }],
  ["the operator's token", { said: `gma1.secret-part${"A".repeat(32)}` }],
  ["a bearer in a text", { said: "they sent authorization: Bearer secret-part" }],
  ["a basic password in a text", { said: "Basic secret-part==" }],
])("not written: %s", (_name, context) => {
  expect(written((logs) => logs.info("m", context))).not.toContain("secret-part");
});

test("a room code in an address is not written; the field that names the room is", () => {
  const text = written((logs) =>
    logs.error(new Error("POST /api/v1/rooms/IXENT-K7M2QP/join and /matchmake/joinById/IXENT-K7M2QP"), {
      ...{ match_id: "m", code: "IXENT-AAAAAA", at: "t" },
    }),
  );
  expect(text).not.toContain("K7M2QP");
  expect(JSON.parse(text)).toMatchObject({ match_id: "m", code: "IXENT-AAAAAA" });
});

test("what is no error is shown as text, cut", () => {
  expect(written((logs) => logs.error("x".repeat(10_000), { at: "t" })).length).toBeLessThan(1_000);
});

test("what clients bring about by malformed frames does not fill the log", () => {
  let nowMs = 0;
  const text = written(({ logger }) => {
    const colyseus = consoleLike(logger, () => nowMs);
    for (let i = 0; i < 1_000; i++) colyseus.error(`malformed ${i}`);
    nowMs = 60_000;
    colyseus.error("a minute later");
  });
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(22);
  expect(lines.at(-2)).toMatchObject({ left_out: 980 });
  expect(lines.at(-1)).toMatchObject({ msg: "a minute later" });
});
