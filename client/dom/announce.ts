/** What the page says aloud: one polite region, and one that interrupts for "your turn" and low time. */
import { signal } from "@preact/signals";

export const polite = signal("");
export const assertive = signal("");

/** The same words twice are said twice: a blank tells them apart. */
export function say(text: string): void {
  polite.value = polite.value === text ? `${text}\u00a0` : text;
}

export function interrupt(text: string): void {
  assertive.value = assertive.value === text ? `${text}\u00a0` : text;
}
