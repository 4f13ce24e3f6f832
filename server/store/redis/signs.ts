/** Signs of life (R9.4), gathered for a moment and sent in one call for many matches. They may be lost. */
import type { MatchId } from "../../../shared/protocol/ids.ts";
import type { Claim } from "./claims.ts";
import type { Keys } from "./keys.ts";
import type { Link } from "./link.ts";
import { makeSign } from "./stored.ts";

const GATHERED_MS = 200;
const SENT_AT_ONCE = 500;

export class Signs {
  readonly #link: Link;
  readonly #keys: Keys;
  readonly #processId: string;
  readonly #gathered = new Map<MatchId, { readonly token: string; readonly sign: string }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(link: Link, keys: Keys, processId: string) {
    this.#link = link;
    this.#keys = keys;
    this.#processId = processId;
  }

  note(id: MatchId, { token, version }: Claim, elapsedMs: number): void {
    this.#gathered.set(id, { token, sign: makeSign({ version, elapsedMs: Math.round(elapsedMs) }) });
    this.#timer ??= setTimeout(() => void this.flush(), GATHERED_MS).unref();
  }

  /** Resolves when what was noted is stored, or lost with the connection. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const all = [...this.#gathered];
    this.#gathered.clear();
    const sent: Promise<unknown>[] = [];
    for (let i = 0; i < all.length; i += SENT_AT_ONCE) {
      const some = all.slice(i, i + SENT_AT_ONCE).flatMap(([id, { token, sign }]) => [id, token, sign]);
      sent.push(this.#link.run((redis) => redis.noteAlive([], [this.#keys.prefix, this.#processId, ...some])));
    }
    await Promise.allSettled(sent);
  }
}
