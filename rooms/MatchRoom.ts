/**
 * The Colyseus room of one match: sockets in, broadcasts out. It decides nothing; the holder does.
 * It lives without sockets and is closed by its holder alone.
 */
import { type Client, CloseCode, Room, type RoomException, type RoomMethodName, ServerError } from "@colyseus/core";
import type { z } from "zod";
import type { PlayerId } from "../shared/engine/index.ts";
import { type Refusal, refuse, STATUS_OF } from "../shared/protocol/codes.ts";
import type { IdentityId } from "../shared/protocol/ids.ts";
import type { LiveMatch } from "../shared/protocol/match.ts";
import { joinOptionsSchema, moveSchema, syncSchema } from "../shared/protocol/requests.ts";
import { unreadable } from "../shared/protocol/unreadable.ts";
import { cutWhenBehind, FloodGate, type FloodLimits, guardFrames } from "./frames.ts";
import type { MatchHolder } from "./MatchHolder.ts";
import type { Clock, Reporter } from "./ports.ts";
import type { RematchOpened } from "./rematch.ts";
import { type MatchMirror, openMirror, reflect } from "./schema.ts";
import { isHouseSeat, seatWhileHeld } from "./seating.ts";
import { sendTogether } from "./together.ts";

/**
 * Milliseconds between two patches of the mirror; events are sent at once. After the first time the next event takes a
 * patch along in its own write; one that has waited for no event goes alone after the second.
 */
const PATCH_EVERY_MS = 500;
const PATCH_WITHIN_MS = 700;
/**
 * Colyseus compares and sends every room's state many times a second, whether anything happened or not. Here it is
 * sent when something did; this is as good as never (the longest a timer can wait).
 */
const NO_PATCH_TIMER_MS = 2_147_483_647;

export interface MatchRoomOptions {
  readonly holder: MatchHolder;
  readonly clock: Clock;
  readonly report: Reporter;
  readonly flood: FloodLimits;
  /** Begins to time a move; what it gives is to be called with `ok` or the code of the refusal. */
  timed(): (code: string) => void;
  /** An identity for somebody who comes with nothing but a name. */
  newGuest(): IdentityId;
}

interface Visitor {
  /** The seat, as long as it is not given up: a socket outlives its seat, and then only watches. */
  readonly seat: (now: LiveMatch) => PlayerId | null;
  readonly gate: FloodGate;
  /** For whom the socket counts as open, and what ends that. */
  counted: { readonly seat: PlayerId | null; readonly gone: () => void };
}

export class MatchRoom extends Room<{ state: MatchMirror }> {
  override autoDispose = false;
  override patchRate = NO_PATCH_TIMER_MS;

  #options!: MatchRoomOptions;
  #patchDue: (() => void) | null = null;
  #patchedMs = Number.NEGATIVE_INFINITY;
  #stopListening: () => void = () => {};
  readonly #visitors = new Map<Client, Visitor>();

