/**
 * A match with everything that is known of it: the engine's value, seats, tokens, version.
 * It is a fold over its log: `applyEntry` is the only way to a new one, for rooms, recovery and verification alike.
 */
import {
  createMatch,
  type Match,
  type MatchEvent,
  type PerPlayer,
  PLAYERS,
  type PlayerId,
  type RefusalCode,
  type Step,
  step,
} from "../engine/index.ts";
import { seedCommitment } from "./hash.ts";
import type { IdentityId, MatchId, RoomCode } from "./ids.ts";
import type { CreatedEntry, Kind, LogEntry, RoomOptions, SeatKind, SeatSpec, SessionTag, TokenUsage } from "./log.ts";

export interface Seat extends SeatSpec {
  readonly seat: PlayerId;
  readonly taken: boolean;
  readonly identity: IdentityId | null;
  /** Kind of the one who sits here, once taken. */
  readonly occupant: Exclude<SeatKind, "any"> | null;
  readonly model: string | null;
  /** Grows when the seat is left: older seat tokens no longer open it. */
  readonly generation: number;
  /** Version at which it was taken; orders the succession of the host. */
  readonly taken_at_version: number | null;
}

/** The last accepted command of a seat (PROTOCOL 2: repeated moves). */
export interface LastMove {
  readonly turn: number;
  readonly command: string;
}

export interface LiveMatch {
  readonly id: MatchId;
  readonly code: RoomCode;
  readonly kind: Kind;
  readonly options: RoomOptions;
  readonly preset: string | null;
  readonly rematch_of: MatchId | null;
  readonly session: SessionTag | null;
  /** In the order of the engine's players. */
  readonly seats: readonly Seat[];
  readonly host: IdentityId | null;
  readonly engine: Match;
  readonly commitment: string;
  /** Stored entries so far. */
  readonly version: number;
  readonly tokens: PerPlayer<TokenUsage>;
  readonly reasoning: PerPlayer<string>;
  readonly last_moves: PerPlayer<LastMove>;
  readonly created_at_ms: number;
  readonly started_at_ms: number | null;
  readonly ended_at_ms: number | null;
  /** A waiting room that was closed before it started. */
  readonly closed: boolean;
}

/** What a stored entry did. `events` is empty for entries of the lobby. */
export interface Applied {
  readonly match: LiveMatch;
  readonly entry: LogEntry;
  readonly events: readonly MatchEvent[];
  /** Refused commands only. */
  readonly refusal: { readonly code: RefusalCode; readonly message: string } | null;
}

/** A log that cannot be folded: damaged, or of another version of the rules. */
export class LogError extends Error {
  override readonly name = "LogError";
}

/** The match of a `created` entry, version 1, nobody seated. Throws LogError when the entry is not of this version. */
export function openMatch(entry: CreatedEntry): LiveMatch {
  const made = createMatch({ format: entry.format, level: entry.level, seed: entry.seed, options: entry.options });
  if (!made.ok) throw new LogError(`created entry of ${entry.match_id}: ${made.message}`);
  return {
    id: entry.match_id,
    code: entry.room_code,
    kind: entry.kind,
    options: entry.options,
    preset: entry.preset,
    rematch_of: entry.rematch_of,
    session: entry.session ?? null,
    seats: made.value.players.map((seat, i) => emptySeat(seat, entry.seats[i] ?? FREE_SEAT, 0)),
    host: entry.host,
    engine: made.value,
    commitment: seedCommitment(entry.seed),
    version: 1,
    tokens: {},
    reasoning: {},
    last_moves: {},
    created_at_ms: entry.at_ms,
    started_at_ms: null,
    ended_at_ms: null,
    closed: false,
  };
}

/**
 * The next match after one entry. Throws LogError when the entry does not fit; never changes `match`.
 * `done`: what the engine makes of the entry's command, where that is known already.
 */
