import { describe, expect, test } from "vitest";
import { clockText, noteServerTime, serverNow, warningOf } from "./clock.ts";

describe("clock", () => {
  test.each([
    [600_000, "10:00"],
    [599_001, "10:00"],
    [59_999, "1:00"],
    [10_000, "0:10"],
    [9_940, "10.0"],
    [1_234, "1.3"],
    [-5, "0.0"],
    [3_723_000, "1:02:03"],
  ])("%i ms reads %s", (ms, text) => {
    expect(clockText(ms)).toBe(text);
  });

  test.each([
    [60_001, null],
    [60_000, 60],
    [30_001, 60],
    [30_000, 30],
    [10_001, 30],
    [10_000, 10],
    [-1, 10],
  ])("%i ms are warned of as %s seconds", (ms, warning) => {
    expect(warningOf(ms)).toBe(warning);
  });

  test("a late message does not set the clock back", () => {
    noteServerTime(5_000, 1_000);
    noteServerTime(5_500, 2_000);
    expect(serverNow(2_000)).toBe(6_000);
  });
});
