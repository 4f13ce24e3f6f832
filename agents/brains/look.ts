import { type PlayerId, type Position, positionOf, restoreMatch } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { visibleIn } from "../../shared/protocol/visible.ts";

/**
 * The position that a seat sees, to search from; chance in it draws from `seed`, never from the match's own
 * generator, which no view contains (R11.4). Throws when the view is none of a running match or `seat` is not to move.
 */
export function searchPosition(view: NativeState, seat: PlayerId, seed: string): Position {
  if (view.meta.current_player !== seat) throw new Error(`${seat} is not to move`);
  const restored = restoreMatch(visibleIn(view), seed);
  if (!restored.ok) throw new Error(restored.message);
  return positionOf(restored.value, seed);
}
