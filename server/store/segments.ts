/**
 * The journal's segments on disk: reading what a process before left, and cutting what it never acknowledged.
 *
 * Every segment begins with a header frame that says where the segment before it ends (`previous`) and which matches
 * were not over (`open`). No process writes into a segment that another one made, or that a write has failed in: the
 * next header fixes the older segment's valid length for ever, so bytes after it can never come back.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { listFolder, removeFile } from "./disk.ts";
import { type Frame, frameLines } from "./frame.ts";

/** [match id, room code, version, version of the sign of life, its milliseconds]; −1, 0 without a sign. */
export type OpenMatch = readonly [
  id: string,
  code: string,
  version: number,
  aliveVersion: number,
  aliveElapsedMs: number,
];

export interface SegmentHeader {
  readonly previous: { readonly seq: number; readonly size: number } | null;
  readonly open: readonly OpenMatch[];
}

export interface FoundFrame {
  readonly frame: Frame;
  readonly offset: number;
  readonly length: number;
}

export interface FoundSegment {
  readonly seq: number;
  readonly header: SegmentHeader;
  /** Valid bytes from the start of the file. */
  readonly size: number;
  /** All but the header. */
  readonly frames: readonly FoundFrame[];
  /** Lines inside the valid part whose checksum fails: not torn, but rotten. */
  readonly damaged: number;
}

const NAME = /^(\d{10})\.seg$/;

export function segmentPath(dir: string, seq: number): string {
  return join(dir, `${String(seq).padStart(10, "0")}.seg`);
}

/** All segments in `dir`, oldest first. Files whose header never became durable are removed: nothing was in them. */
export async function readSegments(dir: string): Promise<{ segments: FoundSegment[]; nextSeq: number }> {
  const seqs = (await listFolder(dir))
    .map((name) => Number(NAME.exec(name)?.[1] ?? Number.NaN))
    .filter((seq) => !Number.isNaN(seq))
    .sort((a, b) => a - b);
  const segments: FoundSegment[] = [];
  // From the newest to the oldest, since a header gives the length of an older segment.
  const limits = new Map<number, number>();
  for (const seq of seqs.toReversed()) {
    const segment = parseSegment(seq, await readFile(segmentPath(dir, seq)), limits.get(seq));
    if (segment === null) {
      await removeFile(segmentPath(dir, seq));
      continue;
    }
    const { previous } = segment.header;
    if (previous !== null && !limits.has(previous.seq)) limits.set(previous.seq, previous.size);
    segments.unshift(segment);
  }
  return { segments, nextSeq: (seqs.at(-1) ?? 0) + 1 };
}

/**
 * The segment of `bytes`; null without a valid header. `limit`: its valid length where a later header tells it.
 * Without a limit the tail may be torn: what a crash left of the last batch. A damaged line is rotten, not torn, when
 * a line two batches on is whole, since a batch is begun only when the one before is on the disk.
 */
export function parseSegment(seq: number, bytes: Buffer, limit?: number): FoundSegment | null {
  const valid = limit === undefined ? bytes : bytes.subarray(0, limit);
  const frames: FoundFrame[] = [];
  let header: SegmentHeader | null = null;
  let size = 0;
  let batch = 0;
  let damaged = 0;
  /** Damaged lines of which it is not yet known whether they are rotten or torn, and the whole ones after them. */
  let doubtful = 0;
  let held: FoundFrame[] = [];
  for (const { start, end, frame } of frameLines(valid)) {
    if (header === null) {
      if (frame?.kind !== "header") return null;
      header = JSON.parse(frame.payload) as SegmentHeader;
      size = end;
      continue;
    }
    if (frame === null) {
      doubtful++;
      continue;
    }
    held.push({ frame, offset: start, length: end - start });
    if (doubtful > 0 && limit === undefined && frame.batch <= batch + 1) continue;
    damaged += doubtful;
    doubtful = 0;
    frames.push(...held);
    held = [];
    batch = frame.batch;
    size = end;
  }
  if (header === null) return null;
  return limit === undefined
    ? { seq, header, size, frames, damaged }
    : { seq, header, size: limit, frames, damaged: damaged + doubtful };
}
