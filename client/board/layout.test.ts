import { describe, expect, test } from "vitest";
import { angleOf, FRAME, layoutOf, placeOf, polar, STRIP, stepOf } from "./layout.ts";

describe("layout", () => {
  const layout = layoutOf(4, 4, ["P1", "P2"]);
  test.each([
    { name: "P11 is bottom left (R1.1)", x: 1, y: 1, at: { x: FRAME + 0.5, y: FRAME + STRIP + 3.5 } },
    { name: "P44 is top right", x: 4, y: 4, at: { x: FRAME + 3.5, y: FRAME + STRIP + 0.5 } },
    {
      name: "P1's mouse waits below its lane (R3.4)",
      x: 2,
      y: 0,
      at: { x: FRAME + 1.5, y: 4 + 2 * FRAME + 1.5 * STRIP },
    },
    { name: "P2's mouse waits above", x: 2, y: 5, at: { x: FRAME + 1.5, y: STRIP / 2 } },
  ])("$name", ({ x, y, at }) => {
    const place = placeOf(layout, x, y);
    expect(place.x).toBeCloseTo(at.x);
    expect(place.y).toBeCloseTo(at.y);
  });

  test("side lanes only where somebody starts there (R3.2)", () => {
    expect(layoutOf(6, 6, ["P1", "P2"]).left).toBe(FRAME);
    expect(layoutOf(6, 6, ["P1", "P2", "P3", "P4"]).left).toBe(FRAME + STRIP);
  });

  test.each([0, 1, 2, 3] as const)("direction %i of R1.3 and its screen angle agree", (direction) => {
    const there = polar({ x: 0, y: 0 }, 1, angleOf(direction));
    expect(there.x).toBeCloseTo(stepOf(direction).x);
    expect(there.y).toBeCloseTo(stepOf(direction).y);
  });
});
