/** Who has asked for a rematch, and the room that opens when all have (PROTOCOL 2). */
import { PLAYERS, type PlayerId } from "../shared/engine/index.ts";
import type { IdentityId, MatchId, RoomCode } from "../shared/protocol/ids.ts";
import type { SeatSpec } from "../shared/protocol/log.ts";
import type { LiveMatch } from "../shared/protocol/match.ts";
import type { SeatMessage } from "../shared/protocol/messages.ts";
import { isHouseSeat, rematchSeat, rematchSeats } from "./seating.ts";

export interface RematchPlayer {
  readonly was: PlayerId;
  readonly seat: PlayerId;
  readonly identity: IdentityId;
  readonly name: string;
  readonly kind: "human" | "ai";
  readonly model: string | null;
}

export interface RematchPlan {
  readonly of: LiveMatch;
  readonly seats: readonly SeatSpec[];
  /** Those who asked, in the order of their new seats. */
  readonly players: readonly RematchPlayer[];
}

export interface RematchOpened {
  readonly code: RoomCode;
  readonly match_id: MatchId;
  /** By the seat of the match before: what that seat alone is told. */
  readonly seats: ReadonlyMap<PlayerId, SeatMessage>;
  /** Seats a player who asks when the room is open already; null when the seat has gone to somebody else. */
  seatLate(player: RematchPlayer): Promise<SeatMessage | null>;
}

export class Rematch {
  readonly #open: (plan: RematchPlan) => Promise<RematchOpened>;
  readonly #asked = new Set<PlayerId>();
  #room: RematchOpened | null = null;

  constructor(open: (plan: RematchPlan) => Promise<RematchOpened>) {
    this.#open = open;
  }

  asked(): PlayerId[] {
    return PLAYERS.filter((p) => this.#asked.has(p));
  }

  get waiting(): boolean {
    return this.#room === null && this.#asked.size > 0;
  }

  /** False when the seat had asked before. */
  ask(seat: PlayerId): boolean {
    if (this.#asked.has(seat)) return false;
    this.#asked.add(seat);
    return true;
  }

  /** `guests`: connected seats that the house does not drive. Null while one of them has not asked. */
  async openIfAllAsked(
    match: LiveMatch,
    guests: ReadonlySet<PlayerId>,
  ): Promise<{ readonly room: RematchOpened; readonly fresh: boolean } | null> {
    if (this.#room !== null) return { room: await this.#withLate(match, this.#room), fresh: false };
    if (this.#asked.size === 0 || [...guests].some((seat) => !this.#asked.has(seat))) return null;
    this.#room = await this.#open({ of: match, seats: rematchSeats(match), players: this.#players(match) });
    return { room: this.#room, fresh: true };
  }

  /** Who was not connected when the others asked may have been thinking, and gets a seat as long as it is free. */
  async #withLate(match: LiveMatch, room: RematchOpened): Promise<RematchOpened> {
    const seats = new Map(room.seats);
    for (const player of this.#players(match)) {
      const told = seats.has(player.was) ? null : await room.seatLate(player);
      if (told !== null) seats.set(player.was, told);
    }
    this.#room = { ...room, seats };
    return this.#room;
  }

  #players(match: LiveMatch): RematchPlayer[] {
    const players: RematchPlayer[] = [];
    for (const s of match.seats) {
      if (isHouseSeat(s) || !this.#asked.has(s.seat) || s.identity === null || s.occupant === null) continue;
      players.push({
        was: s.seat,
        seat: rematchSeat(match.engine.format, s.seat),
        identity: s.identity,
        name: s.name ?? s.seat,
        kind: s.occupant,
        model: s.model,
      });
    }
    return players.sort((a, b) => PLAYERS.indexOf(a.seat) - PLAYERS.indexOf(b.seat));
  }
}
