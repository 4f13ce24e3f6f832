/**
 * The journal: one file at a time for all matches of a process, and one sync for all that arrived while the one
 * before ran (group commit). What fails is never assumed to be there or not to be: the segment is given up, and
 * nothing is written until a new one is durable whose header cuts the failed bytes off (segments.ts).
 */
import { StoreUnavailable } from "../../rooms/ports.ts";
import { closeFile, type DiskWrites, openFile, removeFile, syncFolder, truncateFile, writeAll } from "./disk.ts";
import { type FrameKind, makeFrame } from "./frame.ts";
import { type OpenMatch, type SegmentHeader, segmentPath } from "./segments.ts";

export interface FrameRef {
  readonly seq: number;
  readonly offset: number;
  readonly length: number;
}

export interface JournalEntry {
  readonly kind: Exclude<FrameKind, "header">;
  readonly match: string;
  readonly version: number;
  readonly count: number;
  readonly payload: string;
  /** Called once the frame is durable, before any promise settles. */
  readonly done: (ref: FrameRef) => void;
  /** Called instead when it is not known to be. */
  readonly failed: () => void;
}

export interface JournalOptions {
  readonly dir: string;
  readonly nextSeq: number;
  readonly previous: SegmentHeader["previous"];
  readonly writes: DiskWrites;
  /** Least time between the starts of two commits in milliseconds. */
  readonly windowMs: number;
  /** A segment that has grown past this many bytes is followed by a new one. */
  readonly segmentBytes: number;
  /** The matches that are not over, for a new header. */
  readonly open: () => OpenMatch[];
  /** A last entry for the batch that is about to be written, or null. */
  readonly rider: () => JournalEntry | null;
  /** A new segment is durable; the one before is complete and ends at `size`. */
  readonly onRotate: (before: { readonly seq: number; readonly size: number }) => void;
  readonly onCommit: (commit: {
    readonly milliseconds: number;
    readonly frames: number;
    readonly bytes: number;
  }) => void;
}

interface Pending {
  readonly entry: JournalEntry;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Segment {
  readonly seq: number;
  readonly fd: number;
  size: number;
  batch: number;
}

const MAX_BATCH_BYTES = 4 << 20;

export class Journal {
  readonly #options: JournalOptions;
  #queue: Pending[] = [];
  #running: Promise<void> | null = null;
  #segment: Segment | null = null;
  #previous: SegmentHeader["previous"];
  #nextSeq: number;
  #lastStart = Number.NEGATIVE_INFINITY;
  #refusal: StoreUnavailable | null = null;
  #renewing = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#previous = options.previous;
    this.#nextSeq = options.nextSeq;
  }

  /** Number of the segment being written; null while there is none. */
  get currentSeq(): number | null {
    return this.#segment?.seq ?? null;
  }

