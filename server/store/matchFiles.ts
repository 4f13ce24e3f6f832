/**
 * Each match's own files, derived from the journal: its log (frames, with secrets, for this user only) and, once it is
 * over, its record (PROTOCOL 10). A match id is checked before it becomes part of a path.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type MatchId, parseMatchId } from "../../shared/protocol/ids.ts";
import {
  closeFile,
  codeOf,
  listFolder,
  makeFolder,
  openFile,
  realWrites,
  removeFile,
  removeFolder,
  renameFile,
  syncFolder,
  truncateFile,
  writeAll,
} from "./disk.ts";
import { type Frame, frameLines } from "./frame.ts";

/** A frame of a match as the journal has it: `bytes` is the whole line. */
export interface MatchFrame {
  readonly version: number;
  /** Entries in it. */
  readonly count: number;
  readonly bytes: Buffer;
}

export interface LogFile {
  readonly frames: readonly Frame[];
  /** Entries in `frames`. */
  readonly version: number;
  /** Length of the valid part in bytes. */
  readonly size: number;
}

const KNOWN_FOLDERS = 64;
const DAY = /^\d{4}-\d\d-\d\d$/;
const EMPTY: LogFile = { frames: [], version: 0, size: 0 };

export class MatchFiles {
  readonly #logs: string;
  readonly #records: string;
  /** Folders that are there; a day has two. */
  readonly #known = new Set<string>();

  constructor(dir: string) {
    this.#logs = join(dir, "matches");
    this.#records = join(dir, "records");
  }

  /** Makes the two folders. */
  async prepare(): Promise<void> {
    await makeFolder(this.#logs);
    await makeFolder(this.#records);
  }

  async hasLog(id: MatchId): Promise<boolean> {
    return openFile(this.#logPath(id), "r").then(
      (fd) => closeFile(fd).then(() => true),
      (error) => unlessMissing(error, false),
    );
  }

  /** The valid beginning of the log; empty when there is none. A line cut short, and all after it, is not of it. */
  async readLog(id: MatchId): Promise<LogFile> {
    const bytes = await readFile(this.#logPath(id)).catch((error: unknown) => unlessMissing(error, null));
    return bytes === null ? EMPTY : parseLog(bytes, id);
  }

  /**
   * Appends frames that follow what is there and syncs the file; frames that it has already are skipped, a torn tail
   * is cut first. `folder`: its names must still be synced (`syncFolder`), since the file may be new. `missing`: an
   * entry that is neither there nor given, so that no frame after it could be appended; null when all are there.
   */
  async appendLog(
    id: MatchId,
    frames: readonly MatchFrame[],
  ): Promise<{ readonly folder: string; readonly missing: number | null }> {
    const path = this.#logPath(id);
    const isNew = !(await this.hasLog(id));
    if (isNew) await this.#ensureFolder(dirname(path));
    const fd = await openFile(path, isNew ? "wx+" : "r+", 0o600);
    try {
      const bytes = isNew ? null : await readFile(path);
      const there = bytes === null ? EMPTY : parseLog(bytes, id);
      if (bytes !== null && bytes.length > there.size) await truncateFile(fd, there.size);
      const fresh: Buffer[] = [];
      let version = there.version;
      let missing: number | null = null;
      for (const frame of frames) {
        if (frame.count > 0 && frame.version + frame.count <= version) continue;
        if (frame.version !== version) {
          missing = version;
          break;
        }
        fresh.push(frame.bytes);
        version += frame.count;
      }
      await writeAll(realWrites, fd, Buffer.concat(fresh), there.size);
      await realWrites.sync(fd);
      return { folder: dirname(path), missing };
    } finally {
      await closeFile(fd);
    }
  }

  /** The sealed record, or null. */
  async readRecord(id: MatchId): Promise<string | null> {
    return readFile(this.#recordPath(id), "utf8").catch((error: unknown) => unlessMissing(error, null));
  }

  /** Writes the record whole and durably, under its name only when it is complete. */
  async writeRecord(id: MatchId, text: string): Promise<void> {
    const path = this.#recordPath(id);
    await this.#ensureFolder(dirname(path));
    const draft = `${path}.draft`;
    const fd = await openFile(draft, "w", 0o600);
    try {
      await writeAll(realWrites, fd, Buffer.from(text), 0);
      await realWrites.sync(fd);
    } catch (error) {
      await removeFile(draft).catch(() => {});
      throw error;
    } finally {
      await closeFile(fd);
    }
    await renameFile(draft, path);
    await syncFolder(dirname(path));
  }

  /** The days that have folders, newest first. */
  async days(): Promise<string[]> {
    const names = await Promise.all([this.#logs, this.#records].map((folder) => listFolder(folder)));
    return [...new Set(names.flat().filter((name) => DAY.test(name)))].sort().reverse();
  }

  /** The matches made on a day that have files, newest first, each with the file that tells its end best. */
  async matchesOf(day: string): Promise<[id: MatchId, path: string][]> {
    const found = new Map<MatchId, string>();
    // The record tells better than the log, which is written when the journal is emptied.
    for (const [folder, ending] of [
      [this.#logs, ".log"],
      [this.#records, ".jsonl"],
    ] as const) {
      const names = await listFolder(join(folder, day)).catch((error: unknown) => unlessMissing(error, []));
      for (const name of names) {
        const id = name.endsWith(ending) ? parseMatchId(name.slice(0, -ending.length)) : null;
        if (id !== null) found.set(id, join(folder, day, name));
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? 1 : -1));
  }

  /** Removes the log first: a record without one is no match any more, but a log without a record would be sealed anew. */
  async remove(id: MatchId): Promise<void> {
    for (const path of [this.#logPath(id), this.#recordPath(id)]) {
      await removeFile(path).catch((error: unknown) => unlessMissing(error, undefined));
    }
  }

  /** Removes the folders of a day if nothing is in them; something may be again, later. */
  async removeDay(day: string): Promise<void> {
    for (const path of [join(this.#logs, day), join(this.#records, day)]) {
      this.#known.delete(path);
      await removeFolder(path).catch((error: unknown) => {
        if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) throw error;
      });
    }
  }

  #logPath(id: MatchId): string {
    return join(this.#logs, dayOf(id), `${id}.log`);
  }

  #recordPath(id: MatchId): string {
    return join(this.#records, dayOf(id), `${id}.jsonl`);
  }

  async #ensureFolder(path: string): Promise<void> {
    if (this.#known.has(path)) return;
    await makeFolder(path);
    if (this.#known.size >= KNOWN_FOLDERS) this.#known.clear();
    this.#known.add(path);
  }
}

/** The day in which a UUID v7 was made, so that a folder holds the matches of a day. */
function dayOf(id: MatchId): string {
  if (parseMatchId(id) === null) throw new RangeError("not a match id");
  const made = new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
  const two = (n: number) => String(n).padStart(2, "0");
  return `${made.getUTCFullYear()}-${two(made.getUTCMonth() + 1)}-${two(made.getUTCDate())}`;
}

function parseLog(bytes: Buffer, id: MatchId): LogFile {
  const frames: Frame[] = [];
  let version = 0;
  let size = 0;
  for (const { end, frame } of frameLines(bytes)) {
    if (frame === null || frame.match !== id || frame.version !== version) break;
    frames.push(frame);
    version += frame.count;
    size = end;
  }
  return { frames, version, size };
}

function unlessMissing<T>(error: unknown, otherwise: T): T {
  if (codeOf(error) === "ENOENT") return otherwise;
  throw error;
}
