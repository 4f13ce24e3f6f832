import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { playing, playRandom, randomCommand, seedFrom, spots } from "../../test/unit/engine/helpers.ts";
import {
  type Action,
  board,
  createRng,
  GEAR_TYPES,
  inventories,
  legalFactors,
  legalMoves,
  type Match,
  makeCommand,
  makeTile,
  mice,
  type PlayerId,
  type Quarter,
  replay,
  step,
  visibleOf,
} from "./index.ts";

const command = (player: PlayerId, text: string, turn?: number): Action => ({
  type: "command",
  player,
  command: text,
  ...(turn === undefined ? {} : { turn }),
});

describe("properties", () => {
  const spot = fc.constantFrom(...spots());
  const turns = fc.integer({ min: 0, max: 120 });

  test("mice are conserved and a base never holds two (R3.6)", () => {
    fc.assert(
      fc.property(spot, turns, fc.nat(), (where, count, random) => {
        const match = playRandom(playing(where), count, random);
        const all = Object.values(mice(match));
        const inPlay = all.filter((mouse) => mouse.status === "IN_PLAY");
        expect(all.filter((mouse) => mouse.owner !== null)).toHaveLength(match.players.length * match.width);
        expect(new Set(inPlay.map((mouse) => `${mouse.pos} ${mouse.on_base}`)).size).toBe(inPlay.length);
        const bases = board(match).flatMap((text) => [...(/B([0-2]{4})$/.exec(text)?.[1] ?? "")]);
        expect(bases.filter((digit) => digit === "1")).toHaveLength(inPlay.length);
      }),
      { numRuns: 60 },
    );
  });

  test("what is listed is accepted, all else is refused without changing a byte of the board (R4.6)", () => {
    fc.assert(
      fc.property(spot, turns, fc.nat(), (where, count, random) => {
        const match = playRandom(playing({ ...where, options: { orb: false } }), count, random);
        if (match.phase !== "playing" || match.width > 6) return;
        const before = JSON.stringify(visibleOf(match));
        const legal = new Set(legalMoves(match));
        expect(legal.size).toBe(legalFactors(match).count);
        const rng = createRng(seedFrom(random));
        for (const text of [...sample([...legal], 20, random), ...anyCommands(match, random)]) {
          const answer = step(match, command(match.currentPlayer!, text));
          expect([text, answer.ok]).toEqual([text, legal.has(text)]);
          if (answer.ok) continue;
          expect(board(answer.match).join()).toBe(board(match).join());
          expect(inventories(answer.match)).toEqual(inventories(match));
        }
        expect(legal.has(randomCommand(match, rng))).toBe(true);
        expect(JSON.stringify(visibleOf(match))).toBe(before);
      }),
      { numRuns: 60 },
    );
  });

  test("the same seed and commands make the same states, another way round too (R11.1)", () => {
    fc.assert(
      fc.property(spot, fc.nat(), (where, random) => {
        const actions: Action[] = [{ type: "start" }];
        const rng = createRng(seedFrom(random));
        let match = playing({ ...where, seed: seedFrom(random + 1) });
        for (let i = 0; i < 40 && match.phase === "playing"; i++) {
          const text = i % 7 === 6 ? "nonsense" : randomCommand(match, rng);
          actions.push(command(match.currentPlayer!, text, match.turn));
          match = step(match, actions.at(-1)!).match;
        }
        const again = replay({ ...where, seed: seedFrom(random + 1) }, actions);
        expect(again.ok && visibleOf(again.value)).toEqual(visibleOf(match));
      }),
      { numRuns: 20 },
    );
  });
});

function sample<T>(items: readonly T[], count: number, random: number): T[] {
  return Array.from({ length: count }, (_, i) => items[(random + i * 7919) % items.length]!);
}

/** Well-formed commands of both stages on tiles on and just off the board. */
function anyCommands(match: Match, random: number): string[] {
  const arbitrary = fc.tuple(
    fc.boolean(),
    fc.integer({ min: 1, max: match.width + 1 }),
    fc.integer({ min: 1, max: match.height }),
    fc.integer({ min: 1, max: match.width }),
    fc.constantFrom(...GEAR_TYPES),
    fc.constantFrom<Quarter>(0, 1, 2, 3),
    fc.constantFrom(90 as const, -90 as const),
  );
  return fc.sample(arbitrary, { seed: random, numRuns: 40 }).map(([placing, x, y, x2, gear, b, turn]) => {
    const tile = makeTile(x, y);
    if (placing) return makeCommand({ type: "place", gear, tile, b, turn });
    return makeCommand({ type: "rotate", tile, turn, premove: gear === "G1" ? null : { tile: makeTile(x2, y), b } });
  });
}
