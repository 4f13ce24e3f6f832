/** Messages of a room (PROTOCOL 5): what is broadcast when an entry has been stored, and presence. */
import type { MatchEvent, MatchResult, PerPlayer, Phase, PlayerId } from "../engine/index.ts";
import type { NativeState, PlayerInfo } from "./state.ts";

export const EVENT_TYPES = ["seats", "start", "turn", "refused", "out", "abandoned", "closed", "over"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What becomes known at the end. */
export interface FinalNumbers {
  readonly result: MatchResult;
  readonly places: PerPlayer<number>;
  readonly winner: readonly PlayerId[];
  readonly benchmark_score: PerPlayer<number>;
  readonly team_efficiency?: { readonly A: number; readonly B: number };
  readonly seed: string;
}

/**
 * One stored entry, as everybody in the room may see it. It carries all that an animation needs (`events`, in order)
 * and all that turns the state before it into the state after it (see `advance`). The end of a match is told by a
 * message of type `over` with the same version as the entry that ended it.
 */
export interface EventMessage {
  readonly version: number;
  readonly type: EventType;
  readonly player?: PlayerId;
  /** The accepted command in canonical form. */
  readonly command?: string;
  readonly events: readonly MatchEvent[];
  readonly turn: number;
  readonly phase: Phase;
  readonly current_player: PlayerId | null;
  readonly scores: PerPlayer<number>;
  readonly deadline_ms: number | null;
  readonly server_time_ms: number;
  readonly refusals_this_turn: number;
  readonly lost_turns: PerPlayer<number>;
  /** Lines added to the history. */
  readonly history: readonly string[];
  readonly tokens_used?: PerPlayer<number>;
  readonly thinking_tokens?: PerPlayer<number>;
  /** Type `seats`: every seat as it now is. */
  readonly players?: PerPlayer<PlayerInfo>;
  /** Type `over`. */
  readonly final?: FinalNumbers;
}

/** Connections and spectators: without a version, the newest counts. */
export interface PresenceMessage {
  readonly connected: readonly PlayerId[];
  readonly spectators: number;
  /** The mover's deadline as it now is: it moves when the process had stood still (R9.4). */
  readonly deadline_ms: number | null;
  readonly server_time_ms: number;
  /** Seats that have asked for a rematch. */
  readonly rematch: readonly PlayerId[];
}

/** Sent to the one client that took a seat without a token (PROTOCOL 5), and to each seat by a rematch (PROTOCOL 2). */
export interface SeatMessage {
  readonly code: string;
  readonly match_id: string;
  readonly seat: PlayerId;
  readonly seat_token: string;
}

/** To spectators when a rematch opens. */
export interface RematchMessage {
  readonly code: string;
  readonly match_id: string;
}

/** Answer of `sync {version}`: nothing new, the events since, or everything. */
export type SyncAnswer =
  | { readonly kind: "current" }
  | { readonly kind: "events"; readonly events: readonly EventMessage[]; readonly presence: PresenceMessage }
  | { readonly kind: "state"; readonly state: NativeState; readonly seat: PlayerId | null };
