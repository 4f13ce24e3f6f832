import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { board, LEVELS, legalMoves, levelOf } from "../../shared/engine/index.ts";
import { step } from "../../shared/engine/step.ts";
import { FORMATS } from "../../shared/engine/types.ts";
import { checkMap, emptyMap, type GameMap, levelFrom, makeMap, matchOn, parseMap, toggled, withRows } from "./map.ts";

const solo = (rows: string): GameMap => withRows(emptyMap("solo", 3, 3), rows.split(" "));
const arena = (format: "1v1" | "2v2" | "ffa4", rows: string): GameMap => ({ ...solo(rows), format });

describe("what is wrong with a map is named", () => {
  const ROWS: readonly [name: string, map: GameMap, codes: readonly string[]][] = [
    ["nothing", solo("111 101 111"), []],
    ["a side too short", solo("11 11"), ["size"]],
    ["a side too long", solo(Array(11).fill("111").join(" ")), ["size"]],
    ["rows of two lengths", solo("111 1111 111"), ["ragged"]],
    ["another letter", solo("111 1x1 111"), ["letters"]],
    ["four players on an oblong (R3.3)", arena("ffa4", "1111 1111 1111"), ["square"]],
    ["a start edge without a free tile (R4.3)", solo("000 111 111"), ["start_edge"]],
    ["a far edge without a free tile (R6.3)", solo("111 111 000"), ["exit"]],
    ["both, of P2 as well", arena("1v1", "000 111 111"), ["start_edge", "exit"]],
    ["a lane that nobody enters (R6.1)", solo("101 111 111"), ["lane"]],
    ["an island (R4.6)", solo("1111 1100 1101 1111 1111".replace("1101 1111", "1001 0111")), ["split"]],
    ["a stock that does not fill the board (R12)", { ...solo("111 111 111"), stock: [1, 1, 1, 1] }, ["stock_sum"]],
    ["half a gear", { ...solo("111 111 111"), stock: [0.5, 8.5, 0, 0] }, ["stock"]],
    ["no move", { ...solo("111 111 111"), maxMoves: 0 }, ["max_moves", "ideal_moves"]],
    ["fewer moves than gears", { ...solo("111 111 111"), maxMoves: 9, idealMoves: 9 }, ["short"]],
    ["an ideal above the limit", { ...solo("111 111 111"), maxMoves: 20, idealMoves: 21 }, ["ideal_moves"]],
    ["tiles that cannot be shared (R12)", arena("1v1", "111 111 111"), ["uneven"]],
  ];
  test.each(ROWS)("%s", (_name, map, codes) => {
    expect(checkMap(map).map(({ code }) => code)).toEqual(codes);
  });

  test("a map with a fatal problem is not played, one with advice is", () => {
    expect(() => matchOn(solo("000 111 111"))).toThrow(RangeError);
    expect(matchOn(solo("101 111 111")).phase).toBe("playing");
  });
});

test("every level of R12 is a legal map, and the map makes the very same level", () => {
  for (const format of FORMATS) {
    for (const number of LEVELS[format]) {
      const level = levelOf(format, number);
      if (level === null) throw new Error("no level");
      const { G1, G2, G3, G4 } = level.stock;
      const map: GameMap = {
        format,
        rows: level.map,
        stock: [G1, G2, G3, G4],
        maxMoves: level.maxMoves,
        idealMoves: level.idealMoves ?? 1,
      };
      expect(checkMap(map), `${format} ${number}`).toEqual([]);
      expect(levelFrom(map)).toEqual(level);
    }
  }
});

const side = fc.integer({ min: 3, max: 10 });
const anyMap = fc
  .record({
    width: side,
    height: side,
    format: fc.constantFrom(...FORMATS),
    walls: fc.array(fc.nat(), { maxLength: 9 }),
  })
  .map(({ width, height, format, walls }) =>
    walls.reduce((map, n) => toggled(map, (n % width) + 1, (n % height) + 1), emptyMap(format, width, height)),
  );

test("what is written is read as the same map; other texts are none", () => {
  fc.assert(
    fc.property(anyMap, (map) => {
      const read = parseMap(makeMap(map));
      expect(read && makeMap(read)).toBe(makeMap(map));
      expect(read?.rows).toEqual(map.rows);
    }),
  );
  expect(parseMap("111 101 111")).toEqual(solo("111 101 111"));
  for (const text of ["", "solo", "solo_12.11", "solo_111.111.111_1.2.3", "duel_111.111.111", "1v1_111_1", "{}"]) {
    expect(parseMap(text), text).toBeNull();
  }
});

test("on a map without fatal problems there is a legal command as long as it is played (R4.6)", () => {
  fc.assert(
    fc.property(anyMap, fc.infiniteStream(fc.nat()), (map, draws) => {
      if (checkMap(map).some(({ fatal }) => fatal)) return;
      let match = matchOn(map);
      expect(board(match).filter((tile) => tile === "obstacle").length).toBe(
        map.rows.join("").replaceAll("1", "").length,
      );
      // The whole placement and some turns after it.
      for (let i = 0; i < board(match).length + 6 && match.currentPlayer !== null; i++) {
        const commands = legalMoves(match);
        expect(commands.length).toBeGreaterThan(0);
        const command = commands[(draws.next().value ?? 0) % commands.length] ?? "";
        const done = step(match, { type: "command", player: match.currentPlayer, command });
        expect(done.ok, command).toBe(true);
        match = done.match;
      }
    }),
    { numRuns: 25 },
  );
});
