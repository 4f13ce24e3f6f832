/**
 * Frames: the lines of which the journal and the match files are made.
 * `<crc32> <kind> <batch> <match> <version> <count> <JSON>\n`: the checksum covers everything between its blank and
 * the newline, so a line that was cut short or damaged is never taken for a whole one, and a frame is all or nothing.
 */
import { crc32 } from "node:zlib";

const LETTER_OF = { header: "h", entries: "e", last: "x", alive: "a" } as const;
export type FrameKind = keyof typeof LETTER_OF;
const KIND_OF = new Map<string, FrameKind>(
  Object.entries(LETTER_OF).map(([kind, letter]) => [letter, kind as FrameKind]),
);

export interface Frame {
  /** `entries`: of one match; `last`: the same, and the match is over; `header`, `alive`: of a journal segment. */
  readonly kind: FrameKind;
  /** Number of the write within its segment; each batch is begun only when the one before is durable. */
  readonly batch: number;
  /** Match id, or "-". */
  readonly match: string;
  /** Number of entries of the match before this frame. */
  readonly version: number;
  /** Number of entries in it. */
  readonly count: number;
  /** JSON. */
  readonly payload: string;
}

const CHECKSUM_LENGTH = 8;
const NEWLINE = 10;
const HEAD = /^([a-z]) (\d{1,15}) ([0-9a-f-]{1,36}) (\d{1,15}) (\d{1,15}) /;

export function makeFrame(frame: Frame): string {
  const { kind, batch, match, version, count, payload } = frame;
  const body = `${LETTER_OF[kind]} ${batch} ${match} ${version} ${count} ${payload}`;
  return `${crc32(body).toString(16).padStart(CHECKSUM_LENGTH, "0")} ${body}\n`;
}

/** The frame of one line without its newline; null when it is damaged or none. */
export function parseFrame(line: Buffer): Frame | null {
  if (line.length <= CHECKSUM_LENGTH || line[CHECKSUM_LENGTH] !== 32) return null;
  const sum = line.toString("latin1", 0, CHECKSUM_LENGTH);
  const bytes = line.subarray(CHECKSUM_LENGTH + 1);
  if (crc32(bytes).toString(16).padStart(CHECKSUM_LENGTH, "0") !== sum) return null;
  const body = bytes.toString("utf8");
  const head = HEAD.exec(body);
  const kind = KIND_OF.get(head?.[1] ?? "");
  if (head === null || kind === undefined) return null;
  return {
    kind,
    batch: Number(head[2]),
    match: head[3] ?? "-",
    version: Number(head[4]),
    count: Number(head[5]),
    payload: body.slice(head[0].length),
  };
}

/** A line of a file: where it lies (`end` is after its newline) and its frame, null when damaged or cut short. */
export interface FrameLine {
  readonly start: number;
  readonly end: number;
  readonly frame: Frame | null;
}

/** All lines of `bytes` in order; the last one may lack its newline and then has no frame. */
export function* frameLines(bytes: Buffer): Generator<FrameLine> {
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0) {
      yield { start, end: bytes.length, frame: null };
      return;
    }
    yield { start, end: newline + 1, frame: parseFrame(bytes.subarray(start, newline)) };
    start = newline + 1;
  }
}
