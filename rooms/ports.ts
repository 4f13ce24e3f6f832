/** What the rooms need from outside, declared here and provided by whoever composes the process (DESIGN, folders). */
import type { PlayerId } from "../shared/engine/index.ts";
import type { MatchId, RoomCode } from "../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../shared/protocol/log.ts";

/**
 * The append-only logs of all matches.
 * Every method that writes resolves only when what it wrote is durable, and rejects with `StoreUnavailable` when it
 * is not known to be: then the caller drops its state and reads the log again.
 */
export interface MatchLog {
  /** Opens a new log with its first entry. */
  create(entry: CreatedEntry): Promise<void>;
  /**
   * Appends entries, all or none. `version` is the number of entries before them; another number rejects.
   * `over`: the last of them ended the match or closed its room, so nothing follows and its record may be sealed.
   */
  append(matchId: MatchId, version: number, entries: readonly LogEntry[], over: boolean): Promise<void>;
  /** The whole log, or null when there is none. */
  read(matchId: MatchId): Promise<readonly LogEntry[] | null>;
  /** R9.4: notes that the mover's clock has run `elapsedMs` in this turn. Not an entry, no version; may be lost. */
  alive(matchId: MatchId, elapsedMs: number): void;
}

export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** Wall time in Unix milliseconds and a monotonic time in milliseconds (R9.2: clocks run by the monotonic one). */
export interface Clock {
  wallMs(): number;
  monotonicMs(): number;
  /** Runs `then` once, no sooner than in `ms`. Returns what calls it off; it may be called more than once. */
  after(ms: number, then: () => void): () => void;
}

/** A seat token names match, seat and generation; it is what owns a seat (PROTOCOL 1). */
export interface SeatClaim {
  readonly match_id: MatchId;
  readonly seat: PlayerId;
  /** Must equal the seat's present generation. */
  readonly generation: number;
}

export interface SeatTokens {
  issue(claim: SeatClaim): string;
  /** Null when the token is not ours, damaged or of another use. */
  verify(token: string): SeatClaim | null;
}

/** A seat that the house drives. */
export interface HouseSeat {
  readonly match_id: MatchId;
  readonly code: RoomCode;
  readonly seat: PlayerId;
  readonly seat_token: string;
  readonly brain: string;
  readonly style: string | null;
  /** Milliseconds a move is held back at least, so that people can watch; 0 for none. */
  readonly pace_ms: number;
}

/** A brain that seats can be given to. */
export interface OfferedBrain {
  /** As a seat names it: `greedy`, `model:<name>`. */
  readonly name: string;
  /** The provider's name of a language model; null: a brain of the house. */
  readonly model: string | null;
}

/** Starts house bots and starts them again when they die (DESIGN 3). */
export interface BotSupervisor {
  /** Whether there is such a brain at all. */
  knows(brain: string): boolean;
  /** Every brain that there is; of a language model also what it is. */
  offered(): readonly OfferedBrain[];
  /** Resolves when the bot process is ready to connect; rejects when it cannot be started. */
  drive(seat: HouseSeat): Promise<void>;
  /** The match is over or gone. */
  release(matchId: MatchId): void;
}

/** Where exceptions and noteworthy things go; `at` is the place, such as `room.move`. */
export interface Reporter {
  error(error: unknown, context: { readonly match_id?: string; readonly code?: string; readonly at: string }): void;
  info(message: string, context: Readonly<Record<string, unknown>>): void;
}

export interface RoomPorts {
  readonly log: MatchLog;
  readonly clock: Clock;
  readonly tokens: SeatTokens;
  readonly bots: BotSupervisor;
  readonly report: Reporter;
}
