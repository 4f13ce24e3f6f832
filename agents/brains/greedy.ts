import { countMoves, decodeMove, listOutcomes, makeCommand } from "../../shared/engine/index.ts";
import { search } from "./beam.ts";
import { type Brain, type BrainKind, turnSeed } from "./brain.ts";
import { gamble } from "./gamble.ts";
import { searchPosition } from "./look.ts";
import { EVEN } from "./styles.ts";

/** Positions that one decision may look at: some 30 ms on the largest board. */
const BUDGET = 20_000;
/** Positions for each millisecond that is left of the turn. */
const PER_REMAINING_MS = 40;
const MAX_FOLLOWED = 24;

/** The best outcome of all legal moves, with an eye on the next player's best reply to the best of them. */
export const greedy: BrainKind = {
  name: "greedy",
  create(searchSeed, temper = EVEN): Brain {
    return {
      choose(view, seat, clock) {
        const seed = turnSeed(searchSeed, view, seat);
        const position = searchPosition(view, seat, seed);
        const gambled = gamble(position, seed, temper);
        if (gambled !== null) return gambled;
        const outcomes = listOutcomes(position).length;
        const budget = Math.min(BUDGET * temper.effort, clock.remainingMs * PER_REMAINING_MS);
        // A reply costs about as many positions as the move itself.
        const followed = Math.min(
          Math.max(1, MAX_FOLLOWED * temper.effort),
          Math.max(1, Math.floor(budget / outcomes) - 1),
        );
        const found = search(position, [[followed]], temper.weights, budget);
        const command = makeCommand(decodeMove(position, found.move));
        return {
          command,
          reasoning:
            `${countMoves(position)} legal moves, ${outcomes} different outcomes; ` +
            `${command} leaves me ${found.value.toFixed(1)} ahead after the best reply.`,
        };
      },
    };
  },
};
