import type { Geometry } from "./geometry.ts";
import { drawInNetworks, drawNetworks, drawTile, drawWaits, flipBase, lockBase, turnNetwork } from "./planes.ts";
import { ABSENT, BASES, blockOf, IN_PLAY, NONE, orientation, Position } from "./position.ts";
import { seedRng } from "./rng.ts";
import type { InvalidPolicy } from "./types.ts";

/** A position before the start: empty board, full stocks, all mice waiting. */
export function emptyPosition(
  geometry: Geometry,
  rules: { entropy: boolean; orb: boolean; invalid: InvalidPolicy },
  seed: string,
): Position {
  const position = new Position(geometry, rules);
  seedRng(position.rng, seed);
  position.owner.fill(NONE);
  position.anchor.fill(NONE);
  position.lateTurn.fill(-1);
  for (let p = 0; p < geometry.playerCount; p++) {
    position.stock.set(geometry.stock, 4 * p);
    position.stockLeft[p] = geometry.stock.reduce((sum, n) => sum + n, 0);
  }
  position.waiting = geometry.mouseCount;
  position.mouseStatus[geometry.orb] = ABSENT;
  drawWaits(position);
  return position;
}

/** Sets b of one gear, leaving its block as it is. */
export function setOrientation(position: Position, tile: number, b: number): void {
  setSpin(position, tile, b);
  drawTile(position, tile);
}

function setSpin(position: Position, tile: number, b: number): void {
  position.spin[tile] = (b - position.offset[position.slot[tile]!]!) & 3;
}

/** Turns the block of a gear, which is its owner's network (R4.3): `turn` is +1 for +90, -1 for -90 (R2.5). */
export function turnBlock(position: Position, tile: number, turn: number): void {
  const same = position.slot[tile]!;
  position.offset[same] = (position.offset[same]! + turn) & 3;
  position.offset[same ^ 1] = (position.offset[same ^ 1]! - turn) & 3;
  turnNetwork(position, position.owner[tile]!, turn * position.geometry.sign[tile]!);
}

/** Puts a gear on a free tile and joins the blocks that it touches (R2.4); stock is not looked at. */
export function putGear(position: Position, tile: number, type: number, b: number, player: number): void {
  const { neighbour, sign } = position.geometry;
  const { gear } = position;
  gear[tile] = type;
  position.owner[tile] = player;
  position.free[tile] = BASES[type]!;
  let home = -1;
  let joined = position.anchor[player] === NONE;
  if (joined) position.anchor[player] = tile;
  for (let d = 0; d < 4; d++) {
    const n = neighbour[4 * tile + d]!;
    if (n < 0 || gear[n] === 0) continue;
    if (home < 0) home = blockOf(position, n);
    else if (blockOf(position, n) !== home) {
      joinBlocks(position, blockOf(position, n), home);
      position.blocks -= 1;
      joined = true;
    }
  }
  if (home < 0) position.blocks += 1;
  // A tile gets a gear once in a match, so its number is a new name for a block.
  position.slot[tile] = 2 * (home < 0 ? tile : home) + (sign[tile] === 1 ? 0 : 1);
  setOrientation(position, tile, b);
  if (joined) drawNetworks(position);
  else drawInNetworks(position, tile);
}

/** Puts a mouse on a base that is free in the planes. */
export function putMouse(position: Position, mouse: number, tile: number, base: number): void {
  position.mouseStatus[mouse] = IN_PLAY;
  position.mouseTile[mouse] = tile;
  position.mouseBase[mouse] = base;
  position.occupant[4 * tile + base] = mouse;
  position.free[tile]! &= ~(1 << base);
  flipBase(position, tile, (orientation(position, tile) + base) & 3);
  const { neighbour, mouseForward } = position.geometry;
  if (neighbour[4 * tile + mouseForward[mouse]!]! < 0) position.nearExit += 1;
}

/** The Orb faces the exit, or did once, and never jumps again (R7.2). */
export function lockOrb(position: Position): void {
  const { orb } = position.geometry;
  const tile = position.mouseTile[orb]!;
  lockBase(position, tile, (orientation(position, tile) + position.mouseBase[orb]!) & 3);
  position.orbLocked = true;
  position.nearExit -= 1;
}

/** Renames block `from` to `into`, keeping every orientation. */
function joinBlocks(position: Position, from: number, into: number): void {
  const { tileCount } = position.geometry;
  const { gear, slot } = position;
  for (let t = 0; t < tileCount; t++) {
    if (gear[t] === 0 || slot[t]! >> 1 !== from) continue;
    const b = orientation(position, t);
    slot[t] = 2 * into + (slot[t]! & 1);
    setSpin(position, t, b);
  }
}