  /** Resolves when the entry is durable; rejects with StoreUnavailable when it is not known to be. */
  append(entry: JournalEntry): Promise<void> {
    if (this.#refusal !== null) {
      entry.failed();
      return Promise.reject(this.#refusal);
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ entry, resolve, reject });
      this.#wake();
    });
  }

  /** Commits the rider alone if nothing else is on its way. */
  nudge(): void {
    if (this.#refusal === null) this.#wake();
  }

  /** Begins a new segment now, also when nothing is to be written, so that the one before can be emptied. */
  renew(): void {
    this.#renewing = true;
    this.nudge();
  }

  /** Opens the first segment now, so that older ones may go. Rejects when the disk does not let it. */
  async start(): Promise<void> {
    this.#segment ??= await this.#openSegment();
  }

  /** From now on every append rejects with `reason`; resolves when those before and the last rider are settled. */
  async stop(reason: StoreUnavailable): Promise<void> {
    this.#refusal ??= reason;
    while (this.#running !== null) await this.#running;
    this.#wake();
    while (this.#running !== null) await this.#running;
    const segment = this.#segment;
    this.#segment = null;
    if (segment !== null) await closeFile(segment.fd);
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#queue.length > 0) this.#wake();
    });
  }

  async #run(): Promise<void> {
    // Everything that the event loop brings in this round goes into one batch.
    await new Promise((resolve) => setImmediate(resolve));
    do {
      const wait = this.#lastStart + this.#options.windowMs - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      this.#lastStart = performance.now();
      const batch = this.#takeBatch();
      const rider = this.#options.rider();
      const entries = batch.map((p) => p.entry);
      if (rider !== null) entries.push(rider);
      if (entries.length === 0) {
        // A disk that refuses is met again with the next entry.
        if (this.#renewing) await this.#segmentForWriting().catch(() => {});
        return;
      }
      const result = await this.#commit(entries).catch((cause: unknown) => ({ cause }));
      if ("cause" in result) {
        // What waits may build on what failed.
        const all = [...batch, ...this.#queue.splice(0)];
        const error = new StoreUnavailable("the journal could not be written", { cause: result.cause });
        for (const { entry } of all) entry.failed();
        rider?.failed();
        for (const pending of all) pending.reject(error);
        continue;
      }
      entries.forEach((entry, i) => {
        entry.done(result.refs[i] as FrameRef);
      });
      for (const pending of batch) pending.resolve();
      const milliseconds = performance.now() - this.#lastStart;
      this.#options.onCommit({ milliseconds, frames: entries.length, bytes: result.bytes });
    } while (this.#queue.length > 0);
  }

  #takeBatch(): Pending[] {
    let bytes = 0;
    const fits = this.#queue.findIndex((p) => {
      bytes += p.entry.payload.length;
      return bytes > MAX_BATCH_BYTES;
    });
    return this.#queue.splice(0, fits < 0 ? this.#queue.length : Math.max(1, fits));
  }

  async #commit(entries: readonly JournalEntry[]): Promise<{ refs: FrameRef[]; bytes: number }> {
    const segment = await this.#segmentForWriting();
    const { writes } = this.#options;
    const batch = segment.batch + 1;
    const refs: FrameRef[] = [];
    let text = "";
    let offset = segment.size;
    for (const { kind, match, version, count, payload } of entries) {
      const line = makeFrame({ kind, batch, match, version, count, payload });
      const length = Buffer.byteLength(line);
      refs.push({ seq: segment.seq, offset, length });
      offset += length;
      text += line;
    }
    const bytes = Buffer.from(text);
    try {
      await writeAll(writes, segment.fd, bytes, segment.size);
      await writes.sync(segment.fd);
    } catch (error) {
      await this.#giveUp(segment);
      throw error;
    }
    segment.batch = batch;
    segment.size = offset;
    this.#previous = { seq: segment.seq, size: offset };
    return { refs, bytes: bytes.length };
  }

  async #segmentForWriting(): Promise<Segment> {
    const segment = this.#segment;
    const before = this.#previous;
    if (segment !== null && segment.size < this.#options.segmentBytes && !this.#renewing) return segment;
    const next = await this.#openSegment();
    this.#renewing = false;
    this.#segment = next;
    if (segment !== null) await closeFile(segment.fd).catch(() => {});
    if (before !== null) this.#options.onRotate(before);
    return next;
  }

  /** A file whose sync has failed tells nothing any more: not even a later sync that succeeds. */
  async #giveUp(segment: Segment): Promise<void> {
    this.#segment = null;
    // Only to give the room back; the next header is what cuts.
    await truncateFile(segment.fd, segment.size).catch(() => {});
    await closeFile(segment.fd).catch(() => {});
  }

  async #openSegment(): Promise<Segment> {
    const { dir, writes, open } = this.#options;
    const seq = this.#nextSeq++;
    const path = segmentPath(dir, seq);
    const header: SegmentHeader = { previous: this.#previous, open: open() };
    const bytes = Buffer.from(
      makeFrame({ kind: "header", batch: 0, match: "-", version: 0, count: 0, payload: JSON.stringify(header) }),
    );
    const fd = await openFile(path, "wx", 0o600);
    try {
      await writeAll(writes, fd, bytes, 0);
      await writes.sync(fd);
      await syncFolder(dir);
    } catch (error) {
      await closeFile(fd).catch(() => {});
      await removeFile(path).catch(() => {});
      throw error;
    }
    this.#previous = { seq, size: bytes.length };
    return { seq, fd, size: bytes.length, batch: 0 };
  }
}
