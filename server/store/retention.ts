/**
 * How long matches that are over are kept: their logs, their records, their lines in the list. Whoever sets nothing
 * keeps all. What is not over, and what has just ended, stays whatever the settings say.
 */
export interface Retention {
  /** Days after its end; null: for ever. */
  readonly days: number | null;
  /** The newest that many; null: all. */
  readonly matches: number | null;
  /** Milliseconds for which a match is kept in any case: its room may still be open, somebody may fetch its record. */
  readonly leastMs: number;
  /** Milliseconds between two rounds. */
  readonly everyMs: number;
}

const HOUR_MS = 60 * 60 * 1_000;

export const KEEP_ALL: Retention = { days: null, matches: null, leastMs: HOUR_MS, everyMs: HOUR_MS };

export function keepsAll({ days, matches }: Retention): boolean {
  return days === null && matches === null;
}

/** Unix ms: what ended before is too old. Null: nothing is. */
export function tooOldBefore({ days, leastMs }: Retention, nowMs: number): number | null {
  return days === null ? null : nowMs - Math.max(days * 24 * HOUR_MS, leastMs);
}

/** Unix ms: what ended before may go when there are too many. */
export function settledBefore({ leastMs }: Retention, nowMs: number): number {
  return nowMs - leastMs;
}
