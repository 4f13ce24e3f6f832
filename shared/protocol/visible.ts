/** From a state as any door sends it back to what the engine restores a match from. */
import type { VisibleMatch } from "../engine/index.ts";
import type { NativeState } from "./state.ts";

/** What `restoreMatch` takes, out of a native state; nothing is computed and nothing secret is in it. */
export function visibleIn(state: NativeState): VisibleMatch {
  const { meta, status, scoring, data } = state;
  const statuses: Record<string, string> = {};
  for (const [player, info] of Object.entries(status.players)) statuses[player] = info.status;
  return {
    format: meta.format,
    level_id: meta.level_id,
    options: { invalid: meta.options.invalid, orb: meta.options.orb, entropy: meta.options.entropy },
    turn: meta.turn,
    phase: meta.phase,
    result: status.result,
    current_player: meta.current_player,
    statuses: statuses as VisibleMatch["statuses"],
    scores: scoring.scores,
    inventories: data.inventories,
    board_encoding: data.board_encoding,
    gear_owners: data.gear_owners,
    mice: data.mice,
    refusals_this_turn: data.refusals_this_turn,
    lost_turns: data.lost_turns,
    history: data.history,
  };
}
