/** What the next player could make of a turn: the answer that helps them most against us. */

import {
  clonePosition,
  copyInto,
  decodeMove,
  listOutcomes,
  type Match,
  makeCommand,
  type PlayerId,
  playMove,
  positionOf,
} from "../../shared/engine/index.ts";
import { teamOf } from "../../shared/engine/levels.ts";

export interface BestAnswer {
  readonly player: PlayerId;
  readonly command: string;
  /** Points that it brings them. */
  readonly theirs: number;
  /** Points that it changes ours by. */
  readonly ours: number;
}

/**
 * The answer of the player now to move that is best for them and worst for `mover`, by points; null when there is
 * none, when it would be the mover's own side, or when the generator would have a say (Solo, R7). `searchSeed` as in
 * `positionOf`.
 */
export function bestAnswer(after: Match, mover: PlayerId, searchSeed: string): BestAnswer | null {
  const player = after.currentPlayer;
  if (player === null || player === mover || after.format === "solo") return null;
  if (after.format === "2v2" && teamOf(player) === teamOf(mover)) return null;
  const start = positionOf(after, searchSeed);
  const [us, them] = [after.players.indexOf(mover), after.players.indexOf(player)];
  const scratch = clonePosition(start);
  const gain = (p: number) => (scratch.scores[p] ?? 0) - (start.scores[p] ?? 0);
  let best: { move: number; ours: number; theirs: number } | null = null;
  for (const move of listOutcomes(start)) {
    copyInto(start, scratch);
    playMove(scratch, move);
    const [ours, theirs] = [gain(us), gain(them)];
    if (best === null || theirs - ours > best.theirs - best.ours) best = { move, ours, theirs };
  }
  return best && { player, command: makeCommand(decodeMove(start, best.move)), theirs: best.theirs, ours: best.ours };
}
