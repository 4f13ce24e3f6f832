import type { Geometry } from "./geometry.ts";
import type { Rng } from "./rng.ts";
import type { InvalidPolicy } from "./types.ts";

/** Base masks of the gear types (R2.1), bit k = base k; index 0 is "no gear". */
export const BASES: readonly number[] = [0, 0b0001, 0b0101, 0b1110, 0b1111];

/** Indices into MOUSE_STATUSES. */
export const WAITING = 0;
export const IN_PLAY = 1;
export const ESCAPED = 2;
/** The Orb before it appears. */
export const ABSENT = 3;

/** Index into PLAYER_STATUSES. */
export const ACTIVE = 0;

/** No tile, no block, no player. */
export const NONE = 255;

/**
 * The state of a match as numbers, mutable, for the rules and for search. Everything that changes lies in one
 * buffer, so a copy is one `set`. Blocks turn lazily: each block has two slots, one for its gears on R tiles and one
 * for those on L tiles; a gear's orientation is its `spin` plus the offset of its slot, and turning a block adds to
 * one offset and subtracts from the other (R2.5), whatever the block's size.
 */
export class Position {
  readonly geometry: Geometry;
  readonly bytes: Uint8Array;

  /** By player. */
  readonly scores: Int32Array;
  /** The scores, and behind them a place for what the Orb would score, which nobody reads (R7.2). */
  readonly tally: Int32Array;
  /** Generator of this position alone (R11.3, R11.4). */
  readonly rng: Rng;
  /** What the counters below hold: see the accessors. */
  readonly counters: Int32Array;
  /** The board by direction in words of one bit a tile; kept and read by planes.ts alone. */
  readonly planes: Int32Array;
  /** The start tiles where a mouse waits (R6.1), by the direction of the base it wants; see planes.ts. */
  readonly waits: Int32Array;
  /** networks[words·player + word]: the tiles of the player's network (R2.6). */
  readonly networks: Int32Array;
  /** Gear type 1..4 on each tile, 0 = none. */
  readonly gear: Uint8Array;
  /** Who placed it (R2.6), NONE = nobody. */
  readonly owner: Uint8Array;
  /** Orientation before the slot's offset; read it through `orientation`. */
  readonly spin: Uint8Array;
  /** 2·block, plus 1 on L tiles; a block is named by one of its tiles. */
  readonly slot: Uint8Array;
  /** By slot, 0..3. */
  readonly offset: Uint8Array;
  /** Free bases of each tile, bit k = gear-relative base k (R3.5). */
  readonly free: Uint8Array;
  /** occupant[4·tile + gear-relative base]: the mouse on that base; meaningless unless the base is taken. */
  readonly occupant: Uint8Array;
  /** Index into MOUSE_STATUSES; ABSENT while the Orb has not appeared. Mice are numbered as in `Geometry`. */
  readonly mouseStatus: Uint8Array;
  /** Only IN_PLAY: the tile and the gear-relative base (R3.5). */
  readonly mouseTile: Uint8Array;
  readonly mouseBase: Uint8Array;
  /** stock[4·player + type - 1] */
  readonly stock: Uint8Array;
  /** By player: gears left in stock. */
  readonly stockLeft: Uint8Array;
  /** By player: a tile with one of their gears, NONE before the first; its block is the network (R2.6). */
  readonly anchor: Uint8Array;
  /** By player: mice that are ESCAPED. */
  readonly escaped: Uint8Array;
  /** By player: index into PLAYER_STATUSES. */
  readonly status: Uint8Array;
  /** By player (R8.3). */
  readonly lostTurns: Uint8Array;
  /** By player: the turn counter when their clock ran out, -1 = never. */
  readonly lateTurn: Int32Array;

  /** R7.4; in Arena both false (R7.3). */
  readonly entropy: boolean;
  readonly orb: boolean;
  readonly invalid: InvalidPolicy;

