import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { play, playing, playRandom, randomCommand, SEED, seedFrom, spots } from "../../test/unit/engine/helpers.ts";
import {
  clonePosition,
  copyInto,
  countMoves,
  createRng,
  decodeMove,
  encodeMove,
  facingOf,
  legalMoves,
  listMoves,
  listOutcomes,
  makeCommand,
  mice,
  orientation,
  type Position,
  parseCommand,
  playMove,
  positionOf,
  randomMove,
  reseed,
  scores,
  visibleOf,
} from "./index.ts";

const OTHER_SEED = "00000000000000000000000000000007";

/** Everything of a position that R13 and the mice show, blocks named by what they hold. */
function stateOf(position: Position): string {
  const gears = position.geometry.labels.map((_, t) => {
    const b = position.gear[t] === 0 ? 0 : orientation(position, t);
    return [position.gear[t], b, position.owner[t], position.free[t]].join();
  });
  const riders = [...position.mouseStatus].map((s, m) => [s, position.mouseTile[m], position.mouseBase[m]].join());
  return [...gears, ...riders, ...position.scores, position.turn, position.current, position.result].join(" ");
}

function played(position: Position, move: number): string {
  const copy = clonePosition(position);
  playMove(copy, move);
  return stateOf(copy);
}

const small = spots().filter(({ level }) => level <= 2);

describe("listOutcomes (R4.6)", () => {
  test.each(small)("$format level $level: each outcome of all legal moves exactly once", (spot) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.nat(), (turns, random) => {
        const position = positionOf(playRandom(playing(spot), turns, random), SEED);
        const outcomes = listOutcomes(position).map((move) => played(position, move));
        const all = new Set(listMoves(position).map((move) => played(position, move)));
        expect(new Set(outcomes)).toEqual(all);
        expect(outcomes).toHaveLength(all.size);
      }),
      { numRuns: 4 },
    );
  });

  test("a full board of n gears has 6n+2", () => {
    const match = playRandom(playing({ format: "solo", level: 7 }), 92, 1);
    const position = positionOf(match, SEED);
    const n = position.gear.filter((type) => type !== 0).length;
    expect(listOutcomes(position)).toHaveLength(6 * n + 2);
    expect(countMoves(position)).toBe(8 * n * n + 2 * n);
  });
});

describe("moves as integers", () => {
  test.each(spots())("$format level $level: decode, write, parse, encode is identity", (spot) => {
    for (const turns of [0, 3, 200]) {
      let match = playing(spot);
      const rng = createRng(SEED);
      for (let i = 0; i < turns && match.turn < match.maxMoves - 1 && match.phase === "playing"; i++) {
        match = play(match, randomCommand(match, rng));
      }
      const position = positionOf(match, SEED);
      const moves = listMoves(position);
      expect(moves).toHaveLength(countMoves(position));
      for (let i = 0; i < moves.length; i += 1 + Math.floor(moves.length / 500)) {
        const parsed = parseCommand(makeCommand(decodeMove(position, moves[i]!)), match);
        expect(parsed.ok && encodeMove(position, parsed.value)).toBe(moves[i]);
      }
    }
  });

  test("randomMove reaches every legal move and no other", () => {
    for (const turns of [0, 4, 9]) {
      const position = positionOf(playRandom(playing({ format: "solo", level: 1 }), turns, 8), SEED);
      const rng = createRng(SEED);
      const found = new Set<number>();
      for (let i = 0; i < 12_000; i++) found.add(randomMove(position, rng));
      expect([...found].sort((a, b) => a - b)).toEqual(listMoves(position).sort((a, b) => a - b));
    }
  });

  test("there are none before the start and after the end", () => {
    const over = playRandom(playing({ format: "solo", level: 1 }), 100, 1);
    expect(over.phase).toBe("over");
    const position = positionOf(over, SEED);
    expect([countMoves(position), listMoves(position, [7]), listOutcomes(position, [7]), legalMoves(over)]).toEqual([
      0,
      [],
      [],
      [],
    ]);
  });
});

describe("positions", () => {
  test.each(spots())("$format level $level: search plays as step does while nothing is drawn", (spot) => {
    const rng = createRng(seedFrom(4));
    let match = playing({ ...spot, options: { orb: false, entropy: false } });
    const position = positionOf(match, OTHER_SEED);
    while (match.phase === "playing") {
      const command = randomCommand(match, rng);
      const parsed = parseCommand(command, match);
      if (!parsed.ok) throw new Error(parsed.code);
      playMove(position, encodeMove(position, parsed.value));
      match = play(match, command);
      expect(stateOf(position)).toBe(stateOf(positionOf(match, SEED)));
    }
    expect(position.over).toBe(true);
    expect([...position.scores]).toEqual(Object.values(scores(match)));
  });

  test("R11.4: a position draws from its own seed, so the match's generator never shows", () => {
    const setup = { format: "solo", level: 3 } as const;
    const ends = [SEED, seedFrom(2)].map((seed) => {
      const position = positionOf(playing({ ...setup, seed }), OTHER_SEED);
      const rng = createRng(SEED);
      while (!position.over) playMove(position, randomMove(position, rng));
      return stateOf(position);
    });
    expect(ends[0]).toBe(ends[1]);
    expect(() => positionOf(playing(setup), "0".repeat(32))).toThrow(RangeError);
  });

  test("R11.4: a match under another seed is the same until something is drawn", () => {
    const match = playRandom(playing({ format: "solo", level: 1 }), 4, 1);
    const other = reseed(match, OTHER_SEED);
    if (!other.ok) throw new Error(other.code);
    expect(visibleOf(other.value)).toEqual(visibleOf(match));
    expect([match.seed, other.value.seed]).toEqual([SEED, OTHER_SEED]);
    expect(reseed(match, "")).toMatchObject({ ok: false, code: "bad_seed" });
  });

  test("clones and copies share nothing, and the match stays as it was", () => {
    const match = playRandom(playing({ format: "ffa4", level: 2 }), 50, 1);
    const before = stateOf(positionOf(match, SEED));
    const position = positionOf(match, SEED);
    const clone = clonePosition(position);
    playMove(position, listMoves(position)[0]!);
    expect(stateOf(clone)).toBe(before);
    expect(stateOf(positionOf(match, SEED))).toBe(before);
    copyInto(clone, position);
    expect(stateOf(position)).toBe(before);
    const other = positionOf(playing({ format: "ffa4", level: 1 }), SEED);
    expect(() => copyInto(other, position)).toThrow(RangeError);
  });

  test("facingOf is the facing of the mouse (R3.5)", () => {
    const match = playRandom(playing({ format: "ffa4", level: 2 }), 60, 2);
    const position = positionOf(match, SEED);
    for (const [mouse, state] of Object.values(mice(match)).entries()) {
      if (state.status === "IN_PLAY") expect(facingOf(position, mouse)).toBe(state.facing);
    }
  });
});
