import { FORMATS, type Format, GEAR_TYPES, type PlayerId, type Stock } from "./types.ts";

/** One board of one format (R12). */
export interface Level {
  readonly format: Format;
  readonly level: number;
  readonly width: number;
  readonly height: number;
  /** "4x4" */
  readonly dimensions: string;
  /** Rows from y = 1 upwards, left to right; "0" is an obstacle. */
  readonly map: readonly string[];
  readonly freeTiles: number;
  readonly players: readonly PlayerId[];
  /** What each player starts with. */
  readonly stock: Stock;
  readonly maxMoves: number;
  /** Null in Arena. */
  readonly idealMoves: number | null;
}

interface SoloRow {
  readonly map: string;
  readonly stock: readonly [number, number, number, number];
  readonly max: number;
  readonly ideal: number;
}

const SOLO: readonly SoloRow[] = [
  { map: "111 101 111", stock: [2, 3, 1, 2], max: 22, ideal: 12 },
  { map: "1111 1101 1011 1111", stock: [3, 4, 5, 2], max: 36, ideal: 22 },
  { map: "11111 11110 01111 11011 11111", stock: [6, 5, 6, 5], max: 48, ideal: 28 },
  { map: "111111 111101 011111 110111 111101 110111", stock: [8, 5, 11, 7], max: 58, ideal: 44 },
  { map: "1111111 1101111 0111111 1101111 1111011 1110110 1111111", stock: [13, 7, 15, 8], max: 88, ideal: 60 },
  {
    map: "11111111 11111101 11101011 01111110 11110111 11011111 10111111 11111111",
    stock: [18, 13, 10, 15],
    max: 111,
    ideal: 78,
  },
  {
    map: "1111111111 1111011111 1101111101 1111111111 1011110111 1111111111 1110111011 1111111111 1101101101 1111111111",
    stock: [28, 20, 22, 20],
    max: 178,
    ideal: 125,
  },
];

const ARENA: readonly { readonly size: number; readonly obstacles: readonly (readonly [number, number])[] }[] = [
  { size: 4, obstacles: [] },
  { size: 6, obstacles: [] },
  { size: 8, obstacles: [] },
  {
    size: 10,
    obstacles: [
      [5, 5],
      [6, 5],
      [5, 6],
      [6, 6],
    ],
  },
];

/** The players of each format in turn order (R3.1). */
export const PLAYERS_OF: Readonly<Record<Format, readonly PlayerId[]>> = {
  solo: ["P1"],
  "1v1": ["P1", "P2"],
  "2v2": ["P1", "P2", "P3", "P4"],
  ffa4: ["P1", "P2", "P3", "P4"],
};

/** The team of a player in 2v2 (R3.1). */
export function teamOf(player: PlayerId): "A" | "B" {
  return player === "P1" || player === "P2" ? "A" : "B";
}

function soloLevel(level: number, row: SoloRow): Level {
  const map = row.map.split(" ");
  const [G1, G2, G3, G4] = row.stock;
  return {
    ...shape("solo", level, map),
    stock: { G1, G2, G3, G4 },
    maxMoves: row.max,
    idealMoves: row.ideal,
  };
}

function arenaLevel(format: Format, level: number, size: number, obstacles: readonly (readonly [number, number])[]) {
  const map = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) =>
      obstacles.some(([ox, oy]) => ox === x + 1 && oy === y + 1) ? "0" : "1",
    ).join(""),
  );
  const base = shape(format, level, map);
  const each = base.freeTiles / base.players.length;
  const quarter = Math.floor(each / 4);
  const rest = each % 4; // one each to G3, then G2, then G1
  const stock = {
    G1: quarter + (rest > 2 ? 1 : 0),
    G2: quarter + (rest > 1 ? 1 : 0),
    G3: quarter + (rest > 0 ? 1 : 0),
    G4: quarter,
  };
  return { ...base, stock, maxMoves: 1.5 * base.freeTiles * base.players.length, idealMoves: null };
}

function shape(format: Format, level: number, map: readonly string[]) {
  const height = map.length;
  const width = map[0]!.length;
  const freeTiles = map.join("").replaceAll("0", "").length;
  return {
    format,
    level,
    width,
    height,
    dimensions: `${width}x${height}`,
    map,
    freeTiles,
    players: PLAYERS_OF[format],
  };
}

const ALL: ReadonlyMap<string, Level> = new Map(
  FORMATS.flatMap((format) =>
    format === "solo"
      ? SOLO.map((row, i) => soloLevel(i + 1, row))
      : ARENA.map((row, i) => arenaLevel(format, i + 1, row.size, row.obstacles)),
  ).map((level) => [`${level.format} ${level.level}`, level]),
);

/** The level numbers of each format, ascending. */
export const LEVELS: Readonly<Record<Format, readonly number[]>> = {
  solo: SOLO.map((_, i) => i + 1),
  "1v1": ARENA.map((_, i) => i + 1),
  "2v2": ARENA.map((_, i) => i + 1),
  ffa4: ARENA.map((_, i) => i + 1),
};

/** The level of that format and number, or null when there is none (R12). */
export function levelOf(format: Format, level: number): Level | null {
  return ALL.get(`${format} ${level}`) ?? null;
}

/** The four stock counts in the order G1..G4. */
export function stockRow(stock: Stock): readonly number[] {
  return GEAR_TYPES.map((type) => stock[type]);
}
