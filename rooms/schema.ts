/**
 * The public state of a room as Colyseus mirrors it: small and flat, boards and mice as text, for clients that only
 * want to look. Clients that play follow `event` messages and `sync` (PROTOCOL 5). Nothing in here is private.
 */
import { Encoder, type SchemaType, schema, t } from "@colyseus/schema";
import { board, escaped, mice, scores } from "../shared/engine/index.ts";
import type { LiveMatch } from "../shared/protocol/match.ts";
import type { PresenceMessage } from "../shared/protocol/messages.ts";
import type { NativeState } from "../shared/protocol/state.ts";

/** Lines of the history that the mirror shows. */
const HISTORY_TAIL = 10;

/** Each room has two buffers of this size; the fullest mirror of 10×10 takes some 4 KiB, and they grow if they must. */
Encoder.BUFFER_SIZE = 6 * 1024;

export const SeatMirror = schema(
  {
    seat: t.string(),
    kind: t.string(),
    name: t.string(),
    brain: t.string(),
    model: t.string(),
    status: t.string(),
    taken: t.boolean(),
    connected: t.boolean(),
    score: t.number(),
    rescued: t.number(),
  },
  "Seat",
);
export type SeatMirror = SchemaType<typeof SeatMirror>;

export const MatchMirror = schema(
  {
    match_id: t.string(),
    room_code: t.string(),
    format: t.string(),
    level: t.number(),
    kind: t.string(),
    dimensions: t.string(),
    phase: t.string(),
    /** Empty unless playing. */
    current_player: t.string(),
    turn: t.number(),
    max_moves: t.number(),
    /** Unix milliseconds; 0 without a running clock. */
    deadline_ms: t.number(),
    server_time_ms: t.number(),
    /** Empty before the end. */
    result: t.string(),
    seed_commitment: t.string(),
    version: t.number(),
    spectators: t.number(),
    /** R13.1, tiles by y, then x, joined by blanks. */
    board: t.string(),
    /** `M1_P1=P12:0:IN_PLAY` (tile, base, status; `-` for none), joined by blanks. */
    mice: t.string(),
    history_length: t.number(),
    history_tail: t.array("string"),
    seats: t.array(SeatMirror),
  },
  "Match",
);
export type MatchMirror = SchemaType<typeof MatchMirror>;

/** A mirror of `match` before anything has been told of it. */
export function openMirror(match: LiveMatch, presence: PresenceMessage): MatchMirror {
  const mirror = new MatchMirror();
  mirror.match_id = match.id;
  mirror.room_code = match.code;
  mirror.format = match.engine.format;
  mirror.level = match.engine.level;
  mirror.kind = match.kind;
  mirror.dimensions = `${match.engine.width}x${match.engine.height}`;
  mirror.max_moves = match.engine.maxMoves;
  mirror.seed_commitment = match.commitment;
  for (const { seat } of match.seats) {
    const one = new SeatMirror();
    one.seat = seat;
    mirror.seats.push(one);
  }
  reflect(mirror, match, presence);
  return mirror;
}

/** Makes the mirror show `match`; only what differs is sent. */
export function reflect(mirror: MatchMirror, match: LiveMatch, presence: PresenceMessage): void {
  const { engine } = match;
  mirror.phase = engine.phase;
  mirror.current_player = engine.currentPlayer ?? "";
  mirror.turn = engine.turn;
  mirror.deadline_ms = presence.deadline_ms ?? 0;
  mirror.server_time_ms = presence.server_time_ms;
  mirror.result = engine.result ?? "";
  mirror.version = match.version;
  mirror.spectators = presence.spectators;
  mirror.board = board(engine).join(" ");
  mirror.mice = miceText(mice(engine));
  // A history only grows.
  if (mirror.history_length !== engine.history.length) {
    mirror.history_length = engine.history.length;
    mirror.history_tail.clear();
    mirror.history_tail.push(...engine.history.slice(-HISTORY_TAIL));
  }
  const points = scores(engine);
  const rescued = escaped(engine);
  for (const [i, seat] of match.seats.entries()) {
    const one = mirror.seats[i];
    if (one === undefined) continue;
    one.kind = seat.occupant ?? seat.kind;
    one.name = seat.name ?? "";
    one.brain = seat.brain ?? "";
    one.model = seat.model ?? "";
    one.status = engine.statuses[seat.seat] ?? "ACTIVE";
    one.taken = seat.taken;
    one.connected = presence.connected.includes(seat.seat);
    one.score = points[seat.seat] ?? 0;
    one.rescued = rescued[seat.seat] ?? 0;
  }
}

function miceText(all: NativeState["data"]["mice"]): string {
  let text = "";
  for (const [id, { pos, on_base, status }] of Object.entries(all)) {
    text += `${text === "" ? "" : " "}${id}=${pos}:${on_base ?? "-"}:${status}`;
  }
  return text;
}
