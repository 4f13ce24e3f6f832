/** The answer to a move as learning environments know it (PROTOCOL 6, Classic A2A and hosted SDK). */
import type { MatchEvent, PlayerId } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";

export interface GymMetrics {
  /** Points that the mover's mice gained by this move (R6.5). */
  readonly reward: number;
  /** The match is over by the rules of the game. */
  readonly terminated: boolean;
  /** The match is over because its moves or its clock ran out, or it was abandoned. */
  readonly truncated: boolean;
}

export function gymMetrics(state: NativeState, reward: number): GymMetrics {
  const { game_over, result } = state.status;
  const truncated = game_over && (result === "TIMEOUT" || result === "ABANDONED");
  return { reward, terminated: game_over && !truncated, truncated };
}

/** Points of `player` in what one move brought about. */
export function rewardOf(events: readonly MatchEvent[], player: PlayerId): number {
  let points = 0;
  for (const event of events) {
    const scored = event.type === "jumped" || event.type === "escaped";
    if (scored && event.mouse.endsWith(`_${player}`)) points += event.points;
  }
  return points;
}
