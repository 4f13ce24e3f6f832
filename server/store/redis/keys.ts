/**
 * Where things lie in Redis. All names begin with one prefix, so that several installations can share a server.
 * Scripts are given the keys that their caller knows, and make those that depend on what is stored (a match's owner,
 * its code) out of the prefix: one Redis with or without replicas, not a cluster.
 */
import type { MatchId, RoomCode } from "../../../shared/protocol/ids.ts";

export const DEFAULT_PREFIX = "gearmice:";

/** A code that has been a room's is told from one that never was for this long. */
export const PAST_MS = 24 * 60 * 60 * 1_000;
/** Longer than a rematch can be asked for. */
export const REMATCH_MS = 20 * 60 * 1_000;

export class Keys {
  readonly prefix: string;
  /** Set of the ids of matches that are not over. */
  readonly unfinished: string;
  /** Sorted set of the ids of matches that are over and whose record is not made, by Unix ms of their end. */
  readonly unsealed: string;
  /** Sorted set of the ids of matches that are over and are kept, by Unix ms of their end. */
  readonly ended: string;
  /** List of summaries of finished matches, newest first, at most KEPT_AT_HAND. */
  readonly finished: string;
  /** Set of the processes that may hold matches that are not over. */
  readonly processes: string;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.unfinished = `${prefix}unfinished`;
    this.unsealed = `${prefix}unsealed`;
    this.ended = `${prefix}ended`;
    this.finished = `${prefix}finished`;
    this.processes = `${prefix}processes`;
  }

  /** Stream of a match: entry n (from 1) has the id `n-0` and one field `e`, its JSON. */
  log(id: MatchId): string {
    return `${this.prefix}log:${id}`;
  }
  /**
   * Hash of a match: `owner` (process id, NOBODY when released), `token` (grows with every adoption and release),
   * `code`, `over` ("1"), `alive` (`version:elapsedMs`, R9.4), `unsealable` ("1": over, and there is no record to make).
   */
  match(id: MatchId): string {
    return `${this.prefix}match:${id}`;
  }
  /** The sealed record, as served. */
  record(id: MatchId): string {
    return `${this.prefix}record:${id}`;
  }
  /** The id of the match that is not over under this code, or `reserved:<process>`, which expires. */
  code(code: RoomCode): string {
    return `${this.prefix}code:${code}`;
  }
  /** The id of the last match under this code that is over; expires. */
  past(code: RoomCode): string {
    return `${this.prefix}past:${code}`;
  }
  /** The id of the match that was made as the rematch of this one; expires. */
  rematch(id: MatchId): string {
    return `${this.prefix}rematch:${id}`;
  }
  /** A code that has been handed out: Unix ms until which it can be redeemed; expires some time later. */
  handed(code: RoomCode): string {
    return `${this.prefix}handed:${code}`;
  }
  /** The address of a process; exists while it lives and has renewed its lease in time. */
  process(processId: string): string {
    return `${this.prefix}process:${processId}`;
  }
  /** The process that has a task which one has at a time. */
  task(name: string): string {
    return `${this.prefix}task:${name}`;
  }
  /** Set of the matches that are not over and were last held by the process. */
  held(processId: string): string {
    return `${this.prefix}held:${processId}`;
  }
}

/** Holds what has been released; no process has this id. */
export const NOBODY = "-";

/** For scripts: how they make a key out of ARGV[1], the prefix. */
export const LUA_KEY = `
local function key(kind, name) return ARGV[1] .. kind .. ':' .. name end
`;
