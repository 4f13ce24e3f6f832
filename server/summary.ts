/** A room in lists, with what a small picture of its board needs. */
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import { board, escaped, gearOwners, scores } from "../shared/engine/index.ts";
import type { LiveMatch, Seat } from "../shared/protocol/match.ts";

export const LIST_STATUSES = ["waiting", "playing", "over"] as const;
export type ListStatus = (typeof LIST_STATUSES)[number];

/** `GET /rooms/:code` (PROTOCOL 6) and, with the picture, one row of `GET /rooms`. */
export function roomInfo(holder: MatchHolder) {
  const { match } = holder;
  const connected = holder.connected();
  return {
    code: match.code,
    match_id: match.id,
    format: match.engine.format,
    level: match.engine.level,
    kind: match.kind,
    preset: match.preset,
    phase: match.engine.phase,
    private: match.options.private,
    host: hostSeat(match)?.seat ?? null,
    seats: match.seats.map((s) => ({
      seat: s.seat,
      kind: s.occupant ?? s.kind,
      name: s.name,
      brain: s.brain,
      taken: s.taken,
      connected: connected.has(s.seat),
    })),
    spectators: holder.spectators,
    created_at_ms: match.created_at_ms,
    started_at_ms: match.started_at_ms,
    ended_at_ms: match.ended_at_ms,
  };
}

export type RoomInfo = ReturnType<typeof roomInfo>;

/** A row of the public list. */
export function roomRow(holder: MatchHolder) {
  const { engine } = holder.match;
  return {
    ...roomInfo(holder),
    turn: engine.turn,
    max_moves: engine.maxMoves,
    current_player: engine.currentPlayer,
    result: engine.result,
    scores: scores(engine),
    mice_rescued: escaped(engine),
    thumbnail: {
      dimensions: `${engine.width}x${engine.height}`,
      board: board(engine).join(" "),
      gear_owners: gearOwners(engine),
    },
  };
}

/** `GET /rooms` */
export interface RoomList {
  /** The newest first, at most `LISTED`. */
  readonly rooms: readonly ReturnType<typeof roomRow>[];
  /** How many there are in all. */
  readonly total: number;
}

/** Rooms of one answer. */
const LISTED = 100;

/** The public rooms among these. */
export function publicRooms(holders: readonly MatchHolder[], status: ListStatus | undefined): RoomList {
  const rooms = holders
    .filter(({ match }) => !match.options.private && !match.closed)
    .filter(({ match }) => status === undefined || match.engine.phase === status)
    .reverse();
  return { rooms: rooms.slice(0, LISTED).map(roomRow), total: rooms.length };
}

/** The lists of several processes as one. */
export function mergedRooms(lists: readonly RoomList[]): RoomList {
  const rows = lists.flatMap((list) => list.rooms).sort((a, b) => b.created_at_ms - a.created_at_ms);
  return { rooms: rows.slice(0, LISTED), total: lists.reduce((sum, { total }) => sum + total, 0) };
}

function hostSeat(match: LiveMatch): Seat | undefined {
  return match.host === null ? undefined : match.seats.find((s) => s.taken && s.identity === match.host);
}
