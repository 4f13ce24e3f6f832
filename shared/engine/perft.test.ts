import { describe, expect, test } from "vitest";
import { playing, SEED, spots } from "../../test/unit/engine/helpers.ts";
import { clonePosition, copyInto, countMoves, listMoves, playMove, positionOf } from "./index.ts";

/** Legal lines of one and of two turns from the start, by format and level. */
const LINES: Readonly<Record<string, readonly [number, number]>> = {
  "solo 1": [96, 5760],
  "solo 2": [128, 9216],
  "solo 3": [160, 12288],
  "solo 4": [192, 15360],
  "solo 5": [224, 18432],
  "solo 6": [256, 21504],
  "solo 7": [320, 27648],
  "1v1 1": [128, 16384],
  "1v1 2": [192, 36864],
  "1v1 3": [256, 65536],
  "1v1 4": [320, 102400],
  "2v2 1": [128, 16384],
  "2v2 2": [192, 36864],
  "2v2 3": [256, 65536],
  "2v2 4": [320, 102400],
  "ffa4 1": [128, 16384],
  "ffa4 2": [192, 36864],
  "ffa4 3": [256, 65536],
  "ffa4 4": [320, 102400],
};

describe("number of legal lines from the start", () => {
  test.each(spots())("$format level $level", ({ format, level }) => {
    const root = positionOf(playing({ format, level }), SEED);
    const next = clonePosition(root);
    let lines = 0;
    for (const move of listMoves(root)) {
      copyInto(root, next);
      playMove(next, move);
      lines += countMoves(next);
    }
    expect([countMoves(root), lines]).toEqual(LINES[`${format} ${level}`]);
  });
});
