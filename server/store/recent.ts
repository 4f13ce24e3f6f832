import type { MatchId } from "../../shared/protocol/ids.ts";

/** Matches of the last minutes, by something that stands for each. What is older is forgotten when more is noted. */
export class Recent<Key> {
  readonly #keptMs: number;
  /** Roughly oldest first. */
  readonly #found = new Map<Key, { readonly id: MatchId; readonly atMs: number }>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  get(key: Key): MatchId | undefined {
    return this.#found.get(key)?.id;
  }

  /** `atMs`: Unix milliseconds; the newest so far tell what time it is. */
  note(key: Key, id: MatchId, atMs: number): void {
    this.#found.delete(key);
    this.#found.set(key, { id, atMs });
    for (const [oldest, { atMs: then }] of this.#found) {
      if (then >= atMs - this.#keptMs) break;
      this.#found.delete(oldest);
    }
  }
}
