/**
 * A match and its log, kept equal: an entry becomes state only when it is durable (PROTOCOL 2).
 * When an append fails nobody knows whether it was stored, so the state is dropped and the log is read again, if not at once, then before the next command.
 */

import type { Step } from "../shared/engine/index.ts";
import type { LogEntry } from "../shared/protocol/log.ts";
import { type Applied, applyEntry, type LiveMatch, LogError, openMatch } from "../shared/protocol/match.ts";
import type { MatchLog } from "./ports.ts";

export class NotStored extends Error {
  override readonly name = "NotStored";
  /** What the log turned out to hold beyond the state before: it counts, although the append failed. */
  readonly found: readonly Applied[];
  constructor(cause: unknown, found: readonly Applied[]) {
    super("the log took no entry", { cause });
    this.found = found;
  }
}

export class Journal {
  readonly #log: MatchLog;
  #match: LiveMatch;
  #stale = false;

  constructor(log: MatchLog, match: LiveMatch) {
    this.#log = log;
    this.#match = match;
  }

  get match(): LiveMatch {
    return this.#match;
  }

  /**
   * Reads the log again when that is still to be done after a failed append. Returns what it turned out to hold
   * beyond the state before. Rejects with NotStored while it cannot be read.
   */
  async refresh(): Promise<readonly Applied[]> {
    return this.#stale ? this.#reread(null) : [];
  }

  /**
   * Stores entries, all or none, and returns what they did. Rejects with NotStored when they are not known to be
   * durable, with LogError (nothing stored) when they do not fit the match. `done` as in `applyEntry`, for a first
   * entry that is a command of the match as it is.
   */
  async commit(entries: readonly LogEntry[], done?: Step): Promise<readonly Applied[]> {
    const applied = follow(this.#match, entries, done);
    const last = applied.at(-1);
    if (last === undefined) return applied;
    const over = last.match.engine.phase === "over" || last.match.closed;
    try {
      await this.#log.append(this.#match.id, this.#match.version, entries, over);
    } catch (cause) {
      this.#stale = true;
      throw new NotStored(cause, await this.#reread(cause));
    }
    this.#match = last.match;
    return applied;
  }

  async #reread(cause: unknown): Promise<readonly Applied[]> {
    let entries: readonly LogEntry[] | null;
    try {
      entries = await this.#log.read(this.#match.id);
    } catch (again) {
      throw new NotStored(cause ?? again, []);
    }
    if (entries === null) throw new LogError(`the log of ${this.#match.id} is gone`);
    // What was read has been acknowledged before: it is there, and the same, up to our version.
    if (entries.length < this.#match.version) throw new LogError(`the log of ${this.#match.id} has lost entries`);
    const found = follow(this.#match, entries.slice(this.#match.version));
    this.#match = found.at(-1)?.match ?? this.#match;
    this.#stale = false;
    return found;
  }
}

function follow(match: LiveMatch, entries: readonly LogEntry[], done?: Step): Applied[] {
  const applied: Applied[] = [];
  let now = match;
  for (const entry of entries) {
    const next = applyEntry(now, entry, now === match ? done : undefined);
    applied.push(next);
    now = next.match;
  }
  return applied;
}

export interface Resumed {
  readonly match: LiveMatch;
  /** Milliseconds the mover's clock had run in the present turn, as far as the log and the sign of life tell. */
  readonly elapsedMs: number;
}

/**
 * Folds a log and finds how far the mover's clock had run (R9.4). Refusals leave the clock running (R8.3) and say
 * how far it was, so the later of the last of them and the sign of life counts.
 */
export function resumeFrom(entries: readonly LogEntry[], aliveElapsedMs: number | null): Resumed {
  const [first, ...rest] = entries;
  if (first?.type !== "created") throw new LogError("a log begins with its created entry");
  let match = openMatch(first);
  let told = 0;
  for (const entry of rest) {
    const next = applyEntry(match, entry).match;
    if (next.engine.turn !== match.engine.turn || next.engine.currentPlayer !== match.engine.currentPlayer) told = 0;
    else if (entry.type === "refused") told = entry.elapsed_ms;
    match = next;
  }
  return { match, elapsedMs: Math.max(told, aliveElapsedMs ?? 0) };
}
