import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { type House, openHouse } from "../cli/testing/house.ts";
import { call, guest, type Json, until } from "../server/testing/kit.ts";
import { BRAINS } from "./brains/registry.ts";

let house: House;
let token: string;
beforeAll(async () => {
  house = await openHouse();
  ({ token } = await guest(house));
});
afterAll(() => house.close());

// A machine that is busy with other tests takes its time.
const WITHIN_MS = 60_000;
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const ai = (brain: string) => ({ kind: "ai", brain });
const stateOf = async (id: string): Promise<Json> => (await call(house, "GET", `/matches/${id}/state`)).body;

async function create(body: object): Promise<Json> {
  const created = await call(house, "POST", "/rooms", { token, body });
  expect(created.status).toBe(201);
  return created.body;
}

async function over(matchId: string): Promise<Json> {
  return until(
    "the end of the match",
    async () => {
      const state = await stateOf(matchId);
      return state.status.game_over ? state : null;
    },
    WITHIN_MS,
  );
}

/** All seats played by the rules: nobody forfeited, no time ran out, no turn was lost. */
function expectPlayedWell(state: Json): void {
  expect(["VICTORY", "TIMEOUT"]).toContain(state.status.result);
  for (const player of Object.values<Json>(state.status.players)) expect(player.status).toBe("ACTIVE");
  expect(state.data.history.filter((line: string) => line.includes("[ERROR]"))).toEqual([]);
}

describe("every brain of the house plays over the wire", () => {
  it.each(BRAINS.map(({ name }) => name))("%s, both seats", async (name) => {
    // The shortest clock keeps those that think long brief.
    const { match_id } = await create({ format: "1v1", level: 1, turn_seconds: 5, seats: [ai(name), ai(name)] });
    const end = await over(match_id);
    expectPlayedWell(end);
    expect(end.status.players.P2).toMatchObject({ kind: "ai", brain: name });
    expect(house.errors).toEqual([]);
  });
});

test("bots leave when the match is over", async () => {
  await until("all bots gone", () => house.bots.driven === 0);
});

test("a brain that is not there: no room", async () => {
  const answer = await call(house, "POST", "/rooms", {
    token,
    body: { format: "1v1", level: 1, seats: [{ kind: "any" }, ai("oracle")] },
  });
  expect(answer.body.error.code).toMatch(/^(no_bots|bad_options|bot_unavailable)$/);
  expect(house.bots.knows("oracle")).toBe(false);
  const assignment = { match_id: "m", code: "IXENT-AAAAAA", seat: "P1", seat_token: "t", pace_ms: 0 } as const;
  await expect(house.bots.drive({ ...assignment, brain: "oracle" })).rejects.toThrow("oracle");
});

test("connections cut again and again: each seat comes back as itself (PROTOCOL 5)", async () => {
  const { match_id } = await create({ format: "2v2", level: 1, seats: Array.from({ length: 4 }, () => ai("random")) });
  for (const turn of [5, 20]) {
    await until("some turns", async () => (await stateOf(match_id)).meta.turn >= turn, WITHIN_MS);
    expect(house.cut()).toBeGreaterThan(0);
  }
  const end = await over(match_id);
  expectPlayedWell(end);
  expect(Object.keys(end.status.players)).toEqual(["P1", "P2", "P3", "P4"]);
  expect(house.errors).toEqual([]);
});

test("a thread that dies: its bots are started again with the same seats (DESIGN 3)", async () => {
  const { match_id } = await create({ format: "2v2", level: 1, seats: Array.from({ length: 4 }, () => ai("random")) });
  await until("some turns", async () => (await stateOf(match_id)).meta.turn >= 5, WITHIN_MS);
  const [first] = house.bots.workers;
  await first?.terminate();
  const end = await over(match_id);
  expectPlayedWell(end);
  expect(house.infos.filter(({ message }) => message === "bot restarted").length).toBeGreaterThan(0);
});

test("a bot that keeps dying is started three times more and then left to its clock (DESIGN 3)", async () => {
  const { match_id } = await create({
    format: "1v1",
    level: 4,
    turn_seconds: 5,
    seats: [ai("random"), { kind: "human" }],
  });
  await until("the start", async () => (await stateOf(match_id)).meta.phase === "playing");
  const gaveUp = () => house.errors.some(({ error }) => String(error).includes("died 4 times"));
  await until(
    "the supervisor to give up",
    async () => {
      await Promise.all(house.bots.workers.map((worker) => worker.terminate()));
      return gaveUp();
    },
    WITHIN_MS,
  );
  // Bots of the match before may just be leaving.
  await until("no seat is driven", () => house.bots.driven === 0);
  const end = await over(match_id);
  expect(end.status.result).toBe("FORFEIT");
});

test("a match that is released is not played on", async () => {
  const seats = [ai("random"), ai("random")];
  const { match_id } = await create({ format: "1v1", level: 4, seats });
  await until("the first turns", async () => (await stateOf(match_id)).meta.turn >= 2, WITHIN_MS);
  house.bots.release(match_id);
  // Bots of the match before may just be leaving.
  await until("no seat is driven", () => house.bots.driven === 0);
  await until("both gone", async () => {
    const { players } = (await stateOf(match_id)).status;
    return !players.P1.connected && !players.P2.connected;
  });
  expect((await stateOf(match_id)).status.game_over).toBe(false);
});
