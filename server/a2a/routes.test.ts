/** The classic A2A door (PROTOCOL 6), driven as its agents do: an id of their own, and JSON over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { legalMoves } from "../../shared/engine/index.ts";
import { call, guest, type Json, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

async function ask(method: "GET" | "POST", path: string, body?: object, token?: string) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}
const start = async (agent_id: string, level_id: string | number = "1", token?: string) =>
  (await ask("POST", "/start_game", { agent_id, level_id }, token)).body;

/** The first legal command, which an agent would work out by itself. */
function legal(state: Json): string {
  const holder = server.gateway.holders().find(({ id }) => id === state.meta.match_id);
  return holder === undefined ? "" : (legalMoves(holder.match.engine)[0] ?? "");
}

test("a whole game by agent_id alone, in the classic dialect", async () => {
  expect((await ask("GET", "/status")).body).toMatchObject({
    status: "ok",
    available_levels: ["1", "2", "3", "4", "5", "6", "7"],
  });
  const { game_id, state: first } = await start("solver-1");
  expect(first.meta).toMatchObject({ agent_id: "solver-1", level_id: "1", match_id: game_id, turn: 0 });
  expect(first.status).toMatchObject({ mice_rescued: 0, total_mice: 3, completion_percent: 0 });
  expect(Object.keys(first.data.mice)).toEqual(["M1", "M2", "M3"]);
  expect(first.data.last_reasoning).toBe("");
  let state = first;
  let points = 0;
  for (let i = 0; i < 22 && !state.status.game_over; i++) {
    const { status, body } = await ask("POST", "/submit_move", {
      agent_id: "solver-1",
      turn: state.meta.turn,
      command: legal(state),
      reasoning: `turn ${i}`,
    });
    expect([status, body.success]).toEqual([200, true]);
    points += body.gym_metrics.reward;
    state = body.state;
    expect(body.gym_metrics.terminated || body.gym_metrics.truncated).toBe(state.status.game_over);
    expect(state.data.last_reasoning).toBe(`turn ${i}`);
  }
  expect(state.status.game_over).toBe(true);
  expect(state.scoring.raw_points).toBe(points);
  // What is over is still there to be looked at, and takes no move.
  expect((await ask("GET", "/get_state?agent_id=solver-1")).body.status.game_over).toBe(true);
  const late = await ask("POST", "/submit_move", { agent_id: "solver-1", command: "G1@P11+90" });
  expect(late).toMatchObject({ status: 200, body: { success: false, msg: expect.stringMatching(/^match_over: /) } });
});

describe("which game is meant", () => {
  test("two running: ambiguous without game_id; more than four: too many", async () => {
    const one = await start("many");
    const two = await start("many", 2);
    const move = { agent_id: "many", command: "G1@P11+90" };
    expect(await ask("POST", "/submit_move", move)).toMatchObject({
      status: 409,
      body: { error: { code: "ambiguous_game" } },
    });
    const named = await ask("POST", "/submit_move", { ...move, game_id: two.game_id });
    expect(named.body).toMatchObject({ success: true, state: { meta: { match_id: two.game_id, turn: 1 } } });
    const look = await ask("GET", `/get_state?agent_id=many&game_id=${one.game_id}`);
    expect(look.body.meta).toMatchObject({ match_id: one.game_id, turn: 0 });
    await start("many", 3);
    await start("many", 4);
    expect(await ask("POST", "/start_game", { agent_id: "many", level_id: "1" })).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limited", retry_after_s: 60 } },
    });
  });
  test("nobody else's: another agent, another identity, nobody at all", async () => {
    const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
    const owned = await start("mine", 1, ada.token);
    const nameless = await start("mine", 1);
    const submit = (body: object, token?: string) =>
      ask("POST", "/submit_move", { command: "G1@P11+90", ...body }, token);
    expect((await submit({ agent_id: "other", game_id: nameless.game_id })).status).toBe(404);
    expect((await submit({ agent_id: "mine", game_id: owned.game_id })).status).toBeGreaterThanOrEqual(403);
    expect((await submit({ game_id: owned.game_id }, bob.token)).body.error.code).toBe("forbidden");
    expect((await submit({ game_id: nameless.game_id })).body.error.code).toBe("unauthorized");
    expect((await submit({ agent_id: "mine" }, "gm1.id.x.y.z")).body.error.code).toBe("unauthorized");
    expect((await submit({ agent_id: "nobody" })).body.error.code).toBe("not_found");
    expect((await submit({}, ada.token)).body).toMatchObject({
      success: true,
      state: { meta: { match_id: owned.game_id } },
    });
  });
});

test("a match that is no Solo game is neither shown nor played, whoever asks (PROTOCOL 3, classic dialect)", async () => {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body: duel } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  await call(server, "POST", `/rooms/${duel.code}/join`, { token: bob.token, body: {} });
  const move = { game_id: duel.match_id, turn: 0, command: "G4@P21(b=0)+90" };
  expect((await ask("POST", "/submit_move", move, ada.token)).body.error.code).toBe("not_found");
  expect((await ask("GET", `/get_state?game_id=${duel.match_id}`, undefined, ada.token)).status).toBe(404);
  const { body: state } = await call(server, "GET", `/matches/${duel.match_id}/state`);
  expect(state.meta).toMatchObject({ turn: 0, current_player: "P1" });
});

describe("refusals", () => {
  test.each([
    ["a stale turn", { turn: 9, command: "G1@P11+90" }, "stale_turn", 0],
    ["no command", { turn: 0, command: "turn left" }, "syntax", 1],
    ["a tile that is not there", { turn: 0, command: "G1@P99+90" }, "no_such_tile", 1],
  ])("%s is 200 with the code first (R4.5, R8.2)", async (name, move, code, turn) => {
    await start(name);
    const { status, body } = await ask("POST", "/submit_move", { agent_id: name, ...move });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, msg: expect.stringMatching(`^${code}: `), state: { meta: { turn } } });
  });
  test("the same move once more is no second move (PROTOCOL 2)", async () => {
    await start("twice");
    const move = { agent_id: "twice", turn: 0, command: "G1@P11+90" };
    await ask("POST", "/submit_move", move);
    expect((await ask("POST", "/submit_move", move)).body).toMatchObject({
      success: true,
      state: { meta: { turn: 1 } },
    });
  });
  test.each([
    ["a level that is not there", "/start_game", { agent_id: "x", level_id: "8" }, 422, "bad_options"],
    ["a level that is no number", "/start_game", { agent_id: "x", level_id: "one" }, 400, "bad_request"],
    ["nobody", "/start_game", { level_id: "1" }, 401, "unauthorized"],
    ["no command", "/submit_move", { agent_id: "x" }, 400, "bad_request"],
  ])("%s has the envelope of errors", async (_name, path, body, status, code) => {
    expect(await ask("POST", path, body)).toMatchObject({ status, body: { error: { code } } });
  });
});
