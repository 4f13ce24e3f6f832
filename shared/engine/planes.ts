import { BASES, blockOf, NONE, orientation, type Position, WAITING } from "./position.ts";

/**
 * The board by direction, one bit a tile in the words of `Layout`, in step with the gear-relative tables of
 * `Position`. Each word has a group of GROUP planes, and an empty group lies above the last row. Plane j: a free base
 * faces that way; plane MICE + j: a mouse that may still jump (all but the locked Orb, R7.2) sits on such a base.
 *
 * The two kinds of tiles turn against each other (R2.5), so L tiles are drawn in a mirror: plane j holds direction
 * j + frame of R tiles and -(j + frame) of L tiles. Then a turn moves every tile of the block to the same next plane,
 * and when all gears are one block only `frame` changes. Turning, finding all jumps of a turn and all entries cost
 * a fixed number of word operations, however many gears and mice there are.
 */
const GROUP = 8;
const MICE = 4;

/** More than there are jumps, entries and exits in any turn. */
export const FOUND = 512;

/** A mask of directions seen in the mirror: bit d becomes bit -d. */
const MIRROR = Array.from({ length: 16 }, (_, bits) => (bits & 0b0101) | ((bits & 2) << 2) | ((bits & 8) >> 2));

/** Draws a tile anew, from `free` and the mice, after its gear, its orientation or its free bases have changed. */
export function drawTile(position: Position, tile: number): void {
  const { planes, geometry, frame } = position;
  const { orb, layout, sign } = geometry;
  let free = position.free[tile]!;
  let mice = BASES[position.gear[tile]!]! & ~free;
  if (position.orbLocked && position.mouseTile[orb] === tile) mice &= ~(1 << position.mouseBase[orb]!);
  let shift = orientation(position, tile);
  if (sign[tile] !== 1) {
    free = MIRROR[free]!;
    mice = MIRROR[mice]!;
    shift = -shift;
  }
  shift = (shift - frame) & 3;
  const drawn = turned(free, shift) | (turned(mice, shift) << MICE);
  const at = GROUP * layout.wordOf[tile]!;
  const bit = layout.bitOf[tile]!;
  const others = ~(1 << bit);
  planes[at] = (planes[at]! & others) | ((drawn & 1) << bit);
  planes[at + 1] = (planes[at + 1]! & others) | (((drawn >> 1) & 1) << bit);
  planes[at + 2] = (planes[at + 2]! & others) | (((drawn >> 2) & 1) << bit);
  planes[at + 3] = (planes[at + 3]! & others) | (((drawn >> 3) & 1) << bit);
  planes[at + 4] = (planes[at + 4]! & others) | (((drawn >> 4) & 1) << bit);
  planes[at + 5] = (planes[at + 5]! & others) | (((drawn >> 5) & 1) << bit);
  planes[at + 6] = (planes[at + 6]! & others) | (((drawn >> 6) & 1) << bit);
  planes[at + 7] = (planes[at + 7]! & others) | (((drawn >> 7) & 1) << bit);
}

function turned(bits: number, by: number): number {
  return ((bits | (bits << 4)) >> (4 - by)) & 15;
}

/** A mouse sits down on a free base that faces so, or leaves it free. */
export function flipBase(position: Position, tile: number, facing: number): void {
  const { planes, geometry } = position;
  const at = planeOf(position, tile, facing);
  const bit = 1 << geometry.layout.bitOf[tile]!;
  planes[at]! ^= bit;
  planes[at + MICE]! ^= bit;
}

/** The mouse on the base that faces so will not jump again; the base stays taken. */
export function lockBase(position: Position, tile: number, facing: number): void {
  position.planes[planeOf(position, tile, facing) + MICE]! &= ~(1 << position.geometry.layout.bitOf[tile]!);
}

function planeOf(position: Position, tile: number, facing: number): number {
  const { layout, sign } = position.geometry;
  return GROUP * layout.wordOf[tile]! + ((sign[tile]! * facing - position.frame) & 3);
}

/** Draws all mice that wait anew (R6.1): by the word and the mirrored direction of the base they want. */
export function drawWaits(position: Position): void {
  position.waits.fill(0);
  for (let mouse = 0; mouse < position.geometry.mouseCount; mouse++) {
    if (position.mouseStatus[mouse] === WAITING) flipWait(position, mouse);
  }
}

/** Notes that a mouse waits, or that it waits no more. */
export function flipWait(position: Position, mouse: number): void {
  const { mouseStart, mouseForward, sign, layout } = position.geometry;
  const tile = mouseStart[mouse]!;
  const wanted = (sign[tile]! * (mouseForward[mouse]! + 2)) & 3;
  position.waits[4 * layout.wordOf[tile]! + wanted]! ^= 1 << layout.bitOf[tile]!;
}

/** Draws all players' networks anew (R2.6). */
export function drawNetworks(position: Position): void {
  position.networks.fill(0);
  for (let tile = 0; tile < position.geometry.tileCount; tile++) {
    if (position.gear[tile] !== 0) drawInNetworks(position, tile);
  }
}

/** Adds a gear to every network that its block is. */
export function drawInNetworks(position: Position, tile: number): void {
  const { anchor, networks, geometry } = position;
  const { words, wordOf, bitOf } = geometry.layout;
  const block = blockOf(position, tile);
  for (let p = 0; p < geometry.playerCount; p++) {
    if (anchor[p] === NONE || blockOf(position, anchor[p]!) !== block) continue;
    networks[words * p + wordOf[tile]!]! |= 1 << bitOf[tile]!;
  }
}

