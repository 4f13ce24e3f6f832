import { decodeMove, makeCommand } from "../../shared/engine/index.ts";
import { search } from "./beam.ts";
import { type Brain, type BrainKind, turnSeed } from "./brain.ts";
import { gamble } from "./gamble.ts";
import { searchPosition } from "./look.ts";
import { EVEN } from "./styles.ts";

/** Positions that one decision may look at: some 400 ms on the largest board. */
const BUDGET = 150_000;
/** Positions for each millisecond that is left of the turn, so that a short clock is kept. */
const PER_REMAINING_MS = 40;

/** Beams by their cost, the cheapest first. */
const BEAMS: readonly (readonly number[])[] = [
  [1],
  [4],
  [12],
  [8, 3],
  [12, 5],
  [10, 3, 2],
  [14, 5, 3],
  [12, 4, 3, 2],
  [16, 6, 4, 3],
  [12, 5, 4, 3, 2],
  [16, 6, 5, 4, 3],
];

/** Looks several turns ahead, deeper where the board is smaller or the clock allows it. */
export const expert: BrainKind = {
  name: "expert",
  create(searchSeed, temper = EVEN): Brain {
    return {
      choose(view, seat, { remainingMs }) {
        const seed = turnSeed(searchSeed, view, seat);
        const position = searchPosition(view, seat, seed);
        const gambled = gamble(position, seed, temper);
        if (gambled !== null) return gambled;
        const budget = Math.min(BUDGET * temper.effort, remainingMs * PER_REMAINING_MS);
        const found = search(position, BEAMS, temper.weights, budget, remainingMs);
        const command = makeCommand(decodeMove(position, found.move));
        return {
          command,
          reasoning: `Looked ${found.depth} turns ahead at ${found.looked} positions: ${command} leaves me ${found.value.toFixed(1)} ahead.`,
        };
      },
    };
  },
};
