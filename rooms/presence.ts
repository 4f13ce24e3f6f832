/**
 * Who is there (PROTOCOL 1): a seat is connected while a socket is open for it or a call with its token came within
 * 30 s. Nothing of it is stored.
 */
import type { PlayerId } from "../shared/engine/index.ts";
import type { Clock } from "./ports.ts";

const CALL_COUNTS_MS = 30_000;

export class Presence {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #sockets = new Map<PlayerId, number>();
  readonly #calls = new Map<PlayerId, { readonly cancel: () => void }>();
  #spectators = 0;

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get spectators(): number {
    return this.#spectators;
  }

  connected(): Set<PlayerId> {
    return new Set([...this.#sockets.keys(), ...this.#calls.keys()]);
  }

  /** A socket has been opened for a seat, or by a spectator (null). Returns what is to be called, once, when it closes. */
  open(seat: PlayerId | null): () => void {
    let closed = false;
    this.#count(seat, 1);
    return () => {
      if (closed) return;
      closed = true;
      this.#count(seat, -1);
    };
  }

  /** A call with the seat's token has come. */
  called(seat: PlayerId): void {
    const before = this.#calls.get(seat);
    before?.cancel();
    const cancel = this.#clock.after(CALL_COUNTS_MS, () => {
      this.#calls.delete(seat);
      this.#changed();
    });
    this.#calls.set(seat, { cancel });
    if (before === undefined && !this.#sockets.has(seat)) this.#changed();
  }

  /** The seat has been given up: calls made for it no longer count. */
  forget(seat: PlayerId): void {
    this.#calls.get(seat)?.cancel();
    this.#calls.delete(seat);
  }

  stop(): void {
    for (const call of this.#calls.values()) call.cancel();
    this.#calls.clear();
  }

  #count(seat: PlayerId | null, by: 1 | -1): void {
    if (seat === null) {
      this.#spectators += by;
    } else {
      const sockets = (this.#sockets.get(seat) ?? 0) + by;
      if (sockets > 0) this.#sockets.set(seat, sockets);
      else this.#sockets.delete(seat);
    }
    this.#changed();
  }
}