  constructor(geometry: Geometry, rules: { entropy: boolean; orb: boolean; invalid: InvalidPolicy }) {
    this.geometry = geometry;
    const solo = geometry.level.format === "solo";
    this.entropy = solo && rules.entropy;
    this.orb = solo && rules.orb;
    this.invalid = rules.invalid;

    const { tileCount: tiles, playerCount: players } = geometry;
    const mice = geometry.mouseCount + 1;
    const { words } = geometry.layout;
    const ints = 5 + 2 * players + 10 + 8 * (words + 1) + 4 * words + players * words;
    const buffer = new ArrayBuffer(4 * ints + 11 * tiles + 3 * mice + 9 * players);
    let at = 0;
    const int = (n: number) => {
      const view = new Int32Array(buffer, at, n);
      at += 4 * n;
      return view;
    };
    const byte = (n: number) => {
      const view = new Uint8Array(buffer, at, n);
      at += n;
      return view;
    };
    this.bytes = new Uint8Array(buffer);
    this.rng = int(4);
    this.tally = int(players + 1);
    this.scores = this.tally.subarray(0, players);
    this.lateTurn = int(players);
    this.counters = int(10);
    this.planes = int(8 * (words + 1));
    this.waits = int(4 * words);
    this.networks = int(players * words);
    this.gear = byte(tiles);
    this.owner = byte(tiles);
    this.spin = byte(tiles);
    this.slot = byte(tiles);
    this.offset = byte(2 * tiles);
    this.free = byte(tiles);
    this.occupant = byte(4 * tiles);
    this.mouseStatus = byte(mice);
    this.mouseTile = byte(mice);
    this.mouseBase = byte(mice);
    this.stock = byte(4 * players);
    this.stockLeft = byte(players);
    this.anchor = byte(players);
    this.escaped = byte(players);
    this.status = byte(players);
    this.lostTurns = byte(players);
  }

  /** R5.7: 0 before the first move. */
  get turn(): number {
    return this.counters[0]!;
  }
  set turn(value: number) {
    this.counters[0] = value;
  }
  /** Player to move; meaningless unless playing. */
  get current(): number {
    return this.counters[1]!;
  }
  set current(value: number) {
    this.counters[1] = value;
  }
  /** Index into PHASES. */
  get phase(): number {
    return this.counters[2]!;
  }
  set phase(value: number) {
    this.counters[2] = value;
  }
  /** 0 = none, else index into RESULTS plus one. */
  get result(): number {
    return this.counters[3]!;
  }
  set result(value: number) {
    this.counters[3] = value;
  }
  /** R8.3 */
  get refusals(): number {
    return this.counters[4]!;
  }
  set refusals(value: number) {
    this.counters[4] = value;
  }
  /** R7.2: it faced the exit and never jumps again. */
  get orbLocked(): boolean {
    return this.counters[5] === 1;
  }
  set orbLocked(value: boolean) {
    this.counters[5] = value ? 1 : 0;
  }
  /** How many mice are WAITING. */
  get waiting(): number {
    return this.counters[6]!;
  }
  set waiting(value: number) {
    this.counters[6] = value;
  }
  /** How far all gears have turned, for planes.ts: 0..3, R tiles by this much and L tiles against it. */
  get frame(): number {
    return this.counters[7]!;
  }
  set frame(value: number) {
    this.counters[7] = value;
  }
  /** How many blocks there are (R2.4). */
  get blocks(): number {
    return this.counters[8]!;
  }
  set blocks(value: number) {
    this.counters[8] = value;
  }
  /** How many mice that may still jump are on the edge over which they leave (R3.2). */
  get nearExit(): number {
    return this.counters[9]!;
  }
  set nearExit(value: number) {
    this.counters[9] = value;
  }
  get over(): boolean {
    return this.counters[2] === 2;
  }
}

/** A copy that shares nothing but the level's tables. */
export function clonePosition(from: Position): Position {
  const copy = new Position(from.geometry, from);
  copy.bytes.set(from.bytes);
  return copy;
}

/** Makes `to` equal to `from` without allocating; both must be of the same level and options. */
export function copyInto(from: Position, to: Position): void {
  if (from.geometry !== to.geometry || from.orb !== to.orb || from.entropy !== to.entropy) {
    throw new RangeError("copyInto: positions of different matches");
  }
  to.bytes.set(from.bytes);
}

/** Orientation b, 0..3, of the gear on a tile (R2.2). */
export function orientation(position: Position, tile: number): number {
  return (position.spin[tile]! + position.offset[position.slot[tile]!]!) & 3;
}

/** The block of the gear on a tile (R2.4). */
export function blockOf(position: Position, tile: number): number {
  return position.slot[tile]! >> 1;
}
