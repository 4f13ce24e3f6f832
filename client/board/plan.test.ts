import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatch, legalMoves, type MatchEvent, step } from "../../shared/engine/index.ts";
import { MAX_TURN_MS, planTurn, progress } from "./plan.ts";

const jump = (mouse: string): MatchEvent => ({
  type: "jumped",
  mouse,
  from: { tile: "P11", base: 0 },
  to: { tile: "P12", base: 2 },
  points: 10,
});
const turned: MatchEvent = { type: "turned", tile: "P11", turn: 90, gears: [{ tile: "P11", from: 0, to: 1 }] };
const placed: MatchEvent = { type: "placed", player: "P1", gear: "G1", tile: "P11", b: 0 };

describe("planning a turn", () => {
  test("jumps wait for the turning of the block (R5)", () => {
    const { clips } = planTurn([placed, turned, jump("M1_P1")]);
    const [first, second, third] = clips;
    expect(second?.at).toBeGreaterThanOrEqual((first?.at ?? 0) + (first?.ms ?? 0));
    expect(third?.at).toBeGreaterThanOrEqual((second?.at ?? 0) + (second?.ms ?? 0));
  });

  test("jumps run side by side", () => {
    const { clips } = planTurn([jump("M1_P1"), jump("M2_P1")]);
    expect((clips[1]?.at ?? 0) < (clips[0]?.ms ?? 0)).toBe(true);
  });

  test("nothing to see takes no time", () => {
    expect(planTurn([{ type: "over", result: "VICTORY" }]).totalMs).toBe(0);
    expect(planTurn([]).clips).toEqual([]);
  });

  test("a faster plan is the same plan in less time", () => {
    const slow = planTurn([placed, turned]);
    expect(planTurn([placed, turned], 2).totalMs).toBeCloseTo(slow.totalMs / 2);
  });

  test("forty jumps, entropy and an Orb stay under a second", () => {
    const entropy: MatchEvent = { type: "entropy", moves: [] };
    const orb: MatchEvent = { type: "orb", mouse: "Orb_1", tile: "P11", base: 0, facing: 0 };
    const all = [placed, turned, entropy, ...Array.from({ length: 40 }, (_, i) => jump(`M${i}_P1`)), orb];
    expect(planTurn(all).totalMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });

  test("every turn of played matches: all events, in order, in time", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (choices) => {
        const made = createMatch({ format: "ffa4", level: 1, seed: "5f3bedef890f10583eb6bfc54e50c924" });
        if (!made.ok) throw new Error(made.message);
        let match = step(made.value, { type: "start" }).match;
        for (const choice of choices) {
          const legal = legalMoves(match);
          const player = match.currentPlayer;
          if (player === null || legal.length === 0) return;
          const command = legal[choice % legal.length] ?? "";
          const done = step(match, { type: "command", player, command });
          if (!done.ok) throw new Error(done.message);
          const plan = planTurn(done.events);
          expect(plan.clips.map((c) => c.event)).toEqual(done.events);
          expect(plan.totalMs).toBeLessThanOrEqual(MAX_TURN_MS);
          for (const clip of plan.clips) expect(progress(clip, plan.totalMs)).toBe(1);
          match = done.match;
        }
      }),
      { numRuns: 20 },
    );
  });
});
