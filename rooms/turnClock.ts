/**
 * The clock of the player to move (R9.2, R9.4). It measures by the monotonic clock, wakes the holder when the limit
 * has passed, and gives a sign of life every few seconds.
 *
 * A process that stood still (stopped, swapped out, a blocked loop) could take in no command, so it did not hold the
 * match: that time is not charged, as after a restart (R9.4). It shows as a gap between two looks at the clock that
 * is longer than the sign of life allows.
 */
import type { Clock } from "./ports.ts";

/** R9.4 asks for a sign of life at least every 5 s. */
export const ALIVE_EVERY_MS = 4_000;
/** Lateness of a timer that still counts as running. */
const STALL_MS = 1_000;
/** R9.4: what a mover has at least after a time in which no process held the match. */
export const GRACE_MS = 10_000;

export interface TurnClockHooks {
  /** The limit has passed, as far as the clock can see; whoever works the queue decides. */
  expired(): void;
  alive(elapsedMs: number): void;
  /** The deadline has moved. */
  shifted(): void;
}

export class TurnClock {
  readonly #clock: Clock;
  readonly #limitMs: number | null;
  readonly #hooks: TurnClockHooks;
  #startedMs: number | null = null;
  #lastLookMs = 0;
  #cancelExpiry: () => void = () => {};
  #cancelAlive: () => void = () => {};

  /** `limitMs` null: a stopwatch without a limit. */
  constructor(clock: Clock, limitMs: number | null, hooks: TurnClockHooks) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#hooks = hooks;
  }

  /** Starts a turn of which `elapsedMs` have run already. */
  start(elapsedMs = 0): void {
    this.stop();
    const now = this.#clock.monotonicMs();
    this.#startedMs = now - elapsedMs;
    this.#lastLookMs = now;
    this.#arm();
    if (this.#limitMs !== null) this.#beat();
  }

  /** Goes on after a time in which no process held the match: at least GRACE_MS are left, or the whole limit (R9.4). */
  resume(elapsedMs: number): void {
    const limit = this.#limitMs;
    this.start(limit === null ? elapsedMs : Math.max(0, Math.min(elapsedMs, limit - Math.min(GRACE_MS, limit))));
  }

  stop(): void {
    this.#cancelExpiry();
    this.#cancelAlive();
    this.#startedMs = null;
  }

  get running(): boolean {
    return this.#startedMs !== null;
  }

  /** Milliseconds that had run at `instant` (monotonic), never more than the limit; 0 when stopped. */
  elapsedAt(instant: number): number {
    if (this.#startedMs === null) return 0;
    return Math.round(Math.min(Math.max(0, instant - this.#startedMs), this.#limitMs ?? Number.MAX_SAFE_INTEGER));
  }

  /** R9.2: a command at the limit or before it counts; after it, the mover is out first. */
  expiredAt(instant: number): boolean {
    const deadline = this.#deadline();
    return deadline !== null && instant > deadline;
  }

  /** Unix milliseconds at which the mover is out; null without a running limit. */
  deadlineWallMs(): number | null {
    const deadline = this.#deadline();
    return deadline === null ? null : Math.round(this.#clock.wallMs() + (deadline - this.#clock.monotonicMs()));
  }

  /** Looks at the clock; to be called whenever something arrives. Returns the monotonic instant. */
  look(): number {
    const now = this.#clock.monotonicMs();
    const gap = now - this.#lastLookMs;
    this.#lastLookMs = now;
    if (this.#startedMs !== null && this.#limitMs !== null && gap > ALIVE_EVERY_MS + STALL_MS) {
      this.#startedMs += gap - ALIVE_EVERY_MS;
      this.#arm();
      this.#hooks.shifted();
    }
    return now;
  }

  #deadline(): number | null {
    return this.#startedMs === null || this.#limitMs === null ? null : this.#startedMs + this.#limitMs;
  }

  #arm(): void {
    this.#cancelExpiry();
    const deadline = this.#deadline();
    if (deadline === null) return;
    // One millisecond more, because at the limit itself a command still counts.
    const wait = Math.max(0, Math.ceil(deadline - this.#clock.monotonicMs())) + 1;
    this.#cancelExpiry = this.#clock.after(wait, () => {
      if (this.expiredAt(this.look())) this.#hooks.expired();
      else this.#arm();
    });
  }

  #beat(): void {
    this.#cancelAlive = this.#clock.after(ALIVE_EVERY_MS, () => {
      const now = this.look();
      if (this.#startedMs === null) return;
      this.#hooks.alive(this.elapsedAt(now));
      this.#beat();
    });
  }
}
