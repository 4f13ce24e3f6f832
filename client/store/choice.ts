/**
 * How a person puts a command together, as pure functions over one value: choose a gear, a tile, a facing, a turn.
 * Only what the engine lists as legal (R4.6) can be chosen.
 */
import { makeCommand } from "../../shared/engine/index.ts";
import type { Command, GearType, LegalFactors, Quarter, TileLabel, Turn } from "../../shared/engine/types.ts";

export interface PlacementChoice {
  readonly stage: "placement";
  readonly gear: GearType;
  readonly tile: TileLabel | null;
  readonly b: Quarter;
  readonly turn: Turn | null;
}

/** Which gear the next tap on the board chooses. */
export type Slot = "turn" | "premove";

export interface RotationChoice {
  readonly stage: "rotation";
  readonly slot: Slot;
  readonly premove: { readonly tile: TileLabel; readonly b: Quarter } | null;
  readonly tile: TileLabel | null;
  readonly turn: Turn | null;
}

export type Choice = PlacementChoice | RotationChoice;

/** A fresh choice; the gear type chosen last time is kept while there is one left. */
export function openChoice(factors: LegalFactors, before: Choice | null): Choice {
  if (factors.stage === "rotation") return { stage: "rotation", slot: "turn", premove: null, tile: null, turn: null };
  const kept = before?.stage === "placement" && factors.types.includes(before.gear) ? before : null;
  return { stage: "placement", gear: kept?.gear ?? factors.types[0] ?? "G1", tile: null, b: kept?.b ?? 0, turn: null };
}

export function pickGear(choice: Choice, factors: LegalFactors, gear: GearType): Choice {
  if (choice.stage !== "placement" || factors.stage !== "placement" || !factors.types.includes(gear)) return choice;
  return { ...choice, gear, b: canonicalFacing(gear, choice.b) };
}

/** Tapping the placed gear's tile again turns its facing; tapping the same gear again takes it back. */
export function pickTile(choice: Choice, factors: LegalFactors, tile: TileLabel): Choice {
  if (!factors.tiles.includes(tile)) return choice;
  if (choice.stage === "placement") {
    return choice.tile === tile ? nextFacing(choice) : { ...choice, tile };
  }
  if (choice.slot === "premove") {
    const premove = choice.premove?.tile === tile ? choice.premove : { tile, b: 0 as Quarter };
    return { ...choice, premove };
  }
  return { ...choice, tile };
}

export function pickFacing(choice: Choice, b: Quarter): Choice {
  if (choice.stage === "placement") return { ...choice, b };
  return choice.premove === null ? choice : { ...choice, premove: { ...choice.premove, b } };
}

export function nextFacing(choice: PlacementChoice): PlacementChoice {
  const all = facings(choice.gear);
  const b = all[(all.indexOf(canonicalFacing(choice.gear, choice.b)) + 1) % all.length] ?? 0;
  return { ...choice, b };
}

export function pickTurn(choice: Choice, turn: Turn): Choice {
  return { ...choice, turn };
}

export function pickSlot(choice: Choice, slot: Slot): Choice {
  return choice.stage === "rotation" ? { ...choice, slot } : choice;
}

/** The gear to be set first, at the orientation that it has. */
export function pickPremove(choice: Choice, factors: LegalFactors, tile: TileLabel, b: Quarter): Choice {
  if (choice.stage !== "rotation" || !factors.tiles.includes(tile)) return choice;
  return { ...choice, premove: { tile, b } };
}

export function clearPremove(choice: Choice): Choice {
  return choice.stage === "rotation" ? { ...choice, premove: null, slot: "turn" } : choice;
}

/** Orientations of a type that differ in their bases (R2.1); the others look and play the same. */
export function facings(gear: GearType): readonly Quarter[] {
  return gear === "G4" ? [0] : gear === "G2" ? [0, 1] : [0, 1, 2, 3];
}

function canonicalFacing(gear: GearType, b: Quarter): Quarter {
  const all = facings(gear);
  return all[b % all.length] ?? 0;
}

/** The command so far; null while something is missing. */
export function commandOf(choice: Choice): string | null {
  if (choice.tile === null || choice.turn === null) return null;
  return makeCommand(parsed(choice, choice.tile, choice.turn));
}

/** The command that this choice would be with that turn; null while there is no tile. */
export function commandWith(choice: Choice, turn: Turn): string | null {
  return commandOf({ ...choice, turn });
}

function parsed(choice: Choice, tile: TileLabel, turn: Turn): Command {
  return choice.stage === "placement"
    ? { type: "place", gear: choice.gear, tile, b: choice.b, turn }
    : { type: "rotate", tile, turn, premove: choice.premove };
}
