/** What the engine's search finds for the player to move: every outcome, then the best answers to the best of them. */

import {
  clonePosition,
  copyInto,
  decodeMove,
  type EncodedMove,
  listOutcomes,
  type Match,
  makeCommand,
  type PlayerId,
  type Position,
  playMove,
  positionOf,
} from "../../shared/engine/index.ts";
import { teamOf } from "../../shared/engine/levels.ts";
import { LOCAL_SEED } from "../store/localMatch.ts";

export interface Hint {
  readonly command: string;
  /** Points that it brings the mover's side more than the best other side, the best answer taken off. */
  readonly value: number;
}

/** So many of the first turn's outcomes are looked at with their answers. */
const LOOKED_AT = 14;
/** A mouse home multiplies (R10.4); as points, roughly. */
const HOME = 15;

/** The best commands of the player to move, the best first; empty when the match is over. */
export function hints(match: Match, count = 3): readonly Hint[] {
  const mover = match.currentPlayer;
  if (mover === null) return [];
  const start = positionOf(match, LOCAL_SEED);
  const value = valueFor(match, mover);
  const before = value(start);
  const after = clonePosition(start);
  const rated = listOutcomes(start).map((move) => {
    copyInto(start, after);
    playMove(after, move);
    return { move, gain: value(after) - before };
  });
  rated.sort((a, b) => b.gain - a.gain || a.move - b.move);
  const scratch = clonePosition(start);
  const answered = rated.slice(0, Math.max(LOOKED_AT, count)).map(({ move, gain }) => {
    copyInto(start, after);
    playMove(after, move);
    return { move, gain, value: gain + answer(after, scratch, value) };
  });
  // Of two that come to the same, the one that has it at once.
  answered.sort((a, b) => b.value - a.value || b.gain - a.gain || a.move - b.move);
  return answered
    .slice(0, count)
    .map(({ move, value: v }) => ({ command: makeCommand(decodeMove(start, move)), value: v }));
}

/** What the next player's best turn changes for us: of others the worst for us, of our own side the best. */
function answer(from: Position, scratch: Position, value: Value): number {
  const moves: EncodedMove[] = listOutcomes(from);
  if (moves.length === 0) return 0;
  const before = value(from);
  const own = value.sideOf(from.current);
  let best = own ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  for (const move of moves) {
    copyInto(from, scratch);
    playMove(scratch, move);
    const change = value(scratch) - before;
    best = own ? Math.max(best, change) : Math.min(best, change);
  }
  return best;
}

interface Value {
  (position: Position): number;
  /** Whether the player with this index is of the mover's side. */
  sideOf(player: number): boolean;
}

function valueFor(match: Match, mover: PlayerId): Value {
  const { players } = match;
  const side = (p: PlayerId): string => (match.format === "2v2" ? teamOf(p) : p);
  const own = side(mover);
  const value = (position: Position): number => {
    const sums = new Map<string, number>();
    players.forEach((p, i) => {
      const worth = (position.scores[i] ?? 0) + HOME * (position.escaped[i] ?? 0);
      sums.set(side(p), (sums.get(side(p)) ?? 0) + worth);
    });
    let other = 0;
    for (const [name, sum] of sums) if (name !== own) other = Math.max(other, sum);
    return (sums.get(own) ?? 0) - other;
  };
  return Object.assign(value, { sideOf: (i: number) => side(players[i] ?? mover) === own });
}
