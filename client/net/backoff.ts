/** When a lost connection is tried again (PROTOCOL 5). */

/** Close codes after which the seat is still ours and the room may be there. */
export const RETRY_CODES: ReadonlySet<number> = new Set([1001, 1005, 1006, 4001, 4003, 4010]);

/** Milliseconds before attempt `n` (1, 2, …): 1, 2, 4 … 30 s. */
export function retryDelayMs(n: number): number {
  return Math.min(30, 2 ** Math.max(0, n - 1)) * 1000;
}
