/** Those who follow a match, and what they have missed (`sync`, PROTOCOL 5). */
import type { EventMessage, PresenceMessage } from "../shared/protocol/messages.ts";
import type { MatchListener } from "./contract.ts";
import { EventRing } from "./eventRing.ts";
import type { Clock } from "./ports.ts";
import type { RematchOpened } from "./rematch.ts";

/** Many people may come at once: they are told together. */
const PRESENCE_WAIT_MS = 100;

export class Audience {
  readonly #clock: Clock;
  readonly #listeners = new Set<MatchListener>();
  readonly #ring = new EventRing();
  readonly #failed: (error: unknown, at: string) => void;
  #presenceDue: (() => void) | null = null;

  constructor(clock: Clock, failed: (error: unknown, at: string) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  listen(listener: MatchListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** All messages after `version`; null when some of them are no longer kept. */
  since(version: number, newest: number): readonly EventMessage[] | null {
    return this.#ring.since(version, newest);
  }

  event(message: EventMessage): void {
    this.#ring.add(message);
    this.#tell("event", (listener) => listener.event?.(message));
  }

  rematch(opened: RematchOpened): void {
    this.#tell("rematch", (listener) => listener.rematch?.(opened));
  }

  /** Soon tells everybody what `presence` then gives; calls in between are told together. */
  presenceSoon(presence: () => PresenceMessage): void {
    this.#presenceDue ??= this.#clock.after(PRESENCE_WAIT_MS, () => {
      this.#presenceDue = null;
      const message = presence();
      this.#tell("presence", (listener) => listener.presence?.(message));
    });
  }

  /** Tells everybody that this is the end, once. */
  retire(moved: boolean): void {
    this.stop();
    this.#tell("retired", (listener) => listener.retired?.(moved));
    this.#listeners.clear();
  }

  stop(): void {
    this.#presenceDue?.();
    this.#presenceDue = null;
  }

  #tell(at: string, tell: (listener: MatchListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        tell(listener);
      } catch (error) {
        this.#failed(error, at);
      }
    }
  }
}
