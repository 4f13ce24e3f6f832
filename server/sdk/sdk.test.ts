/** The hosted SDK's door (PROTOCOL 6): its field lists, its refusals, and whose a game player is. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { legalMoves } from "../../shared/engine/index.ts";
import { build } from "../../shared/prompts/index.ts";
import { call, guest, type Json, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
let ada: string;
let bob: string;
beforeAll(async () => {
  server = await serve();
  [ada, bob] = [(await guest(server, "Ada")).token, (await guest(server, "Bob")).token];
});
afterAll(() => server.stop());

async function ask(method: "GET" | "POST", path: string, token: string | null, body?: unknown) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token === null ? {} : { "x-firebase-token": token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}
const post = (path: string, token: string | null, body: unknown = {}) => ask("POST", path, token, body);
const get = (path: string, token: string | null) => ask("GET", path, token);
const session = async (body: object, token = ada) =>
  (await call(server, "POST", "/sessions", { token, body })).body.session_id;
/** The first legal command, which an agent works out by itself. */
function legal(gameId: string): string {
  const match = server.gateway.holders().find(({ id }) => id === gameId)?.match;
  return match ? (legalMoves(match.engine)[0] ?? "") : "";
}
const PLAY = {
  session_id: null,
  prompt_injection: "",
  prompt_hash: "0".repeat(64),
  agent_description: "a test",
  strategy: "",
  is_local_model: false,
  is_custom_agent: true,
};

test("an access code becomes a token, which both headers carry", async () => {
  const { code } = (await call(server, "POST", "/access-codes", { token: ada })).body;
  const { status, body } = await post("/access-codes/exchange", null, { code });
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(["expires_in", "id_token", "success"]);
  expect([body.success, body.expires_in > 0]).toEqual([true, true]);
  expect((await post("/play", body.id_token, PLAY)).body.success).toBe(true);
  const bearer = await fetch(`${server.url}/play`, {
    method: "POST",
    headers: { authorization: `Bearer ${body.id_token}` },
    body: "{}",
  });
  expect(bearer.status).toBe(200);
  const wrong = await post("/access-codes/exchange", null, { code: "GM-NOBOD-YNOBO-DYNOB-ODYNO" });
  expect(wrong).toMatchObject({
    status: 404,
    body: { success: false, msg: expect.stringMatching(/^not_found: /), error: { code: "not_found" } },
  });
});

test("Solo from /play to the end by /move", async () => {
  const id = await session({ mode: "lab", level: 2, model: "my-model" });
  const { body: game } = await post("/play", ada, {
    ...PLAY,
    session_id: id,
    prompt_injection: "Be quick.",
    is_local_model: true,
    is_custom_agent: false,
  });
  expect(Object.keys(game).sort()).toEqual(
    [
      "success",
      "game_player_id",
      "state",
      "motor_url",
      "model",
      "session",
      "system_prompt",
      "is_sponsored",
      "level",
    ].sort(),
  );
  expect(game).toMatchObject({
    success: true,
    motor_url: server.url,
    model: "my-model",
    session: { provider: "local" },
    system_prompt: `${build("solo", "P1")}\n\nBe quick.`,
    is_sponsored: false,
    level: 2,
    state: { meta: { format: "solo", kind: "lab", level_id: "2", turn: 0 }, data: { mice: { M1_P1: {} } } },
  });
  let { state } = game;
  let points = 0;
  for (let i = 1; i <= 36 && !state.status.game_over; i++) {
    const { status, body } = await post("/move", ada, {
      game_player_id: game.game_player_id,
      command: legal(state.meta.match_id),
      reasoning: `turn ${i}`,
      motor_url: game.motor_url,
      evaluation_id: null,
      session_id: id,
      token_usage: {
        total: 150 * i,
        total_input_tokens: 100 * i,
        total_output_tokens: 50 * i,
        total_thinking_tokens: 20 * i,
        total_inference_sec: 0.5 * i,
        average_tps: 100,
        turn_input_tokens: 100,
        turn_output_tokens: 50,
        turn_thinking_tokens: 20,
        turn_inference_sec: 0.5,
        turn_tps: 100,
        is_local_hardware: true,
      },
    });
    expect([status, body.success]).toEqual([200, true]);
    expect(Object.keys(body).sort()).toEqual(["gym_metrics", "msg", "state", "success"]);
    points += body.gym_metrics.reward;
    state = body.state;
    expect(state.scoring).toMatchObject({ tokens_used: { P1: 150 * i }, thinking_tokens: { P1: 20 * i } });
    expect(state.data.last_reasoning).toBe(`turn ${i}`);
    expect(body.gym_metrics.terminated || body.gym_metrics.truncated).toBe(state.status.game_over);
  }
  expect(state.status.game_over).toBe(true);
  expect(state.scoring.raw_points.P1).toBe(points);
  const late = await post("/move", ada, { game_player_id: game.game_player_id, command: "G1@P11+90" });
  expect(late).toMatchObject({ status: 200, body: { success: false, msg: expect.stringMatching(/^match_over: /) } });
});

