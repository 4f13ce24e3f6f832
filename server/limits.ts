/** How often who may do what, and how much of it at once. The numbers are in this one place. */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Refusal, refuse } from "../shared/protocol/codes.ts";
import { addressKey, isLoopback } from "./address.ts";
import type { SharedLimiters } from "./sharedLimits.ts";

/**
 * `points` in `seconds`, by address or identity; `loopback` times as many from this machine, where bots live.
 * `counted` says where several processes count: "together" asks the store they share each time; "later" tells it now
 * and then, so that nobody waits; "here" is for what one process sees all of.
 */
const RULES = {
  /** Every call of the HTTP door, moves too: these wait for no store. */
  call: { points: 1_200, seconds: 60, loopback: 100, counted: "later" },
  /** KiB of bodies. */
  bytes: { points: 64 * 1_024, seconds: 60, loopback: 100, counted: "later" },
  identity: { points: 30, seconds: 60, loopback: 100, counted: "together" },
  create: { points: 20, seconds: 60, loopback: 100, counted: "together" },
  /** Rooms opened by rematch, by who created the first of the row. Whoever asks, from wherever: no address counts. */
  rematch: { points: 60, seconds: 60, loopback: 1, counted: "together" },
  /** Joins by code; what is found and what is not count alike, so guessing is slow. */
  join: { points: 60, seconds: 60, loopback: 100, counted: "together" },
  /** Joins of one room, whoever comes from wherever. */
  joinRoom: { points: 600, seconds: 60, loopback: 100, counted: "here" },
  /** Codes that were not there. */
  miss: { points: 20, seconds: 300, loopback: 100, counted: "together" },
  codes: { points: 30, seconds: 3_600, loopback: 100, counted: "together" },
  /** Records of matches that still run, which are made anew each time. */
  partial: { points: 20, seconds: 60, loopback: 100, counted: "here" },
  /** Moves and resignations of one seat, whatever its address. One process holds its match. */
  move: { points: 600, seconds: 60, loopback: 100, counted: "here" },
} as const;
export type Rule = keyof typeof RULES;

/** Open at once: from one address, and by one identity or seat from wherever. Each process counts its own. */
const MAX_OPEN = {
  /** Connections to the public port, of whatever kind. Behind a proxy they are the proxy's to count. */
  connection: { address: 512, who: 512 },
  /** Calls that have not been answered: those that wait for a turn, and streams. */
  call: { address: 256, who: 256 },
  stream: { address: 64, who: 64 },
  socket: { address: 256, who: 64 },
} as const;
export type Openable = keyof typeof MAX_OPEN;
const LOOPBACK_OPEN = 100_000;

export interface Limits {
  /**
   * Takes `points` (1) of an address, or of `who` (an identity, seat or room) at it; a refusal with `retry_after_s`
   * when there are not enough.
   */
  take(rule: Rule, address: string, who?: string, points?: number): Promise<Refusal | null>;
  /**
   * Null when too many are open, of the address or of `who` (an identity or seat); else what is to be called when this
   * one closes.
   */
  open(what: Openable, address: string, who?: string | null): (() => void) | null;
}

export const noLimits: Limits = { take: async () => null, open: () => () => {} };

/** `shared`: what the processes of one installation count together; left out: this is the only one. */
export function openLimits(shared: SharedLimiters | null = null): Limits {
  const near = limiters(true, shared);
  const far = limiters(false, shared);
  const opened = new Tally();
  return {
    async take(rule, address, who, points = 1) {
      const limiter = (isLoopback(address) ? near : far)[rule];
      try {
        await limiter.consume(who ?? addressKey(address), points);
        return null;
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
        return refuse("rate_limited", `Too many calls; try again in ${seconds} s.`, seconds);
      }
    },
    open(what, address, who = null) {
      const max = isLoopback(address) ? { address: LOOPBACK_OPEN, who: LOOPBACK_OPEN } : MAX_OPEN[what];
      const ofAddress = opened.add(`${what} at ${addressKey(address)}`, max.address);
      if (ofAddress === null || who === null) return ofAddress;
      const ofWho = opened.add(`${what} of ${who}`, max.who);
      if (ofWho === null) {
        ofAddress();
        return null;
      }
      return () => {
        ofAddress();
        ofWho();
      };
    },
  };
}

/** How many of each name are open. */
class Tally {
  readonly #counts = new Map<string, number>();

  /** Null when there are `max`; else what takes it off again, once. */
  add(name: string, max: number): (() => void) | null {
    const count = this.#counts.get(name) ?? 0;
    if (count >= max) return null;
    this.#counts.set(name, count + 1);
    let closed = false;
    return () => {
      if (closed) return;
      closed = true;
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    };
  }
}

type Limiter = Pick<RateLimiterAbstract, "consume">;

function limiters(loopback: boolean, shared: SharedLimiters | null): Record<Rule, Limiter> {
  const made = Object.entries(RULES).map(([rule, { points, seconds, loopback: times, counted }]) => {
    const options = {
      keyPrefix: `${loopback ? "near" : "far"}:${rule}`,
      points: loopback ? points * times : points,
      duration: seconds,
    };
    if (shared === null || counted === "here") return [rule, new RateLimiterMemory(options)];
    return [rule, counted === "together" ? shared.together(options) : shared.later(options)];
  });
  return Object.fromEntries(made) as Record<Rule, Limiter>;
}
