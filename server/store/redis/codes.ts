/**
 * Room codes over all processes (PROTOCOL 1): the same words as RoomCodes has for one process, but asking Redis.
 * A reservation lapses by itself when its room never comes to be; the room's log then keeps the code.
 */
import { randomBytes } from "node:crypto";
import { refuse } from "../../../shared/protocol/codes.ts";
import { makeRoomCode, parseRoomCode, type RoomCode } from "../../../shared/protocol/ids.ts";
import type { CodeKeeper, HandedOut, Redeemed } from "../../codes.ts";
import { type Keys, PAST_MS } from "./keys.ts";
import type { Link } from "./link.ts";

const RESERVED_MS = 60_000;
const HANDED_OUT_MS = 60 * 60 * 1_000;
const ATTEMPTS = 100;

export class RedisRoomCodes implements CodeKeeper {
  readonly #link: Link;
  readonly #keys: Keys;
  readonly #processId: string;
  readonly #make: () => RoomCode;

  constructor(link: Link, keys: Keys, processId: string, make = () => makeRoomCode(randomBytes(6))) {
    this.#link = link;
    this.#keys = keys;
    this.#processId = processId;
    this.#make = make;
  }

  /** A code that nobody has, for a log to be created with in the next minute. Rejects with StoreUnavailable. */
  reserve(): Promise<RoomCode> {
    return this.#fresh(async (code) => {
      const args = [this.#processId, String(RESERVED_MS)];
      return (await this.#link.run((redis) => redis.reserveCode(this.#keysOf(code), args))) === 1 ? code : null;
    });
  }

  /** Whether a stored match that is not over has this code. Logs cannot share one, so there is nothing to take. */
  async take(code: RoomCode): Promise<boolean> {
    const holder = await this.#link.run((redis) => redis.get(this.#keys.code(code)));
    return holder !== null && !holder.startsWith("reserved:");
  }

  /** Hands out a code for a room to be created with it on any process, once and within an hour. */
  handOut(): Promise<HandedOut> {
    return this.#fresh(async (code) => {
      // An hour longer, so that a late caller is told why.
      const args = [String(HANDED_OUT_MS), String(2 * HANDED_OUT_MS)];
      const expires_at = await this.#link.run((redis) => redis.handOutCode(this.#keysOf(code), args));
      return expires_at === 0 ? null : { code, expires_at };
    });
  }

  /** Reserves a handed-out code. A code that was never handed out is refused: clients invent none. */
  async redeem(typed: string): Promise<Redeemed> {
    const code = parseRoomCode(typed);
    if (code === null) return refuse("not_found", "This code has not been handed out.");
    const args = [this.#processId, String(RESERVED_MS)];
    const outcome = await this.#link.run((redis) => redis.redeemCode(this.#keysOf(code), args));
    switch (outcome) {
      case "ok":
        return { ok: true, code };
      case "used":
        return refuse("code_used", "This code has been used.");
      case "expired":
        return refuse("code_expired", "This code has expired; ask for another.");
      case "unknown":
        return refuse("not_found", "This code has not been handed out.");
    }
  }

  /** The room never came to be. */
  async release(code: RoomCode): Promise<void> {
    await this.#link.run((redis) => redis.releaseCode([this.#keys.code(code)], [this.#processId]));
  }

  /** The room is gone, some time after its match: the code stays past for as long again. */
  async retire(code: RoomCode): Promise<void> {
    await this.#link.run((redis) => redis.pExpire(this.#keys.past(code), PAST_MS));
  }

  async isPast(code: RoomCode): Promise<boolean> {
    return (await this.#link.run((redis) => redis.exists(this.#keys.past(code)))) === 1;
  }

  #keysOf(code: RoomCode): string[] {
    return [this.#keys.code(code), this.#keys.past(code), this.#keys.handed(code)];
  }

  async #fresh<T>(take: (code: RoomCode) => Promise<T | null>): Promise<T> {
    for (let i = 0; i < ATTEMPTS; i++) {
      const taken = await take(this.#make());
      if (taken !== null) return taken;
    }
    throw new Error("no free room code");
  }
}