test("a duel: create, wait, join, turns by asking, moves, result", async () => {
  const { status, body: made } = await post("/arena/create", ada, {
    mode: "1v1",
    level: 1,
    model: "one",
    prompt_injection: null,
    strategy: "Sabotage",
  });
  expect(status).toBe(200);
  const fields = ["room_code", "mode", "motor_url", "model", "session", "system_prompt", "game_id", "game_player_id"];
  expect(Object.keys(made).sort()).toEqual([...fields].sort());
  expect(made).toMatchObject({ mode: "1v1", model: "one", motor_url: server.url });
  expect(made.system_prompt).toMatch(/Your manner: sabotage/);
  expect((await get(`/arena/room/${made.room_code}`, ada)).body).toEqual({
    status: "waiting",
    game_id: made.game_id,
    players_joined: 1,
    players_needed: 2,
  });
  expect((await get(`/arena/turn/${made.game_player_id}`, ada)).body).toMatchObject({
    your_turn: false,
    status: { game_over: false },
  });
  const { body: joined } = await post("/arena/join", bob, { room_code: made.room_code.toLowerCase(), model: "two" });
  expect(Object.keys(joined).sort()).toEqual([...fields, "player_slot"].sort());
  expect(joined).toMatchObject({
    player_slot: "P2",
    game_id: made.game_id,
    mode: "1v1",
    model: "two",
    system_prompt: build("1v1", "P2"),
  });
  expect((await get(`/arena/room/${made.room_code}`, bob)).body).toMatchObject({
    status: "playing",
    players_joined: 2,
  });
  const sides = [
    { token: ada, id: made.game_player_id },
    { token: bob, id: joined.game_player_id },
  ];
  let moves = 0;
  for (let over = false; !over && moves < 100; ) {
    for (const { token, id } of sides) {
      const { body: turn } = await get(`/arena/turn/${id}`, token);
      expect(Object.keys(turn).sort()).toEqual(["state", "status", "your_turn"]);
      over = turn.status.game_over;
      if (over || !turn.your_turn) continue;
      const { body } = await post("/arena/move", token, {
        game_player_id: id,
        command: legal(made.game_id),
        reasoning: null,
        token_usage: { total: 9 },
      });
      expect(body).toMatchObject({ success: true, gym_metrics: { reward: expect.any(Number) } });
      moves++;
    }
  }
  expect(moves).toBeGreaterThan(20);
  const { body: result } = await get(`/arena/result/${made.game_player_id}`, ada);
  expect(result).toEqual({
    status: {
      result: expect.stringMatching(/VICTORY|TIMEOUT/),
      mice_rescued: { P1: expect.any(Number), P2: expect.any(Number) },
      total_mice_per_player: 4,
    },
    scoring: { scores: { P1: expect.any(Number), P2: expect.any(Number) }, thinking_tokens: { P1: 0, P2: 0 } },
  });
});

