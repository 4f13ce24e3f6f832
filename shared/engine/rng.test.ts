import { describe, expect, test } from "vitest";
import { below, createRng, isSeed, nextUint32, shuffle } from "./index.ts";

const SEED = "5f3bedef890f10583eb6bfc54e50c924";

describe("generator (R11.3)", () => {
  test("first numbers", () => {
    const rng = createRng(SEED);
    const numbers = [0, 1, 2, 3].map(() => nextUint32(rng).toString(16).padStart(8, "0"));
    expect(numbers).toEqual(["d2efbf06", "72d7076d", "2493d8d6", "cc4dde9d"]);
  });

  test("four times below(3221225472), which draws again where it must", () => {
    const rng = createRng(SEED);
    const numbers = [0, 1, 2, 3].map(() => below(rng, 3221225472));
    expect(numbers).toEqual([1926694765, 613669078, 1563442530, 879071019]);
  });

  test("shuffle of 0..7, then below(4)", () => {
    const rng = createRng(SEED);
    const items = [0, 1, 2, 3, 4, 5, 6, 7];
    shuffle(rng, items);
    expect(items).toEqual([3, 1, 5, 7, 0, 4, 2, 6]);
    expect([0, 1, 2, 3].map(() => below(rng, 4))).toEqual([1, 2, 2, 0]);
  });

  test("below(1) draws too", () => {
    const [a, b] = [createRng(SEED), createRng(SEED)];
    expect(below(a, 1)).toBe(0);
    nextUint32(b);
    expect(nextUint32(a)).toBe(nextUint32(b));
  });

  test.each([
    ["the check's seed", SEED, true],
    ["one bit", `${"0".repeat(31)}1`, true],
    ["all zero", "0".repeat(32), false],
    ["upper case", SEED.toUpperCase(), false],
    ["31 digits", SEED.slice(1), false],
    ["33 digits", `${SEED}0`, false],
    ["a newline behind", `${SEED}\n`, false],
    ["empty", "", false],
  ])("seed: %s (R11.2)", (_, seed, valid) => {
    expect(isSeed(seed)).toBe(valid);
    if (!valid) expect(() => createRng(seed)).toThrow(RangeError);
  });
});
