/** Who gets which seat (PROTOCOL 2): pure decisions over a match; the holder stores what comes of them. */
import { type Format, PLAYERS, type PlayerId } from "../shared/engine/index.ts";
import { type Answer, type Refusal, refuse } from "../shared/protocol/codes.ts";
import type { IdentityId } from "../shared/protocol/ids.ts";
import type { SeatSpec } from "../shared/protocol/log.ts";
import { type LiveMatch, type Seat, seatOf } from "../shared/protocol/match.ts";
import { MODEL_PREFIX } from "../shared/protocol/models.ts";
import type { SeatTokens } from "./ports.ts";

/** The identity under which the house sits on the seats it drives. */
export const HOUSE = "house" as IdentityId;

export interface Newcomer {
  readonly identity: IdentityId;
  /** What sits down; undefined fits every seat and is what the seat is for (`any`: a human). */
  readonly kind?: "human" | "ai" | undefined;
  /** The seat asked for by name. */
  readonly seat?: PlayerId | undefined;
}

export type Seating =
  | {
      readonly ok: true;
      readonly seat: PlayerId;
      readonly kind: "human" | "ai";
      /** The identity sat there already: it gets a fresh token and nothing is stored. */
      readonly again: boolean;
    }
  | Refusal;

/**
 * The seat a token opens, or why it opens none. A token outlives sockets and processes, not its seat's being given
 * up; a house seat's token opens the seat before it is taken, because its bot's arrival is what takes it.
 */
export function claimSeat(match: LiveMatch, tokens: SeatTokens, token: string): Answer<{ readonly seat: PlayerId }> {
  const claim = tokens.verify(token);
  if (claim === null) return refuse("unauthorized", "This is no valid seat token.");
  if (claim.match_id !== match.id) return refuse("forbidden", "This seat token is for another match.");
  const seat = match.seats.find((s) => s.seat === claim.seat);
  if (seat === undefined || seat.generation !== claim.generation || !(seat.taken || isHouseSeat(seat))) {
    return refuse("unauthorized", "This seat has been given up; join again.");
  }
  return { ok: true, seat: seat.seat };
}

/**
 * What follows a seat for longer than one call (a socket, a stream, a wait) sees by this whose it is: the seat, or null
 * once it has been given up, whoever sits there since.
 */
export function seatWhileHeld(match: LiveMatch, seat: PlayerId | null): (now: LiveMatch) => PlayerId | null {
  const generation = seat === null ? null : seatOf(match, seat).generation;
  return (now) => (seat !== null && seatOf(now, seat).generation === generation ? seat : null);
}

/** What a brain is called where its seat has no name of its own. */
export function houseName(brain: string): string {
  if (brain.startsWith(MODEL_PREFIX)) return `${brain.slice(MODEL_PREFIX.length)} (model)`;
  return `${brain.charAt(0).toUpperCase()}${brain.slice(1)} (house)`;
}

export function isHouseSeat(seat: Pick<Seat, "brain">): boolean {
  return seat.brain !== null;
}

/** The seat for a newcomer: their own again, else the named one, else the first free one that fits, P1 first. */
export function findSeat(match: LiveMatch, who: Newcomer): Seating {
  const own = match.seats.find((s) => s.taken && s.identity === who.identity);
  if (own?.occupant) return { ok: true, seat: own.seat, kind: own.occupant, again: true };
  if (match.closed) return refuse("room_closed", "This room is closed.");
  if (match.engine.phase === "over") return refuse("match_over", "This match is over.");

  if (who.seat !== undefined) {
    const named = match.seats.find((s) => s.seat === who.seat);
    if (named === undefined) return refuse("bad_request", `A ${match.engine.format} match has no seat ${who.seat}.`);
    if (named.taken) return refuse("seat_taken", `${who.seat} is taken.`);
    if (isHouseSeat(named)) return refuse("seat_taken", `${who.seat} is driven by the house.`);
    if (!fits(named, who.kind)) return refuse("forbidden", `${who.seat} is a seat for ${named.kind} players.`);
    return { ok: true, seat: named.seat, kind: occupantKind(named, who.kind), again: false };
  }
  const free = match.seats.find((s) => !s.taken && !isHouseSeat(s) && fits(s, who.kind));
  if (free === undefined) return refuse("room_full", "No seat that fits is free. You can watch.");
  return { ok: true, seat: free.seat, kind: occupantKind(free, who.kind), again: false };
}

function fits(seat: Seat, kind: "human" | "ai" | undefined): boolean {
  return kind === undefined || seat.kind === "any" || seat.kind === kind;
}

function occupantKind(seat: Seat, kind: "human" | "ai" | undefined): "human" | "ai" {
  return kind ?? (seat.kind === "any" ? "human" : seat.kind);
}

/** Whether the last seat has been taken, so that the match starts by itself. */
export function allTaken(match: LiveMatch): boolean {
  return match.seats.every((s) => s.taken);
}

/** PROTOCOL 2: with nobody left who could host it, a waiting room closes. `left` is who has just left. */
export function isDeserted(match: LiveMatch, left: "human" | "ai"): boolean {
  const guests = match.seats.filter((s) => s.taken && !isHouseSeat(s));
  if (guests.length === 0) return true;
  return left === "human" && !guests.some((s) => s.occupant === "human");
}

const ONE_SEAT_ON: Readonly<Record<Format, readonly PlayerId[]>> = {
  solo: ["P1"],
  "1v1": ["P2", "P1"],
  // The teams swap edges: P1+P2 play where P3+P4 played, and the other way round.
  "2v2": ["P3", "P4", "P1", "P2"],
  ffa4: ["P2", "P3", "P4", "P1"],
};

/** PROTOCOL 2: where the player of `seat` sits in the rematch. */
export function rematchSeat(format: Format, seat: PlayerId): PlayerId {
  const next = ONE_SEAT_ON[format][PLAYERS.indexOf(seat)];
  if (next === undefined) throw new RangeError(`no seat ${seat} in ${format}`);
  return next;
}

/** The seats as the rematch declares them: every declaration moves with its player. */
export function rematchSeats(match: LiveMatch): SeatSpec[] {
  const moved = match.seats.map((s) => ({
    at: rematchSeat(match.engine.format, s.seat),
    spec: { kind: s.kind, brain: s.brain, style: s.style, name: isHouseSeat(s) ? s.name : null },
  }));
  return match.engine.players.map((player) => {
    const found = moved.find((m) => m.at === player);
    if (found === undefined) throw new RangeError(`nobody moves to ${player}`);
    return found.spec;
  });
}
