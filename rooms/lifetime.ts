/** How long a match stays without anybody doing anything (PROTOCOL 2, R9.5). */
import type { PlayerId } from "../shared/engine/index.ts";
import type { LiveMatch } from "../shared/protocol/match.ts";
import type { Clock } from "./ports.ts";

const MINUTE_MS = 60_000;
/** A waiting room without a connected seat. */
export const WAITING_LIMIT_MS = 30 * MINUTE_MS;
/** A room after the end of its match; so long a rematch can be asked for. */
export const AFTER_OVER_MS = 10 * MINUTE_MS;
/** R9.5: a match without a clock that gets no command. */
export const ABANDONED_MS = 7 * 24 * 60 * MINUTE_MS;
/** Time to follow to the rematch. */
const AFTER_REMATCH_MS = 30_000;

export interface LifetimeHooks {
  close(): void;
  abandon(): void;
  retire(): void;
}

type Reason = "waiting" | "idle" | "over" | "none";

export class Lifetime {
  readonly #clock: Clock;
  readonly #hooks: LifetimeHooks;
  #cancel: () => void = () => {};
  #idleForMs: number;
  /** What the timer waits for; the same again does not start it anew. */
  #key = "";

  /** `idleForMs`: how long ago the last entry was stored, when the match is taken up again. */
  constructor(clock: Clock, hooks: LifetimeHooks, idleForMs: number) {
    this.#clock = clock;
    this.#hooks = hooks;
    this.#idleForMs = idleForMs;
  }

  /** To be called whenever the match or the connections have changed. `guests`: connected seats not of the house. */
  update(match: LiveMatch, guests: ReadonlySet<PlayerId>): void {
    const [reason, waitMs, key] = this.#next(match, guests);
    if (key === this.#key) return;
    if (this.#key !== "") this.#idleForMs = 0;
    this.#key = key;
    this.#cancel();
    if (reason === "none") return;
    this.#cancel = this.#clock.after(waitMs, () => {
      if (reason === "waiting") this.#hooks.close();
      else if (reason === "idle") this.#hooks.abandon();
      else this.#hooks.retire();
    });
  }

  /** The end could not be stored: waits once more. */
  again(match: LiveMatch, guests: ReadonlySet<PlayerId>): void {
    this.#key = "again";
    this.update(match, guests);
  }

  /** The players have gone on to a rematch. */
  rematched(): void {
    this.stop();
    this.#key = "rematched";
    this.#cancel = this.#clock.after(AFTER_REMATCH_MS, () => this.#hooks.retire());
  }

  stop(): void {
    this.#cancel();
    this.#cancel = () => {};
  }

  #next(match: LiveMatch, guests: ReadonlySet<PlayerId>): readonly [reason: Reason, waitMs: number, key: string] {
    if (this.#key === "rematched") return ["none", 0, "rematched"];
    if (match.closed) return ["none", 0, "closed"];
    switch (match.engine.phase) {
      case "waiting":
        return guests.size > 0 ? ["none", 0, "met"] : ["waiting", WAITING_LIMIT_MS, "alone"];
      case "playing":
        return match.options.turn_seconds === null
          ? ["idle", Math.max(0, ABANDONED_MS - this.#idleForMs), `idle since ${match.version}`]
          : ["none", 0, "playing"];
      case "over":
        return ["over", Math.max(0, AFTER_OVER_MS - this.#idleForMs), "over"];
    }
  }
}
