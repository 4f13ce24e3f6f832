/**
 * The list of finished matches: one line each, only ever appended to. At start its end is read; the newest are kept
 * at hand, however many there are.
 */
import { join } from "node:path";
import type { MatchId } from "../../shared/protocol/ids.ts";
import { closeFile, codeOf, openFile, readAt, realWrites, sizeOf, syncFolder, writeAll } from "./disk.ts";
import { frameLines, makeFrame } from "./frame.ts";
import type { FinishedMatch } from "./MatchStore.ts";

export const KEPT_AT_HAND = 200;
/** Some thousand lines: as many as end in the minutes in which their rooms may be opened again. */
const TAIL_BYTES = 2 << 20;

export class FinishedList {
  readonly #dir: string;
  readonly #path: string;
  /** Newest last. */
  readonly #newest = new Map<MatchId, FinishedMatch>();
  #last: Promise<void> = Promise.resolve();

  constructor(dir: string) {
    this.#dir = dir;
    this.#path = join(dir, "finished.log");
  }

  /** Reads the end of the file, if there is one. Returns all that it says, oldest first. */
  async load(): Promise<FinishedMatch[]> {
    const found: FinishedMatch[] = [];
    const fd = await openFile(this.#path, "r").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    });
    if (fd === null) return found;
    try {
      for (const { frame } of frameLines(await tail(fd))) {
        if (frame !== null) found.push(JSON.parse(frame.payload) as FinishedMatch);
      }
    } finally {
      await closeFile(fd);
    }
    for (const match of found.slice(-KEPT_AT_HAND)) this.#keep(match);
    return found;
  }

  has(id: MatchId): boolean {
    return this.#newest.has(id);
  }

  newest(limit: number): FinishedMatch[] {
    return [...this.#newest.values()].reverse().slice(0, Math.max(0, limit));
  }

  /** Appends durably, one after another. */
  add(match: FinishedMatch): Promise<void> {
    const adding = this.#last.then(() => this.#append(match));
    this.#last = adding.catch(() => {});
    return adding;
  }

  async #append(match: FinishedMatch): Promise<void> {
    const payload = JSON.stringify(match);
    const line = makeFrame({ kind: "last", batch: 0, match: match.match_id, version: 0, count: 0, payload });
    const fd = await openFile(this.#path, "a+", 0o600);
    try {
      const end = await tail(fd, 1);
      // A line that a crash cut short must not swallow this one.
      const text = end.length > 0 && end[0] !== 10 ? `\n${line}` : line;
      await writeAll(realWrites, fd, Buffer.from(text), await sizeOf(fd));
      await realWrites.sync(fd);
    } finally {
      await closeFile(fd);
    }
    if (this.#newest.size === 0) await syncFolder(this.#dir);
    this.#keep(match);
  }

  #keep(match: FinishedMatch): void {
    this.#newest.delete(match.match_id);
    this.#newest.set(match.match_id, match);
    if (this.#newest.size > KEPT_AT_HAND) {
      const [oldest] = this.#newest.keys();
      if (oldest !== undefined) this.#newest.delete(oldest);
    }
  }
}

async function tail(fd: number, length = TAIL_BYTES): Promise<Buffer> {
  const size = await sizeOf(fd);
  return readAt(fd, Math.min(length, size), Math.max(0, size - length));
}
