/**
 * When a key signs and until when what it signed is believed. A new key lies in every process for some seconds before
 * it signs, so that no process is shown anything by a key that it does not know yet.
 */
import { z } from "zod";

export const periodSchema = z.object({
  /** Unix ms from which it signs. */
  from_ms: z.number().int().nonnegative(),
  /** Unix ms until which what it signed is believed; null: for good. */
  until_ms: z.number().int().nonnegative().nullable(),
});
export type Period = z.infer<typeof periodSchema>;

/** The key that signs at an instant: the newest that may, of those that can; if none may yet, the newest. Oldest first. */
export function signingAt<T extends Period>(keys: readonly T[], nowMs: number, can: (key: T) => boolean): T | null {
  const able = keys
    .filter(can)
    .toReversed()
    .toSorted((a, b) => b.from_ms - a.from_ms);
  return able.find(({ from_ms }) => from_ms <= nowMs) ?? able[0] ?? null;
}

export function isBelieved({ until_ms }: Period, nowMs: number): boolean {
  return until_ms === null || nowMs <= until_ms;
}

/** The earlier end; null: none. */
export function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

export interface Rotation {
  /** Unix ms from which the new key signs. */
  readonly fromMs: number;
  /** Unix ms until which tokens of the keys before are good; a record stays good for ever. */
  readonly untilMs: number;
}
