import { type Layout, makeLayout } from "./layout.ts";
import { type Level, stockRow } from "./levels.ts";
import { PLAYERS, type PlayerId, type Quarter, type TileLabel } from "./types.ts";

/**
 * All of a level that never changes, as tables over indices. Tiles are indices y·W + x from the bottom left
 * (so index order is R13.1's order), players are indices into `level.players`, mice are numbered player by
 * player and lane by lane, the Orb last.
 */
export interface Geometry {
  readonly level: Level;
  readonly width: number;
  readonly height: number;
  readonly tileCount: number;
  readonly labels: readonly TileLabel[];
  readonly tileOf: ReadonlyMap<string, number>;
  /** 1: may hold a gear, 0: obstacle. */
  readonly isFree: Uint8Array;
  /** +1 on R tiles, -1 on L tiles (R1.2, R2.5). */
  readonly sign: Int8Array;
  /** neighbour[4·tile + direction], -1 off the board. */
  readonly neighbour: Int16Array;
  /** How the tiles lie in words. */
  readonly layout: Layout;
  readonly playerCount: number;
  /** Tiles of each player's start edge. */
  readonly startEdge: readonly (readonly number[])[];
  readonly stock: readonly number[];
  /** Mice without the Orb. */
  readonly mouseCount: number;
  readonly micePerPlayer: number;
  /** The Orb's number; it counts as a mouse of player 0 (R7.2). */
  readonly orb: number;
  readonly mouseOwner: Uint8Array;
  readonly mouseForward: Uint8Array;
  /** The lane's start tile. */
  readonly mouseStart: Int16Array;
  /** laneMouse[4·tile + direction]: the mouse that waits for a base there that faces so (R6.1), -1 = none. */
  readonly laneMouse: Int16Array;
  /** jumpGain[4·mouse + direction]: 8 · what a jump in that direction brings (R6.5) + its place in `tally`. */
  readonly jumpGain: Int16Array;
  /** rim[4·tile + direction] of a jump: +10 when it ends at the edge ahead, -10 when it starts at the edge behind. */
  readonly rim: Int8Array;
  readonly mouseIds: readonly string[];
  /** Where a waiting mouse stands outside (R3.4). */
  readonly mouseOutside: readonly { readonly x: number; readonly y: number }[];
  /** Tiles of row H-1 from left to right (R7.1). */
  readonly entropyRow: readonly number[];
  /** From which turn on the Orb appears (R7.2). */
  readonly orbTurn: number;
}

/** R3.2 */
export const FORWARD: Readonly<Record<PlayerId, Quarter>> = { P1: 0, P2: 2, P3: 1, P4: 3 };

/** R6.5, by the direction of the jump relative to forward: forward, left, back, right. */
const POINTS = [10, 5, -10, 5] as const;

const DX = [0, -1, 0, 1] as const;
const DY = [1, 0, -1, 0] as const;

const cache = new Map<Level, Geometry>();

/** The tables of a level; made once. */
export function geometryOf(level: Level): Geometry {
  let geometry = cache.get(level);
  if (geometry === undefined) {
    geometry = build(level);
    cache.set(level, geometry);
  }
  return geometry;
}

function build(level: Level): Geometry {
  const { width, height, players } = level;
  const tileCount = width * height;
  const labels: TileLabel[] = [];
  const isFree = new Uint8Array(tileCount);
  const sign = new Int8Array(tileCount);
  const neighbour = new Int16Array(tileCount * 4).fill(-1);
  for (let t = 0; t < tileCount; t++) {
    const x = t % width;
    const y = (t - x) / width;
    labels.push(`P${x + 1}${y + 1}` as TileLabel);
    isFree[t] = level.map[y]![x] === "1" ? 1 : 0;
    sign[t] = (x + y) % 2 === 0 ? 1 : -1;
    for (let d = 0; d < 4; d++) {
      const nx = x + DX[d]!;
      const ny = y + DY[d]!;
      if (nx >= 0 && nx < width && ny >= 0 && ny < height) neighbour[4 * t + d] = ny * width + nx;
    }
  }
  const rim = new Int8Array(tileCount * 4);
  for (let t = 0; t < tileCount; t++) {
    for (let d = 0; d < 4; d++) {
      const next = neighbour[4 * t + d]!;
      if (next < 0) continue;
      if (neighbour[4 * next + d]! < 0) rim[4 * t + d] = 10;
      else if (neighbour[4 * t + ((d + 2) & 3)]! < 0) rim[4 * t + d] = -10;
    }
  }
  return {
    level,
    width,
    height,
    tileCount,
    labels,
    tileOf: new Map(labels.map((label, t) => [label, t])),
    isFree,
    sign,
    neighbour,
    rim,
    layout: makeLayout(
      width,
      height,
      players.map((player) => FORWARD[player]),
    ),
    playerCount: players.length,
    startEdge: players.map((player) => lanesOf(player, width, height).map((lane) => lane.start)),
    stock: stockRow(level.stock),
    ...buildMice(level),
    entropyRow: Array.from({ length: width }, (_, x) => (height - 2) * width + x),
    orbTurn: 5 + (level.level - 1) * 2,
  };
}

function buildMice(level: Level) {
  const { width, height, players } = level;
  const lanes = players.flatMap((player) =>
    lanesOf(player, width, height).map((lane, i) => ({ ...lane, id: `M${i + 1}_${player}`, player })),
  );
  const all = [...lanes, { start: -1, x: 0, y: 0, id: "Orb_1", player: PLAYERS[0] }];
  const laneMouse = new Int16Array(4 * width * height).fill(-1);
  for (const [mouse, lane] of lanes.entries()) {
    laneMouse[4 * lane.start + ((FORWARD[lane.player] + 2) & 3)] = mouse;
  }
  const jumpGain = new Int16Array(4 * all.length);
  for (const [mouse, lane] of all.entries()) {
    const place = mouse < lanes.length ? players.indexOf(lane.player) : players.length;
    for (let d = 0; d < 4; d++) jumpGain[4 * mouse + d] = 8 * POINTS[(d - FORWARD[lane.player]) & 3]! + place;
  }
  return {
    laneMouse,
    jumpGain,
    mouseCount: lanes.length,
    micePerPlayer: lanes.length / players.length,
    orb: lanes.length,
    mouseOwner: Uint8Array.from(all, (lane) => players.indexOf(lane.player)),
    mouseForward: Uint8Array.from(all, (lane) => FORWARD[lane.player]),
    mouseStart: Int16Array.from(all, (lane) => lane.start),
    mouseIds: all.map((lane) => lane.id),
    mouseOutside: all.map(({ x, y }) => ({ x, y })),
  };
}

/** The player's lanes by number: start tile, and the place outside it (R3.2–R3.4). */
function lanesOf(player: PlayerId, width: number, height: number) {
  switch (player) {
    case "P1":
      return Array.from({ length: width }, (_, i) => ({ start: i, x: i + 1, y: 0 }));
    case "P2":
      return Array.from({ length: width }, (_, i) => ({ start: (height - 1) * width + i, x: i + 1, y: height + 1 }));
    case "P3":
      return Array.from({ length: height }, (_, i) => ({ start: i * width + width - 1, x: width + 1, y: i + 1 }));
    case "P4":
      return Array.from({ length: height }, (_, i) => ({ start: i * width, x: 0, y: i + 1 }));
  }
}
