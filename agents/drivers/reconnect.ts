/** When a client comes back, and after how long (PROTOCOL 5). */

/** Close codes after which the seat is still there. */
export const COMES_BACK: ReadonlySet<number> = new Set([1001, 1005, 1006, 4001, 4003, 4010]);

/** Refusals of a join that asking again does not change. */
export const HOPELESS: ReadonlySet<string> = new Set(["bad_request", "unauthorized", "forbidden", "room_closed"]);

export interface JoinFailure {
  /** The refusal's code, null when there was no answer at all. */
  readonly code: string | null;
}

/** A join that failed: refusals come as an error whose text begins with their code. */
export function joinFailure(error: unknown): JoinFailure {
  const text = error instanceof Error ? error.message : "";
  return { code: /^([a-z_]+): /.exec(text)?.[1] ?? null };
}

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** 1, 2, 4 … 30 s. */
export function backoffMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
}
