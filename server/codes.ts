/**
 * Room codes (PROTOCOL 1): reserved before the room exists, because Colyseus seats a caller in a stranger's room when
 * two rooms share an id. One process reserves in a set; with several, the store has to.
 */
import { randomBytes } from "node:crypto";
import { type ErrorCode, type Refusal, refuse } from "../shared/protocol/codes.ts";
import { makeRoomCode, parseRoomCode, type RoomCode } from "../shared/protocol/ids.ts";

const HANDED_OUT_FOR_MS = 60 * 60 * 1_000;
/** Codes of rooms that are gone, so that they are told from codes that never were. */
const MAX_PAST = 100_000;
const MAX_HANDED_OUT = 100_000;

export interface HandedOut {
  readonly code: RoomCode;
  /** Unix milliseconds. */
  readonly expires_at: number;
}

/** Room codes, of one process or of all; what asks a store rejects with StoreUnavailable. */
export interface CodeKeeper {
  /** A code that nobody has. */
  reserve(): RoomCode | Promise<RoomCode>;
  /** Takes a code that a stored match has. False when it is not that match's alone. */
  take(code: RoomCode): boolean | Promise<boolean>;
  handOut(): HandedOut | Promise<HandedOut>;
  redeem(typed: string): Redeemed | Promise<Redeemed>;
  /** The room never came to be. */
  release(code: RoomCode): void | Promise<void>;
  /** The room is gone. */
  retire(code: RoomCode): void | Promise<void>;
  isPast(code: RoomCode): boolean | Promise<boolean>;
}

export type Redeemed = { readonly ok: true; readonly code: RoomCode } | Refusal;

export class RoomCodes implements CodeKeeper {
  readonly #now: () => number;
  readonly #live = new Set<RoomCode>();
  readonly #past = new Set<RoomCode>();
  readonly #handedOut = new Map<RoomCode, { readonly expiresAt: number; used: boolean }>();
  readonly #make: () => RoomCode;

  constructor(now: () => number, make: () => RoomCode = () => makeRoomCode(randomBytes(6))) {
    this.#now = now;
    this.#make = make;
  }

  /** A code that nobody has; it stays taken until `release`. */
  reserve(): RoomCode {
    const code = this.#fresh();
    this.#live.add(code);
    return code;
  }

  /** Takes a code that a stored match has. False when it is taken already: two logs claim it. */
  take(code: RoomCode): boolean {
    if (this.#live.has(code)) return false;
    this.#past.delete(code);
    this.#live.add(code);
    return true;
  }

  /** Hands out a code for a room to be created with it, once and within an hour. */
  handOut(): HandedOut {
    this.#sweep();
    const code = this.#fresh();
    const expiresAt = this.#now() + HANDED_OUT_FOR_MS;
    this.#handedOut.set(code, { expiresAt, used: false });
    return { code, expires_at: expiresAt };
  }

  /** Reserves a handed-out code. A code that was never handed out is refused: clients invent none. */
  redeem(typed: string): Redeemed {
    const code = parseRoomCode(typed);
    const given = code === null ? undefined : this.#handedOut.get(code);
    if (code === null || given === undefined) {
      if (code !== null && (this.#live.has(code) || this.#past.has(code))) return gone("code_used");
      return refuse("not_found", "This code has not been handed out.");
    }
    if (given.used) return gone("code_used");
    if (this.#now() > given.expiresAt) return gone("code_expired");
    given.used = true;
    this.#live.add(code);
    return { ok: true, code };
  }

  /** The room never came to be. */
  release(code: RoomCode): void {
    this.#live.delete(code);
    const given = this.#handedOut.get(code);
    if (given) given.used = false;
  }

  /** The room is gone. */
  retire(code: RoomCode): void {
    this.#live.delete(code);
    this.#past.add(code);
    if (this.#past.size > MAX_PAST) for (const oldest of this.#past) return void this.#past.delete(oldest);
  }

  isPast(code: RoomCode): boolean {
    return this.#past.has(code);
  }

  #fresh(): RoomCode {
    for (let i = 0; i < 1_000; i++) {
      const code = this.#make();
      if (!this.#live.has(code) && !this.#past.has(code) && !this.#handedOut.has(code)) return code;
    }
    throw new Error("no free room code");
  }

  #sweep(): void {
    for (const [code, { expiresAt }] of this.#handedOut) {
      // An hour longer, so that a late caller is told why.
      const old = this.#now() > expiresAt + HANDED_OUT_FOR_MS;
      if (!old && this.#handedOut.size < MAX_HANDED_OUT) break;
      this.#handedOut.delete(code);
    }
  }
}

function gone(code: Extract<ErrorCode, "code_used" | "code_expired">): Refusal {
  return refuse(code, code === "code_used" ? "This code has been used." : "This code has expired; ask for another.");
}
