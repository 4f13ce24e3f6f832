/** Any legal command instead of a good one, as often as the temper has it. */
import { below, createRng, decodeMove, makeCommand, type Position, randomMove } from "../../shared/engine/index.ts";
import type { Choice } from "./brain.ts";
import type { Temper } from "./styles.ts";

/** Null: not in this turn. `seed` is the turn's own. */
export function gamble(position: Position, seed: string, { gambles }: Temper): Choice | null {
  if (gambles === 0) return null;
  const rng = createRng(seed);
  if (below(rng, 100) >= gambles) return null;
  const command = makeCommand(decodeMove(position, randomMove(position, rng)));
  return { command, reasoning: `${command}, for a change.` };
}