/** Turns a player's network in the planes: R tiles by `turn`, +1 for +90 or -1 for -90, L tiles against it (R2.5). */
export function turnNetwork(position: Position, player: number, turn: number): void {
  if (position.blocks === 1) {
    position.frame = (position.frame + turn) & 3;
    return;
  }
  const { planes, networks, geometry } = position;
  const { words } = geometry.layout;
  for (let w = 0; w < words; w++) {
    const network = networks[words * player + w]!;
    for (let at = GROUP * w; at < GROUP * w + GROUP; at += MICE) {
      const one = at + (turn > 0 ? 3 : 1);
      const two = at + (turn > 0 ? 1 : 3);
      // Each plane takes what was in the plane before it, where the network is.
      const zero = planes[at]!;
      planes[at] = zero ^ ((zero ^ planes[one]!) & network);
      planes[one]! ^= (planes[one]! ^ planes[at + 2]!) & network;
      planes[at + 2]! ^= (planes[at + 2]! ^ planes[two]!) & network;
      planes[two]! ^= (planes[two]! ^ zero) & network;
    }
  }
}

/**
 * All entries that are due (R6.1), as 4·tile + direction of the base, into `found`; returns their number. They are
 * only found: whoever seats the mice changes the planes.
 */
export function findEntries(position: Position, found: Uint16Array): number {
  return find(position, position.waits, 0, found, 0);
}

/** Appends the mice that face off the board where somebody may leave (R6.3), coded as by `makeJumps`. */
export function findExits(position: Position, found: Uint16Array, count: number): number {
  return find(position, position.geometry.layout.exits, MICE, found, count);
}

/** Appends what planes of that kind have in common with `wanted`, which is indexed by word and mirrored direction. */
function find(position: Position, wanted: Int32Array, kind: number, found: Uint16Array, count: number): number {
  const { planes, geometry, frame } = position;
  const { layout, sign } = geometry;
  let end = count;
  for (let w = 0; w < layout.words; w++) {
    for (let mirrored = 0; mirrored < 4; mirrored++) {
      let rest = wanted[4 * w + mirrored]! & planes[GROUP * w + kind + ((mirrored - frame) & 3)]!;
      for (; rest !== 0; rest &= rest - 1) {
        const tile = layout.tilesPerWord * w + lowest(rest);
        found[end++] = 4 * tile + ((sign[tile]! * mirrored) & 3);
      }
    }
  }
  return end;
}

/**
 * Makes all jumps of the turn in the planes (R6.2) and lists them as 4·tile + direction into `found`; returns their
 * number. Two bases that face each other concern nobody else (R6.4), and a mouse jumps between them when one has a
 * mouse and the other is free, whichever; so the four bits of such a pair change together.
 */
export function makeJumps(position: Position, found: Uint16Array): number {
  const { planes, geometry, frame } = position;
  const { width, layout } = geometry;
  const { words, tilesPerWord, carry, alternate, upper } = layout;
  const north = -frame & 3;
  const side = (1 - frame) & 3;
  const south = (2 - frame) & 3;
  const otherSide = (3 - frame) & 3;
  let { eastOfRight, eastOfLeft } = layout;
  let count = 0;
  let freeSouth = planes[south]!;
  let miceSouth = planes[MICE + south]!;
  let first = 0;
  for (let at = 0; at < GROUP * words; at += GROUP) {
    // Pairs across the northern side of each tile: its base to the north, its neighbour's to the south.
    const freeNorth = planes[at + north]!;
    const miceNorth = planes[at + MICE + north]!;
    const freeNext = planes[at + GROUP + south]!;
    const miceNext = planes[at + GROUP + MICE + south]!;
    const northward = miceNorth & ((freeSouth >>> width) | (freeNext << carry));
    const vertical = northward | (freeNorth & ((miceSouth >>> width) | (miceNext << carry)));
    const above = (vertical << width) & upper;
    planes[at + north] = freeNorth ^ vertical;
    planes[at + MICE + north] = miceNorth ^ vertical;
    planes[at + south] = freeSouth ^ above;
    planes[at + MICE + south] = miceSouth ^ above;
    freeSouth = freeNext ^ (vertical >>> carry);
    miceSouth = miceNext ^ (vertical >>> carry);
    // Pairs across the eastern side, both bases in one plane: R tiles face west in plane `side`, L tiles east.
    const free = planes[at + side]!;
    const mice = planes[at + MICE + side]!;
    const otherFree = planes[at + otherSide]!;
    const otherMice = planes[at + MICE + otherSide]!;
    const eastward = (otherMice & (otherFree >>> 1) & eastOfRight) | (mice & (free >>> 1) & eastOfLeft);
    const westward = (otherFree & (otherMice >>> 1) & eastOfRight) | (free & (mice >>> 1) & eastOfLeft);
    const horizontal = eastward | westward;
    const here = horizontal & eastOfLeft;
    const there = horizontal & eastOfRight;
    planes[at + side] = free ^ (here | (here << 1));
    planes[at + MICE + side] = mice ^ (here | (here << 1));
    planes[at + otherSide] = otherFree ^ (there | (there << 1));
    planes[at + MICE + otherSide] = otherMice ^ (there | (there << 1));
    for (let rest = vertical | horizontal; rest !== 0; rest &= rest - 1) {
      const bit = lowest(rest);
      const code = first + 4 * bit;
      // Both are written, and kept where there is a pair: a branch would be guessed wrong too often.
      found[count] = code + ((((northward >>> bit) & 1) - 1) & (4 * width + 2));
      count += (vertical >>> bit) & 1;
      found[count] = code + 3 + ((((eastward >>> bit) & 1) - 1) & 2);
      count += (horizontal >>> bit) & 1;
    }
    const change = (eastOfRight ^ eastOfLeft) & alternate;
    eastOfRight ^= change;
    eastOfLeft ^= change;
    first += 4 * tilesPerWord;
  }
  return count;
}

/** The number of the lowest bit that is set. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
