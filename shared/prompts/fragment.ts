/** A piece of a system prompt. What is said in it is checked against the engine line by line (prompts.test.ts). */
import type { PlayerId } from "../engine/index.ts";

/** Every module, in the order in which they stand in a prompt. */
export const MODULES = [
  "core.physics",
  "core.state",
  "core.strategy",
  "core.protocol",
  "levels.solo",
  "levels.arena",
  "arena.advance",
  "arena.collaborate",
  "arena.isolate",
  "arena.merge",
  "arena.sabotage",
  "arena.dual-purpose",
  "start",
  "scoring",
  "alliance.ffa",
  "alliance.team_a",
  "alliance.team_b",
  "entropy.solo",
  "entropy.arena",
  "orb.solo",
  "identity",
] as const;
export type Module = (typeof MODULES)[number];

export interface Fragment {
  readonly module: Module;
  readonly text: string;
}

/** For whom a prompt is made. `ally`: the other player of the team, null where everybody plays alone. */
export interface Reader {
  readonly mode: "solo" | "arena";
  readonly player: PlayerId;
  readonly ally: PlayerId | null;
}

export function fragment(module: Module, title: string, lines: readonly string[]): Fragment {
  return { module, text: [`## ${title}`, ...lines.map((line) => `- ${line}`)].join("\n") };
}
