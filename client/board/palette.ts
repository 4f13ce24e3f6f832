/** Colours of the board. Players' colours are the same in every theme and told apart by colour-blind eyes. */
import type { PlayerId } from "../../shared/engine/types.ts";

export const PLAYER_COLOURS: Readonly<Record<PlayerId, string>> = {
  P1: "#0072B2",
  P2: "#F0E442",
  P3: "#D55E00",
  P4: "#CC79A7",
};

/** A lighter and a darker tone of each, for fur. */
export const FUR: Readonly<Record<PlayerId, readonly [light: string, dark: string]>> = {
  P1: ["#3aa0dd", "#00588c"],
  P2: ["#fbf49a", "#cbbd1c"],
  P3: ["#f58a3c", "#a94800"],
  P4: ["#e6a8cb", "#a65483"],
};

export const OUTLINE = "#14171c";

export const THEMES = ["light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

export interface Palette {
  readonly theme: Theme;
  readonly plate: readonly [string, string];
  readonly plateEdge: string;
  readonly frame: string;
  readonly frameText: string;
  readonly well: readonly [string, string];
  readonly wellEdge: string;
  readonly axle: string;
  readonly obstacle: readonly [string, string, string];
  readonly burrow: string;
  readonly burrowEdge: string;
  readonly shadow: string;
  /** Drawn around mice; null: their own dark outline is enough. */
  readonly halo: string | null;
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  dark: {
    theme: "dark",
    plate: ["#2c3541", "#222a34"],
    plateEdge: "#3d4856",
    frame: "#1b222b",
    frameText: "#a9b4c2",
    well: ["#161b22", "#1d242d"],
    wellEdge: "#0e1217",
    axle: "#4b5766",
    obstacle: ["#4d5763", "#363f4a", "#262d36"],
    burrow: "#0c0f13",
    burrowEdge: "#3a4552",
    shadow: "rgba(0,0,0,.55)",
    halo: null,
  },
  light: {
    theme: "light",
    plate: ["#d9cab0", "#cbb998"],
    plateEdge: "#e9dcc4",
    frame: "#826a47",
    frameText: "#fdf6e8",
    well: ["#b5a283", "#c3b192"],
    wellEdge: "#a08c6b",
    axle: "#8c7957",
    obstacle: ["#8f8a82", "#77726a", "#5c5851"],
    burrow: "#54432b",
    burrowEdge: "#a58d66",
    shadow: "rgba(60,42,14,.5)",
    halo: null,
  },
  contrast: {
    theme: "contrast",
    plate: ["#000000", "#000000"],
    plateEdge: "#ffffff",
    frame: "#000000",
    frameText: "#ffffff",
    well: ["#000000", "#000000"],
    wellEdge: "#b9bec4",
    axle: "#ffffff",
    obstacle: ["#c9ced4", "#8d939a", "#50555b"],
    burrow: "#000000",
    burrowEdge: "#ffffff",
    shadow: "rgba(0,0,0,.9)",
    halo: "#ffffff",
  },
};

/** Metal of R gears (brass) and of L gears (steel): neighbours always differ, so the eye sees who turns which way. */
export const METAL = {
  R: { light: "#f6d68a", mid: "#d9a548", dark: "#a8762a", edge: "#5d3f12", face: "#e6b95f", groove: "#b98433" },
  L: { light: "#e9eff5", mid: "#b3c0cd", dark: "#7d8c9c", edge: "#37424e", face: "#c6d1dc", groove: "#8c9bab" },
} as const;

/** A free base: a dark bowl, from its middle to its rim. */
export const BOWL = { R: ["#39332c", "#15130f"], L: ["#333b44", "#11151a"] } as const;
