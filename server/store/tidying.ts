/**
 * What follows an acknowledgement in the background: the record of a match that is over, and complete segments of the
 * journal emptied into the matches' own files.
 */
import { type Reporter, StoreUnavailable } from "../../rooms/ports.ts";
import type { MatchId } from "../../shared/protocol/ids.ts";
import { codeOf, removeFile, renameFile, syncFolder } from "./disk.ts";
import type { FinishedList } from "./finishedList.ts";
import { flushSegment } from "./flush.ts";
import type { LogReader } from "./logReader.ts";
import type { Seal } from "./MatchStore.ts";
import type { MatchFiles } from "./matchFiles.ts";
import { segmentPath } from "./segments.ts";
import type { TrackedMatches } from "./tracked.ts";

export interface Segment {
  readonly seq: number;
  /** Bytes. */
  readonly size: number;
}

export interface TidyingPorts {
  readonly journalDir: string;
  readonly matches: TrackedMatches;
  readonly files: MatchFiles;
  readonly list: FinishedList;
  readonly reader: LogReader;
  readonly report: Reporter;
  readonly seal: Seal;
  /** Whether the journal has a segment at work: without one nothing on disk would tell which matches are not over. */
  isJournalOpen(): boolean;
  isStoreOpen(): boolean;
}

export class Tidying {
  readonly #ports: TidyingPorts;
  /** Segments that are complete, oldest first. */
  #complete: Segment[] = [];
  readonly #toSeal = new Set<MatchId>();
  readonly #sealing = new Map<MatchId, Promise<string | null>>();
  #atWork: MatchId | null = null;

  constructor(ports: TidyingPorts) {
    this.#ports = ports;
  }

  /** The match that is being sealed, for whoever reports what went wrong. */
  get atWork(): MatchId | null {
    return this.#atWork;
  }

  get newestComplete(): Segment | null {
    return this.#complete.at(-1) ?? null;
  }

  /** A segment gets no more entries. */
  completed(segment: Segment): void {
    if (this.newestComplete?.seq !== segment.seq) this.#complete.push(segment);
  }

  /** A match is over. */
  ended(id: MatchId): void {
    this.#toSeal.add(id);
  }

  /** Seals a match that is over, or empties the oldest complete segment; false when there is neither. */
  async step(): Promise<boolean> {
    this.#atWork = null;
    const [id] = this.#toSeal;
    if (id !== undefined) {
      await this.#sealInTurn(id);
      return true;
    }
    const [oldest] = this.#complete;
    if (oldest === undefined || !this.#ports.isJournalOpen()) return false;
    await this.#empty(oldest);
    return true;
  }

  /** The record of a match that is over: made once, then always the same. Null when there is none to make. */
  record(id: MatchId): Promise<string | null> {
    const running = this.#sealing.get(id) ?? this.#makeRecord(id).finally(() => this.#sealing.delete(id));
    this.#sealing.set(id, running);
    return running;
  }

  async #sealInTurn(id: MatchId): Promise<void> {
    this.#atWork = id;
    try {
      await this.record(id);
      this.#atWork = null;
    } catch (error) {
      if (codeOf(error) !== undefined || error instanceof StoreUnavailable) throw error;
      // A log that does not fold stays as it is, and must not hold up the others.
      this.#ports.report.error(error, { match_id: id, at: "store.seal" });
      this.#sealed(id);
    }
  }

  async #makeRecord(id: MatchId): Promise<string | null> {
    const { files, list, matches, reader, seal } = this.#ports;
    const there = await files.readRecord(id);
    if (there === null || !list.has(id)) {
      const log = await reader.read(id, matches.get(id));
      if (log === null || !log.over) return null;
      const sealed = await seal(log.entries);
      if (sealed !== null) {
        const text = there ?? sealed.lines.map((line) => `${line}\n`).join("");
        if (there === null) await files.writeRecord(id, text);
        if (!list.has(id)) await list.add(sealed.summary);
        this.#sealed(id);
        return text;
      }
    }
    this.#sealed(id);
    return there;
  }

  #sealed(id: MatchId): void {
    const { matches } = this.#ports;
    this.#toSeal.delete(id);
    const match = matches.get(id);
    if (match === undefined) return;
    match.sealed = true;
    if (match.refs.length === 0) matches.remove(match);
  }

  async #empty(segment: Segment): Promise<void> {
    const { journalDir, files, matches: tracked, report, isStoreOpen } = this.#ports;
    const path = segmentPath(journalDir, segment.seq);
    const flushed = await flushSegment(path, segment.size, files, isStoreOpen);
    if (flushed === null) return;
    const { matches, problems } = flushed;
    for (const id of matches) if (this.#toSeal.has(id)) await this.#sealInTurn(id);
    // From here on readers look into the files.
    tracked.release(segment.seq);
    if (problems.length > 0) {
      for (const { matchId, problem } of problems) {
        const about = matchId === null ? {} : { match_id: matchId };
        report.error(new Error(`kept ${path}.damaged: ${problem}`), { ...about, at: "store.flush" });
      }
      await renameFile(path, `${path}.damaged`);
    } else {
      await removeFile(path);
    }
    await syncFolder(journalDir);
    this.#complete = this.#complete.filter((s) => s.seq !== segment.seq);
  }
}
