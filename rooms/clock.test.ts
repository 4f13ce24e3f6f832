import { describe, expect, test } from "vitest";
import type { PlayerId } from "../shared/engine/index.ts";
import { ABANDONED_MS } from "./lifetime.ts";
import { again, type Bench, bench, seatAll, settled } from "./testing/kit.ts";

const LIMIT = 60_000;
const state = (b: Bench) => b.holder.match.engine;
const play = (b: Bench, seat: PlayerId = state(b).currentPlayer ?? "P1") =>
  b.holder.move(seat, { turn: state(b).turn, command: b.legal() });
const left = (b: Bench) => (b.holder.view(null).meta.deadline_ms ?? Number.NaN) - b.clock.wallMs();

async function started(format: "solo" | "1v1" | "ffa4" = "1v1", options = {}): Promise<Bench> {
  const b = await bench({ format, options });
  await seatAll(b);
  return b;
}

describe("the limit of a turn (R9.2)", () => {
  test("at the limit the mover is out, also when nobody is there", async () => {
    const b = await started();
    await b.clock.advance(LIMIT);
    expect(state(b).phase).toBe("playing");
    await b.clock.advance(10);
    expect(state(b)).toMatchObject({ phase: "over", result: "FORFEIT", statuses: { P1: "TIMEOUT", P2: "ACTIVE" } });
    expect(b.events.slice(-2).map((e) => e.type)).toEqual(["out", "over"]);
    expect(state(b).history).toEqual(["Turn 1 [P1]: [TIMEOUT]"]);
  });

  const instants: readonly [name: string, atMs: number, outcome: string][] = [
    ["50 ms before", LIMIT - 50, "ok"],
    ["at the limit itself", LIMIT, "ok"],
    ["a millisecond late", LIMIT + 1, "too_late"],
    ["50 ms late", LIMIT + 50, "too_late"],
  ];
  test.each(instants)("a command %s, with the timer not yet seen", async (_name, atMs, outcome) => {
    const b = await started("1v1", { turn_seconds: 60 });
    await b.clock.advance(LIMIT - 4_000);
    b.clock.skip(4_000 + atMs - LIMIT);
    const answer = await b.holder.move("P1", { turn: 0, command: b.legal() });
    expect(answer.ok ? "ok" : answer.code).toBe(outcome);
    await settled();
    expect(state(b).statuses.P1).toBe(outcome === "ok" ? "ACTIVE" : "TIMEOUT");
  });

  test("a command received in time counts, however late it is worked off", async () => {
    const b = await started();
    await b.clock.advance(LIMIT - 10);
    b.log.trouble = "hold";
    // P2 resigns nothing: this occupies the queue while the limit passes.
    const busy = b.holder.move("P1", { turn: 0, command: "no command at all" });
    const inTime = b.holder.move("P1", { turn: 0, command: b.legal() });
    await b.clock.advance(5_000);
    b.log.letGo();
    expect(await busy).toMatchObject({ code: "syntax" });
    expect(await inTime).toMatchObject({ ok: true });
    await settled();
    expect(state(b).statuses.P1).toBe("ACTIVE");
    expect(state(b).currentPlayer).toBe("P2");
    expect(left(b)).toBe(LIMIT);
  });

  test("a command of somebody else after the limit puts the mover out first", async () => {
    const b = await started("ffa4");
    await b.clock.advance(LIMIT - 2_000);
    b.clock.skip(2_001);
    const answer = await b.holder.move("P2", { turn: 0, command: b.legal() });
    expect(state(b).statuses.P1).toBe("TIMEOUT");
    // P2 is to move now; what was sent was chosen for the state before, and still stands on the same turn counter.
    expect(answer.ok || answer.code !== "not_your_turn").toBe(true);
  });

  test("refusals leave the clock running (R8.3)", async () => {
    const b = await started();
    await b.clock.advance(20_000);
    await b.holder.move("P1", { turn: 0, command: "x" });
    expect(left(b)).toBe(LIMIT - 20_000);
    expect(b.log.entries.get(b.holder.id)?.at(-1)).toMatchObject({ type: "refused", elapsed_ms: 20_000 });
  });

  test("every turn has a full limit, and the time it took is stored", async () => {
    const b = await started();
    await b.clock.advance(15_000);
    await play(b);
    expect(left(b)).toBe(LIMIT);
    expect(b.log.entries.get(b.holder.id)?.at(-1)).toMatchObject({ type: "turn", elapsed_ms: 15_000 });
  });

  test("one after the other: with all but one out the match is over", async () => {
    const b = await started("ffa4");
    await b.clock.advance(3 * LIMIT + 100);
    expect(state(b)).toMatchObject({
      result: "FORFEIT",
      statuses: { P1: "TIMEOUT", P2: "TIMEOUT", P3: "TIMEOUT", P4: "ACTIVE" },
    });
  });

  test("Solo: the clock ends it with TIMEOUT (R10.1)", async () => {
    const b = await started("solo");
    await b.clock.advance(LIMIT + 10);
    expect(state(b).result).toBe("TIMEOUT");
    expect(await b.holder.move("P1", { turn: 0, command: "x" })).toMatchObject({ code: "too_late" });
    expect(await b.holder.move("P1", { command: "x" })).toMatchObject({ code: "match_over" });
  });

  test("the other player's connections never touch the mover's clock", async () => {
    const b = await started();
    await b.clock.advance(10_000);
    for (let i = 0; i < 5; i++) b.holder.connect("P2")();
    b.holder.called("P2");
    expect(left(b)).toBe(LIMIT - 10_000);
  });
});

