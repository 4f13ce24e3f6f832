import { describe, expect, test } from "vitest";
import { playing, playRandom, spots } from "../../test/unit/engine/helpers.ts";
import { board, LEVELS, levelOf, makeBoard, makeCell, parseBoard, parseCell, tiles } from "./index.ts";

const SIZE = { width: 10, height: 10 };

describe("board encoding (R13.1)", () => {
  test.each([
    ["P13R", { type: "free", tile: "P13", side: "R" }],
    ["P110L", { type: "free", tile: "P110", side: "L" }],
    ["obstacle", { type: "obstacle" }],
    ["G3P32L3B2001", { type: "gear", gear: "G3", tile: "P32", side: "L", b: 3, taken: 0b1000 }],
    ["G4P1010R0B1111", { type: "gear", gear: "G4", tile: "P1010", side: "R", b: 0, taken: 0b1111 }],
  ])("%s", (text, cell) => {
    expect(parseCell(text, SIZE)).toEqual({ ok: true, value: cell });
    expect(makeCell(cell as never)).toBe(text);
  });

  test.each([
    ["side of another tile", "P13L"],
    ["a base that the type has not", "G1P11R0B0022"],
    ["a base missing", "G4P11R0B0002"],
    ["b out of bounds", "G4P11R4B0000"],
    ["no such tile", "P011R"],
    ["small letters", "p13r"],
    ["empty", ""],
  ])("refused: %s", (_, text) => {
    expect(parseCell(text, SIZE)).toMatchObject({ ok: false, code: "bad_cell" });
  });

  test.each(spots())("a played board of $format level $level is read back", (spot) => {
    const match = playRandom(playing(spot), 25, 3);
    const cells = parseBoard(board(match), match);
    expect(cells.ok && makeBoard(cells.value)).toEqual(board(match));
    const swapped = [...board(match)];
    [swapped[0], swapped[1]] = [swapped[1]!, swapped[0]!];
    expect(parseBoard(swapped, match).ok).toBe(false);
    expect(parseBoard([...board(match), "obstacle"], match).ok).toBe(false);
    expect(parseBoard(board(match).slice(1), match).ok).toBe(false);
  });

  test("tiles run through y, then x", () => {
    expect(tiles(playing({ format: "solo", level: 1 }))).toEqual("P11 P21 P31 P12 P22 P32 P13 P23 P33".split(" "));
  });
});

describe("levels (R12)", () => {
  test("formats and levels", () => {
    expect(LEVELS).toEqual({
      solo: [1, 2, 3, 4, 5, 6, 7],
      "1v1": [1, 2, 3, 4],
      "2v2": [1, 2, 3, 4],
      ffa4: [1, 2, 3, 4],
    });
  });

  test.each(spots())("$format $level: the stocks fill every free tile", ({ format, level }) => {
    const { stock, players, freeTiles, map, width, height, dimensions } = levelOf(format, level)!;
    const each = Object.values(stock).reduce((sum, n) => sum + n, 0);
    expect(each * players.length).toBe(freeTiles);
    expect(map.map((row) => row.length)).toEqual(new Array(height).fill(width));
    expect(dimensions).toBe(`${width}x${height}`);
  });

  test.each([
    ["1v1", 2, { G1: 4, G2: 5, G3: 5, G4: 4 }, 108],
    ["ffa4", 2, { G1: 2, G2: 2, G3: 3, G4: 2 }, 216],
    ["2v2", 4, { G1: 6, G2: 6, G3: 6, G4: 6 }, 576],
    ["1v1", 4, { G1: 12, G2: 12, G3: 12, G4: 12 }, 288],
  ] as const)("%s %i: stock and max_moves", (format, level, stock, maxMoves) => {
    expect(levelOf(format, level)).toMatchObject({ stock, maxMoves, idealMoves: null });
  });

  test.each([
    ["solo", 0],
    ["solo", 8],
    ["1v1", 5],
    ["solo", 1.5],
    ["chess", 1],
  ])("there is no %s %d", (format, level) => {
    expect(levelOf(format as never, level)).toBeNull();
  });
});
