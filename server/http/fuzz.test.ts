/** Mutated calls at every route of the HTTP door: always an answer in the envelope, never 500, the server unharmed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { below, createRng, type Rng } from "../../shared/engine/index.ts";
import { STATUS_OF } from "../../shared/protocol/codes.ts";
import { call, guest, type Json, serve, type TestServer } from "../testing/kit.ts";

const ROUNDS = 1_500;
let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

const ODD: readonly unknown[] = [
  null,
  "",
  "x",
  "\u0000\u202e<script>",
  "P1",
  "x".repeat(5_000),
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  true,
  [],
  [[]],
  {},
  { toString: 1 },
  { __proto__: { kind: "ai" } },
  [{ kind: "ai", brain: "greedy" }],
  "IXENT-ABCDEF",
  "../../etc/passwd",
  "%00",
  "constructor",
  "__proto__",
];
const FIELDS = [
  "name",
  "preset",
  "format",
  "level",
  "kind",
  "seats",
  "seat",
  "turn",
  "command",
  "reasoning",
  "token_usage",
  "turn_seconds",
  "private",
  "room_code",
  "model",
  "join",
  "__proto__",
];

test(`${ROUNDS} mutated calls`, { timeout: 120_000 }, async () => {
  const { token } = await guest(server);
  const room = (await call(server, "POST", "/rooms", { token, body: { preset: "duel" } })).body;
  const solo = (await call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1 } })).body;
  const rng = createRng("0123456789abcdef0123456789abcdef");
  const tokens = [null, token, room.seat_token, solo.seat_token, `${token}x`, "x"];
  const ids = [room.match_id, solo.match_id, "x", "constructor", encodeURIComponent("../x"), "%F0%9F%90%AD"];
  const codes = [room.code, solo.code, "x", "IXENT-QQQQQQ", "%2e%2e", "toString"];
  const paths = [
    "/identities",
    "/codes",
    "/rooms",
    "/presets",
    ...codes.flatMap((c) => [`/rooms/${c}`, `/rooms/${c}/join`]),
    ...ids.flatMap((i) =>
      ["state", "legal", "moves", "resign", "rematch", "record"].map((what) => `/matches/${i}/${what}`),
    ),
  ];
  const seen = new Map<number, number>();
  for (let i = 0; i < ROUNDS; i++) {
    const method = pick(rng, ["GET", "POST", "POST", "POST", "PUT", "DELETE"]);
    const answer = await call(
      server,
      method,
      pick(rng, paths) + pick(rng, ["", "", "?wait=x", "?code[]=1", "?status=over&status=x"]),
      {
        token: pick(rng, tokens),
        ...(method === "GET" ? {} : { body: body(rng) }),
      },
    );
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    if (answer.status < 400) continue;
    const { error } = answer.body as Json;
    expect(STATUS_OF[error.code as keyof typeof STATUS_OF], JSON.stringify(answer.body)).toBe(answer.status);
  }
  expect(seen.get(500)).toBeUndefined();
  expect(server.errors).toEqual([]);
  expect((await call(server, "GET", `/matches/${room.match_id}/state`)).status).toBe(200);
});

function body(rng: Rng): unknown {
  const kind = below(rng, 10);
  if (kind === 0)
    return pick(rng, ["{", "[1,", '{"a":1}}', "\u0000", "nul", '"text"', "[]", "7", '{"name":"\\ud800"}']);
  const made: Record<string, unknown> = pick(rng, [
    { preset: "duel" },
    { format: "1v1", level: 1 },
    { name: "Ada" },
    { turn: 0, command: "G1@P11+90" },
    {},
  ]);
  const changed = { ...made };
  for (let i = below(rng, 4); i > 0; i--) {
    Object.defineProperty(changed, pick(rng, FIELDS), { value: pick(rng, ODD), enumerable: true, configurable: true });
  }
  return changed;
}

function pick<T>(rng: Rng, from: readonly T[]): T {
  return from[below(rng, from.length)] as T;
}
