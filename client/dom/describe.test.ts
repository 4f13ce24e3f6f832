import { describe, expect, test } from "vitest";
import type { MatchEvent, MouseId, TileLabel } from "../../shared/engine/types.ts";
import { describeEvents } from "./describe.ts";

const jump = (mouse: string, points: number): MatchEvent =>
  ({
    type: "jumped",
    mouse: mouse as MouseId,
    from: { tile: "P11" as TileLabel, base: 0 },
    to: { tile: "P12" as TileLabel, base: 2 },
    points,
  }) as MatchEvent;
const over = { type: "over", result: "TIMEOUT" } as MatchEvent;

describe("what came of a turn in words", () => {
  test("a few mice are named", () => {
    expect(describeEvents([jump("M1_P1", 10), jump("M2_P2", -10)])).toBe(
      "M1_P1 jumps to P12, +10; M2_P2 jumps to P12, −10",
    );
  });

  test("many are counted, with the points of each player; whatever else happened is told", () => {
    const crowd = [jump("M1_P2", 10), jump("M2_P2", 5), jump("M1_P1", -10), jump("Orb_1", 0), jump("M3_P2", 5), over];
    expect(describeEvents(crowd)).toBe("5 jumps: P1 −10, P2 +20; the match is over: timeout");
    expect(describeEvents(crowd, 5).split("; ")).toHaveLength(6);
  });
});
