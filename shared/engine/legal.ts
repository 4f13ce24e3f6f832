import { type EncodedMove, encodePlacement, encodeRotation, NO_PREMOVE } from "./moves.ts";
import { blockOf, NONE, type Position } from "./position.ts";
import type { RawCommand } from "./text.ts";
import type { RefusalCode } from "./types.ts";

/** A refusal and the tile it is about. */
export interface Refusal {
  readonly code: RefusalCode;
  /** The label as it was written; "" when it is not about a tile. */
  readonly tile: string;
}

export type Checked =
  | { readonly ok: true; readonly move: EncodedMove }
  | { readonly ok: false; readonly refusal: Refusal };

/** Checks a well-formed command of the player to move, from `wrong_phase` on in R4.5's order. */
export function checkCommand(position: Position, raw: RawCommand): Checked {
  const placing = position.stockLeft[position.current]! > 0; // R4.2
  if (placing !== (raw.type === "place")) return refuse("wrong_phase");
  if (raw.type === "place") return checkPlacement(position, raw);
  let premoved = NO_PREMOVE;
  if (raw.premove !== null) {
    const code = checkGear(position, raw.premove.digits);
    if (code !== null) return refuse(code, raw.premove.digits);
    premoved = tileOf(position, raw.premove.digits);
  }
  const code = checkGear(position, raw.digits);
  if (code !== null) return refuse(code, raw.digits);
  const tile = tileOf(position, raw.digits);
  return { ok: true, move: encodeRotation(tile, raw.turn, premoved, raw.premove?.b ?? 0) };
}

function checkPlacement(position: Position, raw: RawCommand & { type: "place" }): Checked {
  const tile = tileOf(position, raw.digits);
  if (tile < 0) return refuse("no_such_tile", raw.digits);
  if (position.geometry.isFree[tile] === 0) return refuse("obstacle", raw.digits);
  if (position.gear[tile] !== 0) return refuse("occupied", raw.digits);
  if (position.stock[4 * position.current + raw.gear - 1] === 0) return refuse("not_in_stock", raw.digits);
  switch (placementRule(position, position.current)) {
    case "edge":
      if (!position.geometry.startEdge[position.current]!.includes(tile))
        return refuse("not_on_start_edge", raw.digits);
      break;
    case "any":
      if (!touches(position, tile, NONE)) return refuse("not_adjacent", raw.digits);
      break;
    case "network":
      if (!touches(position, tile, networkOf(position, position.current))) return refuse("not_adjacent", raw.digits);
      break;
  }
  return { ok: true, move: encodePlacement(raw.gear, tile, raw.b, raw.turn) };
}

/** R4.4 for one named tile. */
function checkGear(position: Position, digits: string): RefusalCode | null {
  const tile = tileOf(position, digits);
  if (tile < 0) return "no_such_tile";
  if (position.gear[tile] === 0) return "not_a_gear";
  if (blockOf(position, tile) !== networkOf(position, position.current)) return "not_your_network";
  return null;
}

/** Where the player may put a gear (R4.3): on the start edge, next to any gear, or next to their network. */
export function placementRule(position: Position, player: number): "edge" | "any" | "network" {
  if (position.anchor[player] !== NONE) return "network";
  return position.geometry.startEdge[player]!.some((tile) => isOpen(position, tile)) ? "edge" : "any";
}

/**
 * The block that is the player's network, NONE before their first gear (R2.6). It is one block: each gear but the
 * first was put next to it, and blocks never part.
 */
export function networkOf(position: Position, player: number): number {
  const anchor = position.anchor[player]!;
  return anchor === NONE ? NONE : blockOf(position, anchor);
}

/** Fills `into` with the tiles on which the player may put a gear, ascending; returns their number (R4.6). */
export function placementTiles(position: Position, player: number, into: Uint8Array): number {
  const { geometry } = position;
  let count = 0;
  const rule = placementRule(position, player);
  if (rule === "edge") {
    for (const tile of geometry.startEdge[player]!) if (isOpen(position, tile)) into[count++] = tile;
    return count;
  }
  const network = rule === "any" ? NONE : networkOf(position, player);
  for (let tile = 0; tile < geometry.tileCount; tile++) {
    if (isOpen(position, tile) && touches(position, tile, network)) into[count++] = tile;
  }
  return count;
}

/** Fills `into` with the tiles of the player's network, ascending; returns their number (R4.6). */
export function networkTiles(position: Position, player: number, into: Uint8Array): number {
  const { gear, slot, geometry } = position;
  const network = networkOf(position, player);
  let count = 0;
  if (network === NONE) return count;
  for (let tile = 0; tile < geometry.tileCount; tile++) {
    if (gear[tile] !== 0 && slot[tile]! >> 1 === network) into[count++] = tile;
  }
  return count;
}

/** Whether a gear may stand there: on the board, free, no obstacle. */
function isOpen(position: Position, tile: number): boolean {
  return position.geometry.isFree[tile] === 1 && position.gear[tile] === 0;
}

/** Whether the tile is next to a gear of that block, or of any block (NONE). */
function touches(position: Position, tile: number, block: number): boolean {
  const { neighbour } = position.geometry;
  for (let d = 0; d < 4; d++) {
    const n = neighbour[4 * tile + d]!;
    if (n >= 0 && position.gear[n] !== 0 && (block === NONE || blockOf(position, n) === block)) return true;
  }
  return false;
}

function tileOf(position: Position, digits: string): number {
  return position.geometry.tileOf.get(`P${digits}`) ?? -1;
}

function refuse(code: RefusalCode, digits = ""): Checked {
  return { ok: false, refusal: { code, tile: digits === "" ? "" : `P${digits}` } };
}