describe("signs of life (R9.4)", () => {
  test("at least every 5 s while a clock runs, none otherwise", async () => {
    const b = await started();
    await b.clock.advance(30_000);
    const gaps = b.log.signs.map((s, i) => s.elapsedMs - (b.log.signs[i - 1]?.elapsedMs ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5_000);
    await b.holder.abandon();
    const count = b.log.signs.length;
    await b.clock.advance(30_000);
    expect(b.log.signs).toHaveLength(count);
  });
  test("none while an entry is on its way: it would be taken for the next turn's", async () => {
    const b = await started();
    await b.clock.advance(3_000);
    b.log.trouble = "hold";
    const move = play(b);
    await settled();
    await b.clock.advance(20_000);
    expect(b.log.signs).toEqual([]);
    b.log.letGo();
    await move;
  });
});

describe("after a restart (R9.4)", () => {
  const rows: readonly [name: string, ranMs: number, sign: number | null, leftMs: number][] = [
    ["what was left at the last sign of life", 30_000, 28_000, 32_000],
    ["no sign in this turn: the whole limit", 3_000, null, 60_000],
    ["at least 10 s", 59_000, 56_000, 10_000],
  ];
  test.each(rows)("%s", async (_name, ranMs, sign, leftMs) => {
    const b = await started();
    await play(b);
    await b.clock.advance(ranMs);
    await b.holder.suspend();
    b.clock.skip(3_600_000);
    const c = await again(b, sign);
    expect(left(c)).toBe(leftMs);
    expect(state(c)).toMatchObject({ turn: 1, currentPlayer: "P2" });
    await c.clock.advance(leftMs + 10);
    expect(state(c).statuses.P2).toBe("TIMEOUT");
  });
  test("or the whole limit, if that is shorter than 10 s", async () => {
    const b = await started("1v1", { turn_seconds: 5 });
    await b.clock.advance(4_900);
    await b.holder.suspend();
    expect(left(await again(b, 4_900))).toBe(5_000);
  });
  test("a refusal says how far the clock was, when no sign came after it", async () => {
    const b = await started();
    await b.clock.advance(30_000);
    await b.holder.move("P1", { turn: 0, command: "x" });
    await b.holder.suspend();
    expect(left(await again(b, null))).toBe(30_000);
  });
  test("seat tokens, seats and repeated moves are as before", async () => {
    const b = await started();
    const token = b.holder.tokenFor("P1");
    const command = b.legal();
    await b.holder.move("P1", { turn: 0, command });
    await b.holder.suspend();
    const c = await again(b, 0);
    expect(c.holder.claim(token)).toMatchObject({ ok: true, seat: "P1" });
    expect(await c.holder.move("P1", { turn: 0, command })).toMatchObject({ ok: true, repeated: true });
  });
  test("a holder that was suspended takes nothing more and notes how far the clock was", async () => {
    const b = await started();
    await b.clock.advance(2_500);
    await b.holder.suspend();
    expect(b.log.signs.at(-1)?.elapsedMs).toBe(2_500);
    expect(await play(b)).toMatchObject({ code: "unavailable", retry_after_s: 1 });
    await b.clock.advance(10 * LIMIT);
    expect(state(b).phase).toBe("playing");
  });
});

describe("a process that stood still (R9.4)", () => {
  test("time in which it could take in no command is not charged", async () => {
    const b = await started();
    await b.clock.advance(50_000);
    await b.clock.stall(30_000);
    expect(state(b).statuses.P1).toBe("ACTIVE");
    expect(left(b)).toBeGreaterThan(5_000);
    await b.clock.advance(200);
    expect(b.presence.at(-1)?.deadline_ms).toBe(b.holder.view(null).meta.deadline_ms);
    await b.clock.advance(LIMIT);
    expect(state(b).statuses.P1).toBe("TIMEOUT");
  });
  test("whoever's command is read first after it is not late", async () => {
    const b = await started();
    await b.clock.advance(50_000);
    b.clock.skip(30_000);
    expect(await b.holder.move("P1", { turn: 0, command: b.legal() })).toMatchObject({ ok: true });
  });
});

describe("a log that fails while the clock runs", () => {
  test("a player whose move could not be stored keeps what was left, at least 10 s", async () => {
    const b = await started();
    await b.clock.advance(LIMIT - 1_000);
    b.log.trouble = "refuse";
    expect(await play(b)).toMatchObject({ code: "unavailable" });
    expect(left(b)).toBe(10_000);
    b.log.trouble = "none";
    await b.clock.advance(9_000);
    expect(await play(b)).toMatchObject({ ok: true });
  });
  test("a flag that could not be stored falls later", async () => {
    const b = await started();
    b.log.trouble = "refuse";
    await b.clock.advance(LIMIT + 100);
    expect(state(b).phase).toBe("playing");
    b.log.trouble = "none";
    await b.clock.advance(11_000);
    expect(state(b).statuses.P1).toBe("TIMEOUT");
  });
});

describe("without a clock (R9.5)", () => {
  test("7 days without a command end it as ABANDONED; a command starts them anew", async () => {
    const b = await started("solo", { turn_seconds: null });
    expect(b.holder.view(null).meta.deadline_ms).toBeNull();
    await b.clock.advance(ABANDONED_MS - 1_000);
    await play(b);
    await b.clock.advance(ABANDONED_MS - 1_000);
    expect(state(b).phase).toBe("playing");
    await b.clock.advance(2_000);
    expect(state(b)).toMatchObject({ phase: "over", result: "ABANDONED" });
    expect(b.events.at(-1)?.final).toMatchObject({ winner: [], places: {} });
  });
  test("the days go on counting over a restart", async () => {
    const b = await started("solo", { turn_seconds: null });
    await b.clock.advance(ABANDONED_MS / 2);
    await b.holder.suspend();
    const c = await again(b, null);
    await c.clock.advance(ABANDONED_MS / 2 + 1_000);
    expect(state(c).result).toBe("ABANDONED");
  });
});