test("a lost answer of /play: asked again with its session, the same game is there, for its own player", async () => {
  const id = await session({ mode: "benchmark" });
  const { body: first } = await post("/play", ada, { ...PLAY, session_id: id });
  await post("/move", ada, { game_player_id: first.game_player_id, command: "G1@P11(b=0)+90" });
  const { body: again } = await post("/play", ada, { ...PLAY, session_id: id });
  expect(again).toMatchObject({ success: true, game_player_id: first.game_player_id, state: { meta: { turn: 1 } } });
  expect((await post("/play", bob, { ...PLAY, session_id: id })).body.error.code).toBe("code_used");
  await call(server, "POST", `/matches/${again.state.meta.match_id}/resign`, { token: ada });
  expect((await post("/play", ada, { ...PLAY, session_id: id })).body.error.code).toBe("code_used");
});

test.each([
  ["2v2", "2v2", 4, "P1"],
  ["4v4", "ffa4", 4, "P1"],
  ["human", "1v1", 2, "P2"],
])("mode %s is %s", async (mode, format, needed, slot) => {
  const { body: made } = await post("/arena/create", ada, { mode, level: "1", model: null });
  expect(made.mode).toBe(mode);
  const { body: room } = await call(server, "GET", `/rooms/${made.room_code}`);
  expect([room.format, room.seats.length]).toEqual([format, needed]);
  expect(room.seats.find(({ taken }: Json) => taken)).toMatchObject({ seat: slot, kind: "ai", name: "Ada" });
  expect(made.system_prompt).toContain(`You are ${slot} from the first turn`);
  if (mode !== "human") return;
  // The other seat is for somebody at the page: another agent finds none.
  expect((await post("/arena/join", bob, { room_code: made.room_code, model: "x" })).body.error.code).toBe("room_full");
  const human = await call(server, "POST", `/rooms/${made.room_code}/join`, { token: bob, body: { kind: "human" } });
  expect(human.body.seat).toBe("P1");
});

test("a code handed out before is the room's", async () => {
  const { code } = (await call(server, "POST", "/codes", { token: ada })).body;
  expect((await post("/arena/create", ada, { mode: "1v1", model: "x", room_code: code })).body.room_code).toBe(code);
  expect((await post("/arena/create", ada, { mode: "1v1", model: "x", room_code: code })).body.error.code).toBe(
    "code_used",
  );
});

test("texts: dropped in benchmark and said so, too long is refused before a session is used up", async () => {
  const id = await session({ mode: "benchmark" });
  const long = await post("/play", ada, { ...PLAY, session_id: id, strategy: "x".repeat(2_223) });
  expect(long).toMatchObject({ status: 413, body: { success: false, error: { code: "too_large" } } });
  const { body } = await post("/play", ada, { ...PLAY, session_id: id, strategy: "Be quick." });
  expect(body).toMatchObject({
    success: true,
    moderation_notice: expect.stringContaining("benchmark"),
    system_prompt: build("solo", "P1"),
  });
  expect(body.state.meta).toMatchObject({ kind: "benchmark", options: { legal_list: false } });
  const arena = await post("/arena/create", ada, { mode: "1v1", model: "x", prompt_injection: "x".repeat(2_223) });
  expect(arena.body.error.code).toBe("too_large");
});

