/** A look ahead that keeps, at every turn, only the moves that look best to the player to move. */
import {
  clonePosition,
  copyInto,
  type EncodedMove,
  listOutcomes,
  PHASES,
  type Position,
  playMove,
  shuffle,
} from "../../shared/engine/index.ts";
import { evaluate, type Weights } from "./evaluate.ts";

const OVER = PHASES.indexOf("over");

export interface Found {
  readonly move: EncodedMove;
  /** For the player to move, in the evaluation's units. */
  readonly value: number;
  /** Positions that were looked at. */
  readonly looked: number;
}

/** Scratch space of one ply, kept between searches: a search allocates next to nothing. */
interface Ply {
  readonly child: Position;
  readonly moves: EncodedMove[];
  readonly best: EncodedMove[];
  readonly bestValues: number[];
}

/**
 * The best move by the costliest of the given beams, cheapest first, that `budget` positions pay for, and by the
 * first of them in any case. Decided by counts, so the same position gives the same move; by time only on a machine
 * so slow that half of `remainingMs` has gone.
 */
export function search(
  root: Position,
  beams: readonly (readonly number[])[],
  weights: Weights,
  budget: number,
  remainingMs = Number.POSITIVE_INFINITY,
): Found & { readonly depth: number } {
  const untilMs = performance.now() + remainingMs / 2;
  let found: (Found & { depth: number }) | null = null;
  let left = budget;
  let each = listOutcomes(root).length;
  for (const widths of beams) {
    if (found !== null && expansions(widths) * each > left) break;
    const deeper: Found | null =
      found === null ? beam(root, widths, weights) : beam(root, widths, weights, left, untilMs);
    if (deeper === null) break;
    found = { ...deeper, depth: widths.length + 1 };
    left -= deeper.looked;
    each = deeper.looked / expansions(widths);
  }
  if (found === null) throw new RangeError("search: no beam");
  return found;
}

/** How many turns a beam looks at all outcomes of, the first one included. */
function expansions(widths: readonly number[]): number {
  let total = 1;
  let layer = 1;
  for (const width of widths) {
    layer *= width;
    total += layer;
  }
  return total;
}

/**
 * The best move in `root` by a beam of the given widths: `widths[0]` moves of the player to move are followed,
 * to each of them `widths[1]` replies of the next one, and so on; after the last width only the best reply counts.
 * Every player is taken to play for their own side. At every turn all outcomes are looked at (R4.6). The same
 * position, generator included, gives the same move. Null when it would look at more than `limit` positions
 * or beyond `untilMs` of `performance.now()`.
 */
function beam(
  root: Position,
  widths: readonly number[],
  weights: Weights,
  limit = Number.POSITIVE_INFINITY,
  untilMs = Number.POSITIVE_INFINITY,
): Found | null {
  const plies: Ply[] = Array.from({ length: widths.length + 1 }, () => ({
    child: clonePosition(root),
    moves: [],
    best: [],
    bestValues: [],
  }));
  const statics = new Float64Array(4);
  let looked = 0;

  /** Fills the ply's best moves, best first, by the evaluation after each; leaves `values` for the best of them. */
  const expand = (position: Position, ply: Ply, width: number, values: Float64Array | null) => {
    const { child, moves, best, bestValues } = ply;
    const player = position.current;
    listOutcomes(position, moves);
    // What is equally good is chosen by chance, so that a bot does not play the same match again and again.
    if (position === root) shuffle(root.rng.slice(), moves);
    looked += moves.length;
    if (performance.now() > untilMs) limit = -1;
    best.length = 0;
    bestValues.length = 0;
    if (looked > limit) return;
    for (const move of moves) {
      copyInto(position, child);
      playMove(child, move);
      evaluate(child, weights, statics);
      const value = statics[player]!;
      if (best.length === width && value <= bestValues[width - 1]!) continue;
      let at = best.length < width ? best.length : width - 1;
      for (; at > 0 && bestValues[at - 1]! < value; at--) {
        best[at] = best[at - 1]!;
        bestValues[at] = bestValues[at - 1]!;
      }
      best[at] = move;
      bestValues[at] = value;
      if (at === 0 && values !== null) values.set(statics);
    }
  };

  /** The best move, and the values of `position` for each player when everyone goes on as the widths say. */
  const follow = (position: Position, depth: number, values: Float64Array): EncodedMove => {
    const ply = plies[depth]!;
    const width = widths[depth];
    if (width === undefined) {
      expand(position, ply, 1, values);
      return ply.best[0]!;
    }
    expand(position, ply, width, null);
    const player = position.current;
    const below = new Float64Array(4);
    let chosen = ply.best[0]!;
    let top = Number.NEGATIVE_INFINITY;
    for (const move of ply.best) {
      copyInto(position, ply.child);
      playMove(ply.child, move);
      if (ply.child.phase === OVER) evaluate(ply.child, weights, below);
      else follow(ply.child, depth + 1, below);
      if (looked > limit) break;
      if (below[player]! <= top) continue;
      top = below[player]!;
      chosen = move;
      values.set(below);
    }
    return chosen;
  };

  const values = new Float64Array(4);
  const player = root.current;
  const move = follow(root, 0, values);
  return looked > limit ? null : { move, value: values[player]!, looked };
}