  override onCreate(options: MatchRoomOptions): void {
    this.#options = options;
    const { holder } = options;
    this.#stopListening = holder.listen({
      event: (message) => {
        if (message.type === "seats") this.#recount();
        for (const client of this.#visitors.keys()) sendTogether(client);
        this.broadcast("event", message);
        this.#patchSoon();
      },
      presence: (message) => {
        this.broadcast("presence", message);
        this.#patchSoon();
      },
      rematch: (opened) => this.#tellRematch(opened),
      retired: (moved) => {
        // On the other code clients come again (PROTOCOL 5).
        const code = moved ? CloseCode.SERVER_SHUTDOWN : CloseCode.CONSENTED;
        this.disconnect(code).catch((error) => this.#report(error, "room.close"));
      },
    });
    guardFrames(this, {
      gateOf: (client) => this.#visitors.get(client)?.gate ?? new FloodGate(options.clock, options.flood),
      failed: (error) => this.#report(error, "room.frame"),
    });

    this.#answer("move", moveSchema, async (seat, move) => {
      const done = options.timed();
      const answer = await holder.move(seat, move);
      done(answer.ok ? "ok" : answer.code);
      // The events have been broadcast to everybody, the mover included.
      if (answer.ok) {
        const { events: _, ...rest } = answer;
        return rest;
      }
      return answer;
    });
    this.#answer("resign", null, (seat) => holder.resign(seat));
    this.#answer("leave", null, (seat) => holder.leave(seat));
    this.#answer("rematch", null, (seat) => holder.rematch(seat));
    this.onMessage("sync", (client, payload) => {
      const read = syncSchema.safeParse(payload);
      return read.success
        ? holder.sync(read.data.version, this.#seatOf(client))
        : unreadable(read.error, "The message");
    });
    this.onMessage("ping", () => ({ ok: true, server_time_ms: options.clock.wallMs() }));
  }

  override async onJoin(client: Client, options: unknown): Promise<void> {
    const { holder, clock, flood } = this.#options;
    const read = joinOptionsSchema.safeParse(options ?? {});
    if (!read.success) throw asServerError(unreadable(read.error, "The message"));
    const seat = await this.#seat(client, read.data);
    // A room that nobody has entered needs no mirror.
    if (!this.state) this.state = openMirror(holder.match, holder.presence());
    this.#visitors.set(client, {
      seat: seatWhileHeld(holder.match, seat),
      gate: new FloodGate(clock, flood),
      counted: { seat, gone: holder.connect(seat) },
    });
  }

  override onLeave(client: Client): void {
    this.#visitors.get(client)?.counted.gone();
    this.#visitors.delete(client);
  }

  override onDispose(): void {
    this.#stopListening();
    this.#patchDue?.();
    for (const visitor of this.#visitors.values()) visitor.counted.gone();
    this.#visitors.clear();
  }

  /** Colyseus calls this instead of ending the process. */
  override onUncaughtException(error: RoomException, method: RoomMethodName): void {
    this.#report(error.cause ?? error, `room.${method}`);
  }

  async #seat(client: Client, options: z.infer<typeof joinOptionsSchema>): Promise<PlayerId | null> {
    const { holder, newGuest } = this.#options;
    if (options.seatToken !== undefined) {
      const claim = holder.claim(options.seatToken);
      if (!claim.ok) throw asServerError(claim);
      const spec = holder.match.seats.find((s) => s.seat === claim.seat);
      if (spec && isHouseSeat(spec) && !spec.taken) {
        const arrived = await holder.houseArrived(claim.seat);
        if (!arrived.ok) throw asServerError(arrived);
      }
      return claim.seat;
    }
    if (options.watch || options.name === undefined) return null;
    const joined = await holder.join({ identity: newGuest(), name: options.name, kind: options.kind });
    if (!joined.ok) return null;
    client.send("seat", {
      code: holder.code,
      match_id: holder.id,
      seat: joined.seat,
      seat_token: joined.seat_token,
    });
    return joined.seat;
  }

  /** A request of a seat. Whatever is wrong with it is an answer with a code; nobody is thrown out for it. */
  #answer<T>(type: string, schema: z.ZodType<T> | null, work: (seat: PlayerId, request: T) => Promise<object>): void {
    this.onMessage(type, async (client, payload: unknown) => {
      const seat = this.#seatOf(client);
      if (seat === null) return refuse("forbidden", "You are watching; this needs a seat.");
      const request = schema === null ? { success: true as const, data: undefined as T } : schema.safeParse(payload);
      if (!request.success) return unreadable(request.error, "The message");
      try {
        return await work(seat, request.data);
      } catch (error) {
        this.#report(error, `room.${type}`);
        return refuse("internal", "Something went wrong here; nothing has changed.");
      }
    });
  }

  #seatOf(client: Client): PlayerId | null {
    return this.#visitors.get(client)?.seat(this.#options.holder.match) ?? null;
  }

  /** The sockets of a seat that has been given up are spectators'. */
  #recount(): void {
    const { holder } = this.#options;
    for (const visitor of this.#visitors.values()) {
      if (visitor.counted.seat === visitor.seat(holder.match)) continue;
      visitor.counted.gone();
      visitor.counted = { seat: null, gone: holder.connect(null) };
    }
  }

  #patchSoon(): void {
    if (!this.state) return;
    const { clock } = this.#options;
    const sinceMs = clock.monotonicMs() - this.#patchedMs;
    if (sinceMs >= PATCH_EVERY_MS) this.#patch();
    else this.#patchDue ??= clock.after(PATCH_WITHIN_MS - sinceMs, () => this.#patch());
  }

  #patch(): void {
    const { holder, clock } = this.#options;
    this.#patchDue?.();
    this.#patchDue = null;
    this.#patchedMs = clock.monotonicMs();
    reflect(this.state, holder.match, holder.presence());
    this.broadcastPatch();
    for (const client of this.#visitors.keys()) cutWhenBehind(client);
  }

  #tellRematch(opened: RematchOpened): void {
    for (const client of this.#visitors.keys()) {
      const seat = this.#seatOf(client);
      const own = seat === null ? undefined : opened.seats.get(seat);
      client.send("rematch", own ?? { code: opened.code, match_id: opened.match_id });
    }
  }

  #report(error: unknown, at: string): void {
    const { holder, report } = this.#options;
    report.error(error, { match_id: holder.id, code: holder.code, at });
  }
}

/** The room of formats for one player. */
export class SoloRoom extends MatchRoom {}
/** The room of formats for several. */
export class ArenaRoom extends MatchRoom {}

/** Colyseus carries a number and a text: the HTTP status, and the code before the sentence. */
export function asServerError(refusal: Refusal): ServerError {
  return new ServerError(STATUS_OF[refusal.code], `${refusal.code}: ${refusal.message}`);
}
