/**
 * The log of one match: what is stored, in order, and is the truth of which rooms, views and records
 * are derived (DESIGN 2). Every entry counts one `version`.
 */
import type { Format, InvalidPolicy, PlayerId, RefusalCode } from "../engine/index.ts";
import type { IdentityId, MatchId, RoomCode } from "./ids.ts";

export const KINDS = ["casual", "lab", "benchmark"] as const;
export type Kind = (typeof KINDS)[number];

export const SEAT_KINDS = ["human", "ai", "any"] as const;
export type SeatKind = (typeof SEAT_KINDS)[number];

/** What a room is created with; the record says all of it. */
export interface RoomOptions {
  readonly invalid: InvalidPolicy;
  readonly orb: boolean;
  readonly entropy: boolean;
  /** Seconds a turn may take (R9.2); null: no clock (Solo without a house seat). */
  readonly turn_seconds: number | null;
  readonly legal_list: boolean;
  readonly private: boolean;
}

/** A seat as it is declared at creation. */
export interface SeatSpec {
  readonly kind: SeatKind;
  /** Set: the house drives this seat with that brain. */
  readonly brain: string | null;
  readonly style: string | null;
  readonly name: string | null;
}

/** Running totals of a seat as it last reported them. */
export interface TokenUsage {
  readonly total: number;
  readonly thinking?: number | undefined;
}

/** What a Lab or Benchmark session says of the agent that plays. */
export interface SessionTag {
  readonly id: string;
  readonly mode: "lab" | "benchmark";
  readonly model: string | null;
  /** SHA-256 of the prompt, 64 hex digits; null where none is declared. */
  readonly prompt_hash: string | null;
}

interface Stamp {
  /** Unix milliseconds, wall clock of the holder. */
  readonly at_ms: number;
}

export interface CreatedEntry extends Stamp {
  readonly type: "created";
  readonly match_id: MatchId;
  readonly room_code: RoomCode;
  readonly rules: 1;
  readonly format: Format;
  readonly level: number;
  readonly kind: Kind;
  /** Secret until the end (R11.2). */
  readonly seed: string;
  readonly options: RoomOptions;
  /** As many as the format has players, P1 first. */
  readonly seats: readonly SeatSpec[];
  readonly host: IdentityId | null;
  /** The preset it came from, for lists. */
  readonly preset: string | null;
  /** The match before, when this is a rematch. */
  readonly rematch_of: MatchId | null;
  /** The session it was made with; left out when there is none. */
  readonly session?: SessionTag;
}

export interface SeatTakenEntry extends Stamp {
  readonly type: "seat_taken";
  readonly seat: PlayerId;
  readonly identity: IdentityId;
  readonly name: string;
  readonly kind: "human" | "ai";
  readonly model: string | null;
}

export interface SeatLeftEntry extends Stamp {
  readonly type: "seat_left";
  readonly seat: PlayerId;
}

export interface StartEntry extends Stamp {
  readonly type: "start";
}

interface Told {
  /** Milliseconds the player's clock had run in this turn (R9.2). */
  readonly elapsed_ms: number;
  readonly reasoning?: string;
  readonly token_usage?: TokenUsage;
}

/** An accepted command, in canonical form. */
export interface TurnEntry extends Stamp, Told {
  readonly type: "turn";
  readonly player: PlayerId;
  readonly command: string;
}

/** A command that counts by R8.1; `command` as sent, cut to 65 code points (which replays alike). */
export interface RefusedEntry extends Stamp, Told {
  readonly type: "refused";
  readonly player: PlayerId;
  readonly command: string;
  readonly code: RefusalCode;
}

export interface OutEntry extends Stamp {
  readonly type: "out";
  readonly player: PlayerId;
  readonly reason: "TIMEOUT" | "RESIGNED";
  readonly elapsed_ms: number;
}

export interface AbandonedEntry extends Stamp {
  readonly type: "abandoned";
}

/** A waiting room closed before it started. */
export interface ClosedEntry extends Stamp {
  readonly type: "closed";
}

export type LogEntry =
  | CreatedEntry
  | SeatTakenEntry
  | SeatLeftEntry
  | StartEntry
  | TurnEntry
  | RefusedEntry
  | OutEntry
  | AbandonedEntry
  | ClosedEntry;
