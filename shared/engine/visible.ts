import type { Match } from "./match.ts";
import { board, gearOwners, inventories, mice, scores, tiles } from "./readers.ts";
import type { TileLabel, VisibleMatch } from "./types.ts";

/** All of a match but its seed and generator; `restoreMatch` is the way back. */
export function visibleOf(match: Match): VisibleMatch {
  const labels = tiles(match);
  const encodings: Record<TileLabel, string> = {};
  for (const [i, text] of board(match).entries()) encodings[labels[i]!] = text;
  return {
    format: match.format,
    level_id: String(match.level),
    options: match.options,
    turn: match.turn,
    phase: match.phase,
    result: match.result,
    current_player: match.currentPlayer,
    statuses: match.statuses,
    scores: scores(match),
    inventories: inventories(match),
    board_encoding: encodings,
    gear_owners: gearOwners(match),
    mice: mice(match),
    refusals_this_turn: match.refusalsThisTurn,
    lost_turns: match.lostTurns,
    history: match.history,
  };
}