describe("refusals", () => {
  let game: Json;
  beforeAll(async () => {
    game = (await post("/play", ada, PLAY)).body;
  });
  const move = (more: object, token: string | null = ada) =>
    post("/move", token, { game_player_id: game.game_player_id, command: "G1@P11(b=0)+90", ...more });

  test.each([
    ["no token", () => move({}, null), 401, "unauthorized"],
    [
      "a token of another use",
      async () =>
        move({}, (await call(server, "POST", "/rooms", { token: bob, body: { preset: "duel" } })).body.seat_token),
      401,
      "unauthorized",
    ],
    ["another's game player", () => move({}, bob), 403, "forbidden"],
    [
      "another seat of the same game",
      () => move({ game_player_id: game.game_player_id.replace("-P1-", "-P2-") }),
      403,
      "forbidden",
    ],
    ["no game player", () => move({ game_player_id: "x" }), 404, "not_found"],
    ["a command that is no text", () => move({ command: 5 }), 400, "bad_request"],
    ["an unknown session", () => post("/play", ada, { ...PLAY, session_id: "none" }), 404, "not_found"],
    ["a body of 300 KiB", () => post("/play", ada, { ...PLAY, strategy: "x".repeat(300 * 1024) }), 413, "too_large"],
    [
      "a session for another format",
      async () => post("/play", ada, { ...PLAY, session_id: await session({ mode: "lab", format: "1v1" }) }),
      422,
      "bad_options",
    ],
    ["an unknown mode", () => post("/arena/create", ada, { mode: "5v5", model: "x" }), 400, "bad_request"],
    ["an unknown level", () => post("/arena/create", ada, { mode: "1v1", level: 9, model: "x" }), 422, "bad_options"],
    ["an unknown room", () => post("/arena/join", ada, { room_code: "IXENT-QQQQQQ", model: "x" }), 404, "not_found"],
    ["an unknown room to look at", () => get("/arena/room/QQQQQQ", ada), 404, "not_found"],
    ["the turn of another's game player", () => get(`/arena/turn/${game.game_player_id}`, bob), 403, "forbidden"],
    ["the result of another's game player", () => get(`/arena/result/${game.game_player_id}`, bob), 403, "forbidden"],
    [
      "a body that is no JSON",
      async () => {
        const answer = await fetch(`${server.url}/play`, {
          method: "POST",
          body: "{",
          headers: { "x-firebase-token": ada },
        });
        return { status: answer.status, body: (await answer.json()) as Json };
      },
      400,
      "bad_request",
    ],
  ] as const)("%s", async (_name, asked, status, code) => {
    const answer = await asked();
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect(answer.body).toMatchObject({ success: false, msg: `${code}: ${answer.body.error.message}` });
  });

  test.each([
    ["a stale turn", { turn: 7 }, "stale_turn", 0],
    ["no command", { command: "turn left" }, "syntax", 1],
    ["a tile that is not there", { command: "G1@P99+90" }, "no_such_tile", 2],
  ])("%s is 200 with the code first, and costs what the rules say (R8.2)", async (_name, more, code, turn) => {
    expect(await move(more)).toMatchObject({
      status: 200,
      body: {
        success: false,
        msg: expect.stringMatching(`^${code}: `),
        state: { meta: { turn } },
        gym_metrics: { reward: 0, terminated: false, truncated: false },
      },
    });
  });

  test.each([
    ["none", undefined],
    ["null", null],
    ["words", "many"],
    ["negative numbers", { total: -5 }],
    ["nothing in it", {}],
  ])("token numbers that cannot be read cost no move: %s", async (_name, token_usage) => {
    const { body: other } = await post("/play", ada, PLAY);
    const answer = await move({ game_player_id: other.game_player_id, token_usage });
    expect(answer.body).toMatchObject({ success: true, state: { scoring: { tokens_used: { P1: 0 } } } });
  });

  test("without a total it is input and output together; parts of a token are rounded", async () => {
    const { body: other } = await post("/play", ada, PLAY);
    const usage = { total: null, total_input_tokens: 100.4, total_output_tokens: 20, total_thinking_tokens: 7.6 };
    const answer = await move({ game_player_id: other.game_player_id, token_usage: usage });
    expect(answer.body.state.scoring).toMatchObject({ tokens_used: { P1: 120 }, thinking_tokens: { P1: 8 } });
  });
});
