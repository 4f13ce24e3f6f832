/** The board encoding of R13.1 as a value: read, change, write. */
import { GEAR_TYPES, type GearType, type Quarter, type TileLabel } from "../engine/index.ts";

/** Bases of each type, as index k → present (R2.1). */
const BASES: Readonly<Record<GearType, readonly boolean[]>> = {
  G1: [true, false, false, false],
  G2: [true, false, true, false],
  G3: [false, true, true, true],
  G4: [true, true, true, true],
};

export type TileState =
  | { readonly type: "free"; readonly tile: TileLabel; readonly turns: "R" | "L" }
  | { readonly type: "obstacle" }
  | {
      readonly type: "gear";
      readonly tile: TileLabel;
      readonly turns: "R" | "L";
      readonly gear: GearType;
      readonly b: Quarter;
      /** Base k: null no such base, false free, true taken. */
      readonly taken: readonly (boolean | null)[];
    };

const FREE = /^(P\d{2,4})([RL])$/;
const GEAR = /^(G[1-4])(P\d{2,4})([RL])([0-3])B([012]{4})$/;

/** Null when the text is no encoding, or one whose bases do not fit its type. */
export function parseTileState(text: string): TileState | null {
  if (text === "obstacle") return { type: "obstacle" };
  const free = FREE.exec(text);
  if (free) return { type: "free", tile: free[1] as TileLabel, turns: free[2] as "R" | "L" };
  const found = GEAR.exec(text);
  if (!found) return null;
  const gear = found[1] as GearType;
  const taken = [...(found[5] ?? "")].map((c) => (c === "2" ? null : c === "1"));
  if (!GEAR_TYPES.includes(gear) || taken.some((t, k) => (t !== null) !== BASES[gear][k])) return null;
  return {
    type: "gear",
    tile: found[2] as TileLabel,
    turns: found[3] as "R" | "L",
    gear,
    b: Number(found[4]) as Quarter,
    taken,
  };
}

export function makeTileState(state: TileState): string {
  switch (state.type) {
    case "obstacle":
      return "obstacle";
    case "free":
      return `${state.tile}${state.turns}`;
    case "gear": {
      const bases = state.taken.map((t) => (t === null ? "2" : t ? "1" : "0")).join("");
      return `${state.gear}${state.tile}${state.turns}${state.b}B${bases}`;
    }
  }
}

/** A gear with free bases, to be put on a tile. */
export function gearState(tile: TileLabel, turns: "R" | "L", gear: GearType, b: Quarter): TileState {
  return { type: "gear", tile, turns, gear, b, taken: BASES[gear].map((has) => (has ? false : null)) };
}
