/**
 * The list of finished matches: one line each, only appended to unless matches are thrown away. At start its end is read; the newest are kept
 * at hand, however many there are.
 */
import { join } from "node:path";
import type { MatchId } from "../../shared/protocol/ids.ts";
import {
  closeFile,
  codeOf,
  openFile,
  readAt,
  realWrites,
  removeFile,
  renameFile,
  sizeOf,
  syncFolder,
  writeAll,
} from "./disk.ts";
import { frameLines, makeFrame } from "./frame.ts";
import type { FinishedMatch } from "./MatchStore.ts";

export const KEPT_AT_HAND = 200;
/** Some thousand lines: as many as end in the minutes in which their rooms may be opened again. */
const TAIL_BYTES = 2 << 20;
const CHUNK_BYTES = 1 << 20;

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

  /** Writes the list anew with the lines of matches that stay: only who throws matches away pays for that. */
  keepOnly(stays: (id: MatchId) => Promise<boolean>): Promise<void> {
    const writing = this.#last.then(() => this.#keepOnly(stays));
    this.#last = writing.catch(() => {});
    return writing;
  }

  async #keepOnly(stays: (id: MatchId) => Promise<boolean>): Promise<void> {
    const draftPath = `${this.#path}.draft`;
    const fd = await openFile(this.#path, "r").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    });
    if (fd === null) return;
    const draft = await openFile(draftPath, "w", 0o600);
    try {
      const size = await sizeOf(fd);
      let written = 0;
      let rest: Buffer = Buffer.alloc(0);
      for (let at = 0; at < size; at += CHUNK_BYTES) {
        const bytes = Buffer.concat([rest, await readAt(fd, Math.min(CHUNK_BYTES, size - at), at)]);
        const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
        rest = bytes.subarray(whole.length);
        const kept: Buffer[] = [];
        for (const { start, end, frame } of frameLines(whole)) {
          if (frame !== null && (await stays(frame.match as MatchId))) kept.push(whole.subarray(start, end));
        }
        const text = Buffer.concat(kept);
        await writeAll(realWrites, draft, text, written);
        written += text.length;
      }
      await realWrites.sync(draft);
    } catch (error) {
      await removeFile(draftPath).catch(() => {});
      throw error;
    } finally {
      await closeFile(fd);
      await closeFile(draft);
    }
    await renameFile(draftPath, this.#path);
    await syncFolder(this.#dir);
    for (const id of this.#newest.keys()) if (!(await stays(id))) this.#newest.delete(id);
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
