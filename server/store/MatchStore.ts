/** What a store of matches can do: one interface, several back ends (DESIGN 2 and 4), one contract test for all. */
import type { MatchLog } from "../../rooms/ports.ts";
import type { Format, MatchResult, PlayerId } from "../../shared/engine/index.ts";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import type { Kind, LogEntry, SeatKind } from "../../shared/protocol/log.ts";

export { StoreUnavailable } from "../../rooms/ports.ts";

/** The log already has another length, or the match or its room code exists already: somebody else wrote. */
export class VersionConflict extends Error {
  override readonly name: string = "VersionConflict";
}

/** This process does not hold the match, or no longer: another may have taken it. Nothing was written. */
export class NotOwner extends VersionConflict {
  override readonly name = "NotOwner";
}

/** A match that was not over when the process before ended: a waiting room or a running match. */
export interface UnfinishedMatch {
  readonly matchId: MatchId;
  /** At least the `created` entry. */
  readonly entries: readonly LogEntry[];
  /**
   * R9.4: milliseconds the mover's clock had run in the present turn at the last sign of life;
   * null when there was none in this turn.
   */
  readonly aliveElapsedMs: number | null;
}

/** One line of the list of finished matches. */
export interface FinishedMatch {
  readonly match_id: MatchId;
  readonly room_code: RoomCode;
  readonly format: Format;
  readonly level: number;
  readonly kind: Kind;
  readonly preset: string | null;
  readonly private: boolean;
  readonly ended_at_ms: number;
  readonly result: MatchResult;
  readonly winner: readonly PlayerId[];
  readonly seats: readonly {
    readonly seat: PlayerId;
    readonly kind: SeatKind;
    readonly name: string | null;
    readonly brain: string | null;
  }[];
}

/** The record of a match that is over (PROTOCOL 10), as the store keeps it. */
export interface SealedRecord {
  /** Lines without newlines; the last one is the signed result. */
  readonly lines: readonly string[];
  readonly summary: FinishedMatch;
}

/**
 * Makes the record of a whole log once, when its match is over. Null when nothing was played (a closed waiting room).
 * It may take its time: a long match is replayed in slices so that the process stays responsive.
 */
export type Seal = (entries: readonly LogEntry[]) => Promise<SealedRecord | null>;

/** Where a match is. */
export interface Whereabouts {
  readonly matchId: MatchId;
  readonly over: boolean;
  /** The living process that holds it; null when none does, so that it may be adopted unless it is over. */
  readonly processId: string | null;
  /** Where the others reach that process; null when it has none that lives, or has announced no address. */
  readonly address: string | null;
}

/** Another living process. */
export interface Peer {
  readonly processId: string;
  /** `http://<host>:<port>`, or empty while it has announced none. */
  readonly address: string;
}

/**
 * Which process holds which match (DESIGN 4). A match belongs to the process that created or adopted it until it
 * releases it, closes its store, or does not renew its lease in time; then any process may adopt it. From that
 * instant on the one before can write nothing about it, however late its writes arrive. A store that one process has
 * to itself keeps the same promises without effort.
 */
export interface MatchClaims {
  /** This process, as the others see it; unique for each start. */
  readonly processId: string;
  /**
   * Where the match with this id or room code is; null when there is none. The code of a match that is over is known at
   * least as long as its room may be open. One look-up, for every call of a door.
   */
  ownerOf(key: MatchId | RoomCode): Promise<Whereabouts | null>;
  /**
   * Takes a match that nobody living holds, or that is ours already, and reads it: nobody else can append to it any
   * more. Null when it is over, unknown, or held by another living process. Of several that try, one gets it.
   */
  adopt(matchId: MatchId): Promise<UnfinishedMatch | null>;
  /**
   * Takes a match that is over and whose process died before it let go of it, so that its room can be opened again, and
   * reads its log. `held`: another living process has it. Null when it is not over, unknown, or was let go of.
   */
  adoptOver(matchId: MatchId): Promise<readonly LogEntry[] | "held" | null>;
  /** Lets go of a match, over or not, when nothing of it is on its way to the log: another process may adopt it at once. */
  release(matchId: MatchId): Promise<void>;
  /**
   * Whether what this process holds is surely still its own at this instant. A process that stood still, or was cut
   * off, for longer than its lease does not know; what it has in memory may be the past.
   */
  sure(): boolean;
  /** Matches that are not over and that nobody living holds, at most `limit`. */
  orphans(limit: number): Promise<readonly MatchId[]>;
  /** Tells the others where this process can be reached (`http://<host>:<port>`). */
  announce(address: string): Promise<void>;
  /** The other processes that live. */
  peers(): Promise<readonly Peer[]>;
  /** Whether this process has a task that one has at a time; it keeps the task as long as it lives. */
  leads(task: string): Promise<boolean>;
  /** Tells of matches that were ours and that another process has taken. Returns what ends it. */
  lost(listener: (matchIds: readonly MatchId[]) => void): () => void;
}

export interface MatchStore extends MatchLog {
  readonly claims: MatchClaims;
  /** Every match that is not over, whoever holds it, with its whole log. */
  unfinished(): Promise<readonly UnfinishedMatch[]>;
  /** The match that is not over under this room code, or null. */
  unfinishedByCode(code: RoomCode): Promise<MatchId | null>;
  /** The match that was made as the rematch of this one, as far as it may still be asked for; null when there is none. */
  rematchOf(matchId: MatchId): Promise<MatchId | null>;
  /** The newest finished matches, newest first, at most `limit` and never more than the store keeps at hand (200). */
  finished(limit: number): Promise<readonly FinishedMatch[]>;
  /**
   * The sealed record of a match that is over: the same bytes for ever, each line with its newline.
   * Null when there is no such match, it is not over, or nothing was played in it.
   */
  record(matchId: MatchId): Promise<string | null>;
  /** Resolves when everything appended so far is durable; afterwards every call rejects with StoreUnavailable. */
  close(): Promise<void>;
}
