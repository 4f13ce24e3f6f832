/** The core of a state and its hash (PROTOCOL 3): what two implementations must agree on, and nothing else. */
import { board, gearOwners, inventories, type Match, mice, scores } from "../engine/index.ts";
import { canonicalize, sha256Hex } from "./hash.ts";

export function coreOf(match: Match) {
  return {
    turn: match.turn,
    current_player: match.currentPlayer,
    phase: match.phase,
    result: match.result,
    statuses: match.statuses,
    scores: scores(match),
    inventories: inventories(match),
    board: board(match).join(" "),
    gear_owners: gearOwners(match),
    mice: mice(match),
    refusals_this_turn: match.refusalsThisTurn,
    lost_turns: match.lostTurns,
    history_length: match.history.length,
  };
}

/** SHA-256 of the RFC 8785 form of the core, 64 lower-case hex digits. */
export function stateHash(match: Match): string {
  return sha256Hex(canonicalize(coreOf(match)));
}
