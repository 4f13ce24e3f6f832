/** House seats given to language models: a model of a local server, and one that fails, play over the wire. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type House, openHouse } from "../cli/testing/house.ts";
import { call, guest, type Json, until } from "../server/testing/kit.ts";
import { legalMoves, restoreMatch } from "../shared/engine/index.ts";
import { STYLES } from "../shared/prompts/styles.ts";
import { visibleIn } from "../shared/protocol/visible.ts";
import { type Asked, type ModelServer, type Said, startModelServer } from "./llm/testing/modelServer.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const KEY = "sk-house-secret-42";
const SEED = "5f3bedef890f10583eb6bfc54e50c924";

let house: House;
let models: ModelServer;
let token: string;
/** What the models of that name say. */
let say: (asked: Asked) => Said | Promise<Said>;

beforeAll(async () => {
  models = await startModelServer((asked) => say(asked));
  process.env.GEARMICE_TEST_KEY = KEY;
  const served = { base_url: models.at("openai"), provider: "openai-compatible", key_env: "GEARMICE_TEST_KEY" };
  house = await openHouse({
    MODEL_SEATS: "2",
    MODELS: JSON.stringify({
      small: { ...served, model: "small-1" },
      other: {
        provider: "anthropic",
        base_url: models.at("anthropic"),
        model: "other-1",
        key_env: "GEARMICE_TEST_KEY",
      },
      keyless: { ...served, model: "x", key_env: "GEARMICE_NO_SUCH_KEY" },
    }),
  });
  ({ token } = await guest(house));
});
afterAll(async () => {
  delete process.env.GEARMICE_TEST_KEY;
  await house?.close();
  await models?.close();
});

const ai = (brain: string, style?: string) => ({ kind: "ai", brain, ...(style === undefined ? {} : { style }) });
const create = (body: object) => call(house, "POST", "/rooms", { token, body });
const stateOf = async (id: string): Promise<Json> => (await call(house, "GET", `/matches/${id}/state`)).body;
const over = (id: string): Promise<Json> =>
  until(
    "the end of the match",
    async () => {
      const state = await stateOf(id);
      return state.status.game_over ? state : null;
    },
    60_000,
  );

/** The first legal command of the state that the model was told. */
function firstLegal({ user }: Asked): string {
  const told = JSON.parse(user.slice(user.indexOf("{"))) as Json;
  const statuses = Object.fromEntries(
    Object.entries<Json>(told.status.players).map(([p, { status }]) => [p, { status }]),
  );
  const match = restoreMatch(
    visibleIn({
      ...told,
      meta: { ...told.meta, options: { ...told.meta.options, orb: true, entropy: true } },
      status: { ...told.status, players: statuses, result: null },
    }),
    SEED,
  );
  if (!match.ok) throw new Error(match.message);
  return legalMoves(match.value)[0] ?? "";
}

