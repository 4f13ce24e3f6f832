/** Reading the log of a match: its own file and, after it, what is still only in the journal. */
import { readFile } from "node:fs/promises";
import { StoreUnavailable } from "../../rooms/ports.ts";
import type { MatchId } from "../../shared/protocol/ids.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import { closeFile, codeOf, openFile, readAt } from "./disk.ts";
import { type Frame, parseFrame } from "./frame.ts";
import type { MatchFiles } from "./matchFiles.ts";
import { segmentPath } from "./segments.ts";
import type { Tracked, TrackedRef } from "./tracked.ts";

export interface ReadLog {
  readonly entries: readonly LogEntry[];
  /** Its last frame says that the match is over. */
  readonly over: boolean;
}

/** Gives the line of a reference, with its newline. */
export type JournalSource = (ref: TrackedRef) => Promise<Buffer>;

/** A segment is removed when its entries lie in the files, so whoever misses it looks again, and finds them there. */
const ATTEMPTS = 5;

export class LogReader {
  readonly #journalDir: string;
  readonly #files: MatchFiles;

  constructor(journalDir: string, files: MatchFiles) {
    this.#journalDir = journalDir;
    this.#files = files;
  }

  /**
   * The whole durable log; null when there is none. `match`: what is known of it in memory.
   * Rejects with StoreUnavailable when the disk cannot be read or entries that were there are missing.
   */
  async read(id: MatchId, match: Tracked | undefined, source = this.#single()): Promise<ReadLog | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#readOnce(id, match, source);
      } catch (cause) {
        if (cause instanceof StoreUnavailable) throw cause;
        if (codeOf(cause) === undefined) throw cause;
        if (codeOf(cause) !== "ENOENT" || attempt === ATTEMPTS) {
          throw new StoreUnavailable(`the log of ${id} cannot be read`, { cause });
        }
      }
    }
  }

  /** A source that loads each segment once, for reading many logs in a row. */
  bulk(): JournalSource {
    const segments = new Map<number, Promise<Buffer>>();
    return async ({ seq, offset, length }) => {
      const loading = segments.get(seq) ?? readFile(segmentPath(this.#journalDir, seq));
      segments.set(seq, loading);
      return (await loading).subarray(offset, offset + length);
    };
  }

  async #readOnce(id: MatchId, match: Tracked | undefined, source: JournalSource): Promise<ReadLog | null> {
    const known = match?.version ?? 0;
    const late: (Frame | null)[] = [];
    // The journal first: what moves meanwhile from there into the file is then seen twice, not missed.
    for (const ref of [...(match?.refs ?? [])]) late.push(parseFrame((await source(ref)).subarray(0, ref.length - 1)));
    // Most matches of a start after a crash lie in the journal as a whole: a look for each file would be its longest part.
    const earlier = late[0]?.version === 0 ? [] : (await this.#files.readLog(id)).frames;
    const entries: LogEntry[] = [];
    let over = false;
    for (const frame of [...earlier, ...late]) {
      if (frame === null || frame.match !== id || frame.version > entries.length) break;
      if (frame.version === entries.length) entries.push(...(JSON.parse(frame.payload) as LogEntry[]));
      if (frame.kind === "last") over = true;
    }
    if (entries.length === 0 && known === 0) return null;
    // What memory does not know any more was over when it was forgotten.
    if (entries.length < known || (match === undefined && !over)) {
      throw new StoreUnavailable(`the log of ${id} is damaged after entry ${entries.length}`);
    }
    return { entries, over };
  }

  #single(): JournalSource {
    return async ({ seq, offset, length }) => {
      const fd = await openFile(segmentPath(this.#journalDir, seq), "r");
      try {
        return await readAt(fd, length, offset);
      } finally {
        await closeFile(fd);
      }
    };
  }
}
