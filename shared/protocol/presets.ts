/** The rooms of the Playroom. A house seat's brain is named here; a room says which brain sits there. */
import type { Format } from "../engine/index.ts";
import type { SeatSpec } from "./log.ts";

export const PRESET_GROUPS = ["Human Only", "Human vs AI", "AI Showcase"] as const;
export type PresetGroup = (typeof PRESET_GROUPS)[number];

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly group: PresetGroup;
  readonly format: Format;
  readonly level: number;
  readonly seats: readonly SeatSpec[];
}

const H: SeatSpec = { kind: "human", brain: null, style: null, name: null };
const AI: SeatSpec = { kind: "ai", brain: "greedy", style: null, name: null };

function preset(
  id: string,
  title: string,
  group: PresetGroup,
  format: Format,
  level: number,
  seats: readonly SeatSpec[],
): Preset {
  return { id, title, group, format, level, seats };
}

/** Seats in the order P1..P4; in 2v2 the first two are team A (R3.1). */
export const PRESETS: readonly Preset[] = [
  preset("solo-trial", "The Solo Trial", "Human Only", "solo", 2, [H]),
  preset("duel", "The Duel", "Human Only", "1v1", 1, [H, H]),
  preset("alliance", "The Alliance", "Human Only", "2v2", 2, [H, H, H, H]),
  preset("summit", "The Summit", "Human Only", "ffa4", 3, [H, H, H, H]),
  preset("david-goliath", "David vs Goliath", "Human vs AI", "1v1", 1, [H, AI]),
  preset("challenger", "The Challenger", "Human vs AI", "1v1", 2, [H, AI]),
  preset("oracle", "The Oracle", "Human vs AI", "2v2", 3, [H, H, AI, AI]),
  preset("colosseum", "The Colosseum", "Human vs AI", "ffa4", 4, [H, AI, AI, AI]),
  preset("arena", "The Arena", "AI Showcase", "1v1", 1, [AI, AI]),
  preset("titans", "The Titans", "AI Showcase", "1v1", 2, [AI, AI]),
  preset("laboratory", "The Laboratory", "AI Showcase", "2v2", 3, [AI, AI, AI, AI]),
  preset("pinnacle", "The Pinnacle", "AI Showcase", "ffa4", 4, [AI, AI, AI, AI]),
];

export function presetById(id: string): Preset | null {
  return PRESETS.find((p) => p.id === id) ?? null;
}