test("two models play a duel to its end, each in its manner; their tokens count and their key is nowhere", async () => {
  models.asked.length = 0;
  say = (asked) => ({
    text: `Well: \`\`\`json\n${JSON.stringify({ command: firstLegal(asked), reasoning: "the first" })}\n\`\`\``,
    input: 10,
    output: 5,
  });
  const seats = [ai("model:small", "sabotage"), ai("model:other", "Be kind to mice.")];
  const { status, body } = await create({ format: "1v1", level: 1, seats });
  expect(status).toBe(201);
  const end = await over(body.match_id);
  expect(["VICTORY", "TIMEOUT"]).toContain(end.status.result);
  expect(end.data.history.filter((line: string) => line.includes("[ERROR]"))).toEqual([]);
  expect(end.status.players.P1).toMatchObject({
    kind: "ai",
    brain: "model:small",
    model: "small-1",
    name: "small (model)",
  });
  expect(end.scoring.tokens_used.P1).toBe(15 * end.data.history.filter((l: string) => l.includes("[P1]")).length);
  const of = (wire: string) => models.asked.filter((asked) => asked.wire === wire);
  expect(of("openai")[0]?.system).toContain(STYLES.find(({ name }) => name === "sabotage")?.text);
  expect(of("openai")[0]?.system).toContain("You are P1 from the first turn");
  expect(of("anthropic")[0]?.system.endsWith("\n\nBe kind to mice.")).toBe(true);
  expect(of("openai")[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  const record = await call<string>(house, "GET", `/matches/${body.match_id}/record`);
  const everything = JSON.stringify([record.body, house.errors, house.infos, end]);
  expect(everything).toContain("Be kind to mice."); // what is declared of a seat is on record
  expect(everything).not.toContain(KEY);
  expect(house.errors).toEqual([]);
});

test("a model that is not to be had: empty commands, no bot's move, and the turns are lost by the rules (R8.3)", async () => {
  say = () => ({ status: 401, errorBody: JSON.stringify({ error: { message: `wrong key ${KEY}`, type: "x" } }) });
  const { body } = await create({
    format: "solo",
    level: 1,
    invalid: "lose_turn",
    seats: [ai("model:small")],
  });
  const turns = await until("some lost turns", async () => {
    const lines = (await stateOf(body.match_id)).data.history.filter((line: string) => line.includes("[P1]"));
    return lines.length >= 3 ? lines : null;
  });
  house.bots.release(body.match_id);
  expect(new Set(turns.map((line: string) => line.replace(/^Turn \d+ /, "")))).toEqual(new Set(["[P1]: [ERROR] "]));
  expect(house.errors.length).toBeGreaterThan(0);
  expect(JSON.stringify(house.errors.map(({ error }) => String(error)))).toContain("401");
  expect(JSON.stringify([house.errors.map(({ error }) => String(error)), house.infos])).not.toContain(KEY);
  house.errors.length = 0;
});

test.each([
  [
    "a resignation of another",
    async (id: string, tokens: readonly string[]) => {
      await call(house, "POST", `/matches/${id}/resign`, { token: tokens[2] ?? "", body: {} });
    },
  ],
  [
    "a lost connection",
    async (id: string) => {
      const isThere = async () => (await stateOf(id)).status.players.P1.connected;
      expect(house.cut()).toBeGreaterThan(0);
      await until("its connection has gone", async () => !(await isThere()), 60_000);
      await until("it has come again", isThere, 60_000);
    },
  ],
])("%s while a model thinks does not cost it its answer", async (_name, disturb) => {
  let answer = () => {};
  const thinking = new Promise<void>((resolve) => {
    say = async (asked) => {
      resolve();
      await new Promise<void>((done) => {
        answer = done;
      });
      return { text: JSON.stringify({ command: firstLegal(asked) }) };
    };
  });
  const before = models.asked.length;
  const any = { kind: "any" };
  const { body } = await create({ format: "ffa4", level: 1, seats: [ai("model:small"), any, any, any] });
  const tokens = [body.seat_token];
  for (const name of ["b", "c"]) {
    const { token } = await guest(house, name);
    tokens.push((await call(house, "POST", `/rooms/${body.code}/join`, { token, body: {} })).body.seat_token);
  }
  await thinking;
  await disturb(body.match_id, tokens);
  answer();
  await until("the model's move", async () => (await stateOf(body.match_id)).meta.turn === 1, 60_000);
  expect(models.asked).toHaveLength(before + 1);
  house.bots.release(body.match_id);
});

test("what is not wanted any more is not waited for: the model's call ends with the match", async () => {
  let hasGone = false;
  say = (asked) => {
    void asked.gone.then(() => {
      hasGone = true;
    });
    return { end: "hang" };
  };
  const before = models.asked.length;
  const { body } = await create({ format: "1v1", level: 1, seats: [ai("model:small"), { kind: "any" }] });
  await until("it is asked", () => models.asked.length > before);
  await call(house, "POST", `/matches/${body.match_id}/resign`, { token: body.seat_token, body: {} });
  await until("its call has ended", () => hasGone);
});

test("no more seats than are allowed (MODEL_SEATS)", async () => {
  await until("the bots of the matches before gone", () => house.bots.driven === 0);
  say = () => ({ end: "hang" });
  const { status, body } = await create({ format: "1v1", level: 1, seats: [ai("model:small"), ai("model:other")] });
  expect(status).toBe(201);
  const more = await create({ format: "1v1", level: 1, seats: [{ kind: "any" }, ai("model:small")] });
  expect(more.body.error?.code).toBe("bot_unavailable");
  expect((await create({ format: "1v1", level: 1, seats: [{ kind: "any" }, ai("greedy")] })).status).toBe(201);
  house.bots.release(body.match_id);
  expect((await create({ format: "1v1", level: 1, seats: [{ kind: "any" }, ai("model:small")] })).status).toBe(201);
});

test("what is offered, and what is refused", async () => {
  const { body } = await call(house, "GET", "/brains");
  expect(body.brains).toEqual([
    ...["random", "greedy", "expert"].map((name) => ({ name, model: null })),
    { name: "model:small", model: "small-1" },
    { name: "model:other", model: "other-1" },
    { name: "model:keyless", model: "x" },
  ]);
  expect(body.styles).toEqual(STYLES);
  expect(JSON.stringify(body)).not.toContain("GEARMICE_");
  const rows = [
    [ai("model:nobody"), "no_bots"],
    [ai("model:"), "no_bots"],
    [ai("model:constructor"), "no_bots"],
    [ai("model:keyless"), "bot_unavailable"],
    [ai("greedy", "Be kind to mice."), "bad_options"],
  ] as const;
  for (const [seat, code] of rows) {
    const answer = await create({ format: "1v1", level: 1, seats: [{ kind: "any" }, seat] });
    expect([seat.brain, answer.body.error?.code]).toEqual([seat.brain, code]);
  }
  const styled = await create({ format: "1v1", level: 1, seats: [ai("greedy", "Lazy"), ai("expert", "genius")] });
  expect(styled.status).toBe(201);
  house.bots.release(styled.body.match_id);
});
