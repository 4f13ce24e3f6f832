/** How often who may do what. Numbers are in this one place; counters live in this process. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Refusal, refuse } from "../shared/protocol/codes.ts";
import { addressKey, isLoopback } from "./address.ts";

/** `points` in `seconds`, by address or identity; `loopback` times as many from this machine, where bots live. */
const RULES = {
  /** Every call of the HTTP door. */
  call: { points: 1_200, seconds: 60, loopback: 100 },
  identity: { points: 30, seconds: 60, loopback: 100 },
  create: { points: 20, seconds: 60, loopback: 100 },
  /** Rooms opened by rematch, by who created the first of the row. Whoever asks, from wherever: no address counts. */
  rematch: { points: 60, seconds: 60, loopback: 1 },
  /** Joins by code; what is found and what is not count alike, so guessing is slow. */
  join: { points: 60, seconds: 60, loopback: 100 },
  /** Codes that were not there. */
  miss: { points: 20, seconds: 300, loopback: 100 },
  codes: { points: 30, seconds: 3_600, loopback: 100 },
  /** Records of matches that still run, which are made anew each time. */
  partial: { points: 20, seconds: 60, loopback: 100 },
  /** Moves and resignations of one seat, whatever its address. */
  move: { points: 600, seconds: 60, loopback: 100 },
} as const;
export type Rule = keyof typeof RULES;

/** Streams, and sockets, open at once from one address. */
const MAX_OPEN = { stream: 64, socket: 256 } as const;
const LOOPBACK_OPEN = 100_000;

export interface Limits {
  /**
   * Takes one point of an address, or of `who` (an identity or seat) at it; a refusal with `retry_after_s` when
   * there is none.
   */
  take(rule: Rule, address: string, who?: string): Promise<Refusal | null>;
  /** Null when too many are open; else what is to be called when this one closes. */
  open(what: keyof typeof MAX_OPEN, address: string): (() => void) | null;
}

export const noLimits: Limits = { take: async () => null, open: () => () => {} };

export function openLimits(): Limits {
  const near = limiters(true);
  const far = limiters(false);
  const opened = new Map<string, number>();
  return {
    async take(rule, address, who) {
      const limiter = (isLoopback(address) ? near : far)[rule];
      try {
        await limiter.consume(who ?? addressKey(address));
        return null;
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
        return refuse("rate_limited", `Too many calls; try again in ${seconds} s.`, seconds);
      }
    },
    open(what, address) {
      const key = `${what} ${addressKey(address)}`;
      const count = opened.get(key) ?? 0;
      if (count >= (isLoopback(address) ? LOOPBACK_OPEN : MAX_OPEN[what])) return null;
      opened.set(key, count + 1);
      let closed = false;
      return () => {
        if (closed) return;
        closed = true;
        const left = (opened.get(key) ?? 1) - 1;
        if (left > 0) opened.set(key, left);
        else opened.delete(key);
      };
    },
  };
}

function limiters(loopback: boolean): Record<Rule, RateLimiterMemory> {
  const made = Object.entries(RULES).map(([rule, { points, seconds, loopback: times }]) => [
    rule,
    new RateLimiterMemory({ points: loopback ? points * times : points, duration: seconds }),
  ]);
  return Object.fromEntries(made) as Record<Rule, RateLimiterMemory>;
}
