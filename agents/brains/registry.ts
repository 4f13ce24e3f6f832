/** Every kind of brain that the house has: a new one is a file and a line here. */
import type { BrainKind } from "./brain.ts";
import { expert } from "./expert.ts";
import { greedy } from "./greedy.ts";
import { random } from "./random.ts";

export const BRAINS: readonly BrainKind[] = [random, greedy, expert];

/** The kind of that name, or null when there is none. */
export function brainKind(name: string): BrainKind | null {
  return BRAINS.find((kind) => kind.name === name) ?? null;
}