export function applyEntry(match: LiveMatch, entry: LogEntry, done?: Step): Applied {
  const version = match.version + 1;
  switch (entry.type) {
    case "created":
      throw new LogError(`second created entry in ${match.id}`);
    case "seat_taken":
      return lobby(entry, {
        ...match,
        version,
        seats: match.seats.map((s) =>
          s.seat === entry.seat
            ? {
                ...s,
                taken: true,
                identity: entry.identity,
                name: entry.name,
                occupant: entry.kind,
                model: entry.model,
                taken_at_version: version,
              }
            : s,
        ),
      });
    case "seat_left": {
      const seats = match.seats.map((s) => (s.seat === entry.seat ? emptySeat(s.seat, s, s.generation + 1) : s));
      return lobby(entry, { ...match, version, seats, host: nextHost(match.host, seats) });
    }
    case "closed":
      return lobby(entry, { ...match, version, closed: true, ended_at_ms: entry.at_ms });
    case "start":
      return played(match, entry, step(match.engine, { type: "start" }), { started_at_ms: entry.at_ms });
    case "turn": {
      const before = match.engine.turn;
      const { player, command } = entry;
      return played(match, entry, done ?? step(match.engine, { type: "command", player, command }), {
        ...told(match, entry),
        last_moves: { ...match.last_moves, [player]: { turn: before, command } },
      });
    }
    case "refused":
      return played(
        match,
        entry,
        done ?? step(match.engine, { type: "command", player: entry.player, command: entry.command }),
        told(match, entry),
      );
    case "out":
      return played(match, entry, step(match.engine, { type: "out", player: entry.player, reason: entry.reason }), {});
    case "abandoned":
      return played(match, entry, step(match.engine, { type: "abandon" }), {});
    default:
      throw new LogError(
        `an entry of ${match.id} is of no known type: ${JSON.stringify(entry satisfies never)}`.slice(0, 200),
      );
  }
}

/** Folds a whole log as a store gives it, whatever has become of its bytes. Throws LogError when it does not fit. */
export function foldLog(entries: readonly LogEntry[]): LiveMatch {
  const [first, ...rest] = entries;
  if (first?.type !== "created") throw new LogError("a log begins with its created entry");
  let version = 1;
  try {
    let match = openMatch(first);
    for (const entry of rest) {
      version++;
      match = applyEntry(match, entry).match;
    }
    return match;
  } catch (cause) {
    if (cause instanceof LogError) throw cause;
    throw new LogError(`entry ${version} of ${first.match_id} cannot be read`, { cause });
  }
}

const FREE_SEAT: SeatSpec = { kind: "any", brain: null, style: null, name: null };

function emptySeat(seat: PlayerId, spec: SeatSpec, generation: number): Seat {
  return {
    seat,
    kind: spec.kind,
    brain: spec.brain,
    style: spec.style,
    name: spec.brain === null ? null : spec.name,
    taken: false,
    identity: null,
    occupant: null,
    model: null,
    generation,
    taken_at_version: null,
  };
}

/** PROTOCOL 2: when the host leaves, the longest-seated human is host. */
function nextHost(host: IdentityId | null, seats: readonly Seat[]): IdentityId | null {
  if (host !== null && seats.some((s) => s.identity === host)) return host;
  const humans = seats.filter((s) => s.occupant === "human");
  humans.sort((a, b) => (a.taken_at_version ?? 0) - (b.taken_at_version ?? 0));
  return humans[0]?.identity ?? null;
}

function lobby(entry: LogEntry, match: LiveMatch): Applied {
  return { match, entry, events: [], refusal: null };
}

function told(match: LiveMatch, entry: { player: PlayerId; reasoning?: string; token_usage?: TokenUsage }) {
  return {
    tokens: entry.token_usage ? { ...match.tokens, [entry.player]: entry.token_usage } : match.tokens,
    reasoning:
      entry.reasoning === undefined ? match.reasoning : { ...match.reasoning, [entry.player]: entry.reasoning },
  };
}

function played(match: LiveMatch, entry: LogEntry, result: Step, change: Partial<LiveMatch>): Applied {
  const expectRefusal = entry.type === "refused";
  if (result.ok === expectRefusal || (!result.ok && !result.counted)) {
    const what = result.ok ? "accepted" : result.code;
    throw new LogError(`entry ${match.version + 1} of ${match.id} (${entry.type}) replays as ${what}`);
  }
  const over = result.match.phase === "over";
  return {
    match: {
      ...match,
      ...change,
      engine: result.match,
      version: match.version + 1,
      ended_at_ms: over ? (match.ended_at_ms ?? entry.at_ms) : null,
    },
    entry,
    events: result.events,
    refusal: result.ok ? null : { code: result.code, message: result.message },
  };
}

export function seatOf(match: LiveMatch, player: PlayerId): Seat {
  const seat = match.seats[PLAYERS.indexOf(player)];
  if (seat === undefined) throw new RangeError(`no seat ${player} in ${match.engine.format}`);
  return seat;
}
