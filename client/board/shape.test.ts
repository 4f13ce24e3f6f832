import { describe, expect, test } from "vitest";
import { PITCH, ROOT, TEETH, TIP, toothAngle, toothHalfAngle } from "./shape.ts";

/** Whether the outline of a gear of this parity, turned clockwise by `turn`, covers the point at `angle`, `radius`. */
function covers(parity: "R" | "L", turn: number, angle: number, radius: number): boolean {
  if (radius <= ROOT) return true;
  for (let i = 0; i < TEETH; i++) {
    const off = Math.abs(
      Math.atan2(Math.sin(angle - turn - toothAngle(parity, i)), Math.cos(angle - turn - toothAngle(parity, i))),
    );
    if (off < toothHalfAngle(radius)) return true;
  }
  return false;
}

/** Points that an R gear at the origin and the L gear one tile to the east both cover. */
function clashes(turn: number): number {
  let count = 0;
  for (let radius = ROOT + 0.002; radius < TIP; radius += 0.004) {
    for (let angle = Math.PI / 2 - 0.6; angle < Math.PI / 2 + 0.6; angle += 0.004) {
      if (!covers("R", turn, angle, radius)) continue;
      const x = radius * Math.sin(angle) - 1;
      const y = -radius * Math.cos(angle);
      const far = Math.hypot(x, y);
      if (far < TIP && covers("L", -turn, Math.atan2(x, -y), far)) count++;
    }
  }
  return count;
}

describe("gears mesh", () => {
  test("a quarter turn maps a gear onto itself", () => {
    expect(TEETH % 4).toBe(0);
  });

  test("an R gear has a tooth in each direction, an L gear a gap", () => {
    for (const direction of [0, Math.PI / 2, Math.PI, -Math.PI / 2]) {
      expect(covers("R", 0, direction, PITCH)).toBe(true);
      expect(covers("L", 0, direction, PITCH)).toBe(false);
    }
  });

  test("tips clear the neighbour's roots", () => {
    expect(TIP + ROOT).toBeLessThan(1);
    expect(TIP + PITCH).toBeGreaterThan(1);
  });

  const turns = Array.from({ length: 17 }, (_, i) => ({ degrees: i * 5.625, turn: (i * Math.PI) / 32 }));
  test.each(turns)("no tooth runs into another at $degrees degrees of a turn", ({ turn }) => {
    expect(clashes(turn)).toBe(0);
  });
});
