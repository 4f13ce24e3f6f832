/** Signs of life (R9.4) on their way to the journal: the newest of each match goes with the next commit. */
import type { MatchId } from "../../shared/protocol/ids.ts";
import type { JournalEntry } from "./journal.ts";
import type { AlivePayload, TrackedMatches } from "./tracked.ts";

/** They wait this long for a commit that goes anyway. */
const WAIT_MS = 200;

export class SignsOfLife {
  readonly #matches: Pick<TrackedMatches, "get">;
  readonly #nudge: () => void;
  readonly #waiting = new Map<MatchId, { readonly version: number; readonly elapsedMs: number }>();
  #timer: NodeJS.Timeout | null = null;

  /** `nudge`: there shall be a commit, although nothing was appended. */
  constructor(matches: Pick<TrackedMatches, "get">, nudge: () => void) {
    this.#matches = matches;
    this.#nudge = nudge;
  }

  /** Of matches that are not over; what is said of others has no effect. */
  note(id: MatchId, elapsedMs: number): void {
    const match = this.#matches.get(id);
    if (match === undefined || match.over || match.version === 0) return;
    this.#waiting.set(id, { version: match.version, elapsedMs: Math.round(elapsedMs) });
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#waiting.size > 0) this.#nudge();
    }, WAIT_MS).unref();
  }

  forget(id: MatchId): void {
    this.#waiting.delete(id);
  }

  /** Asks for no commit of its own any more; the last one takes along what waits. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** What goes with a commit; null when there is nothing to say. */
  take(): JournalEntry | null {
    if (this.#waiting.size === 0) return null;
    const signs = [...this.#waiting];
    this.#waiting.clear();
    const payload: AlivePayload = signs.map(([id, sign]) => [id, sign.version, sign.elapsedMs]);
    return {
      kind: "alive",
      match: "-",
      version: 0,
      count: 0,
      payload: JSON.stringify(payload),
      done: () => {
        for (const [id, sign] of signs) {
          const match = this.#matches.get(id);
          if (match !== undefined && !match.over) match.sign = sign;
        }
      },
      failed: () => {},
    };
  }
}
