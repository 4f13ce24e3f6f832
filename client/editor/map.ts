/** A map of one's own (R12): read, written, checked against the rules, and played by the engine. Pure. */
import { geometryOf } from "../../shared/engine/geometry.ts";
import { type Level, PLAYERS_OF } from "../../shared/engine/levels.ts";
import { defaultOptions, Match } from "../../shared/engine/match.ts";
import { emptyPosition } from "../../shared/engine/pieces.ts";
import { step } from "../../shared/engine/step.ts";
import { FORMATS, type Format, type PlayerId, type TileLabel } from "../../shared/engine/types.ts";
import { LOCAL_SEED } from "../store/localMatch.ts";

/** Stock, limit and ideal are those of Solo; in Arena they follow from the map (R12). */
export interface GameMap {
  readonly format: Format;
  /** Rows from y = 1 upwards, left to right; "0" is an obstacle, "1" is free. */
  readonly rows: readonly string[];
  readonly stock: readonly [g1: number, g2: number, g3: number, g4: number];
  readonly maxMoves: number;
  readonly idealMoves: number;
}

export const SIDES = { least: 3, most: 10 } as const;
const MOST_MOVES = 10_000;

export interface Problem {
  readonly code: string;
  /** False: it can be played, but hardly as it is meant. */
  readonly fatal: boolean;
  readonly message: string;
}

const label = (x: number, y: number): TileLabel => `P${x}${y}` as TileLabel;
const freeAt = (rows: readonly string[], x: number, y: number): boolean => rows[y - 1]?.[x - 1] === "1";

/** Number of tiles that may hold a gear. */
export const freeTiles = (rows: readonly string[]): number => rows.join("").replaceAll("0", "").length;

/** Where a player's mice come in, lane by lane (R3.2, R3.3). */
function startEdge(player: PlayerId, width: number, height: number): readonly (readonly [x: number, y: number])[] {
  const across = player === "P1" || player === "P2";
  return Array.from({ length: across ? width : height }, (_, i) => {
    if (across) return [i + 1, player === "P1" ? 1 : height] as const;
    return [player === "P3" ? width : 1, i + 1] as const;
  });
}

const OPPOSITE: Readonly<Record<PlayerId, PlayerId>> = { P1: "P2", P2: "P1", P3: "P4", P4: "P3" };

/** Everything that the rules find wrong with a map, each by name; a map without fatal ones can be played. */
export function checkMap(map: GameMap): readonly Problem[] {
  const found: Problem[] = [];
  const fatal = (code: string, message: string) => found.push({ code, fatal: true, message });
  const advice = (code: string, message: string) => found.push({ code, fatal: false, message });
  const { format, rows } = map;
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const players = PLAYERS_OF[format];
  const fits = (n: number) => n >= SIDES.least && n <= SIDES.most;
  if (!fits(width) || !fits(height)) fatal("size", `A side has ${SIDES.least} to ${SIDES.most} tiles.`);
  if (rows.some((row) => row.length !== width)) fatal("ragged", "All rows must be equally long.");
  if (rows.some((row) => /[^01]/.test(row))) fatal("letters", "A row is made of 1 (free) and 0 (obstacle) alone.");
  if (found.length > 0) return found;

  // R3.3: with four players everybody has as many mice as there are rows, or columns.
  if (players.length === 4 && width !== height) fatal("square", "With four players the board must be square.");
  for (const player of players) {
    const edge = startEdge(player, width, height);
    const blocked = edge.flatMap(([x, y], i) => (freeAt(rows, x, y) ? [] : [{ mouse: `M${i + 1}_${player}`, x, y }]));
    if (blocked.length === edge.length)
      fatal("start_edge", `${player} can place no first gear: the start edge is full.`);
    else {
      for (const { mouse, x, y } of blocked) {
        advice("lane", `${mouse} can never come in: ${label(x, y)} is an obstacle. Nobody can free every mouse.`);
      }
    }
    const exit = startEdge(OPPOSITE[player], width, height);
    if (!exit.some(([x, y]) => freeAt(rows, x, y))) fatal("exit", `${player}'s mice have no way out on the far edge.`);
  }
  const cut = cutOff(rows);
  // R4.6: there is always a legal command; with two islands of free tiles the last gears could not be placed.
  if (cut !== null) fatal("split", `${cut} cannot be reached from the other free tiles: no gear could go there.`);

  const free = freeTiles(rows);
  if (format === "solo") checkSolo(map, free, fatal, advice);
  else if (free % players.length !== 0) {
    fatal("uneven", `${free} free tiles cannot be shared among ${players.length} players.`);
  }
  return found;
}

type Tell = (code: string, message: string) => void;

function checkSolo({ stock, maxMoves, idealMoves }: GameMap, free: number, fatal: Tell, advice: Tell): void {
  const whole = (n: number, least: number, most: number) => Number.isInteger(n) && n >= least && n <= most;
  const sum = stock.reduce((all, n) => all + n, 0);
  if (stock.some((n) => !whole(n, 0, SIDES.most ** 2))) fatal("stock", "Each stock is a whole number, 0 or more.");
  else if (sum !== free) fatal("stock_sum", `The stock has ${sum} gears, but there are ${free} free tiles to fill.`);
  if (!whole(maxMoves, 1, MOST_MOVES)) fatal("max_moves", `The limit is a whole number from 1 to ${MOST_MOVES}.`);
  else if (maxMoves <= free) advice("short", "The moves run out before a gear can be turned.");
  if (!whole(idealMoves, 1, MOST_MOVES)) fatal("ideal_moves", "The ideal is a whole number, 1 or more.");
  else if (idealMoves > maxMoves) fatal("ideal_moves", "The ideal cannot be more than the limit.");
}

/** A free tile that no chain of free tiles joins to the first one; null when there is none. */
function cutOff(rows: readonly string[]): TileLabel | null {
  const all: [number, number][] = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) if (row[x] === "1") all.push([x + 1, y + 1]);
  });
  const first = all[0];
  if (first === undefined) return null;
  const seen = new Set([label(...first)]);
  for (const open = [first]; open.length > 0; ) {
    const [x, y] = open.pop() as [number, number];
    for (const [nx, ny] of [
      [x, y + 1],
      [x - 1, y],
      [x, y - 1],
      [x + 1, y],
    ] as const) {
      if (!freeAt(rows, nx, ny) || seen.has(label(nx, ny))) continue;
      seen.add(label(nx, ny));
      open.push([nx, ny]);
    }
  }
  const cut = all.find(([x, y]) => !seen.has(label(x, y)));
  return cut === undefined ? null : label(...cut);
}

/** As even a stock as `free` allows; what is left over goes to G3, then G2, then G1 (R12). */
export function evenStock(free: number): [number, number, number, number] {
  const [quarter, rest] = [Math.floor(free / 4), free % 4];
  return [quarter + (rest > 2 ? 1 : 0), quarter + (rest > 1 ? 1 : 0), quarter + (rest > 0 ? 1 : 0), quarter];
}

/** An empty board of that size, with a stock and limits in the proportion of the published levels. */
export function emptyMap(format: Format, width: number, height: number): GameMap {
  return withRows({ format, rows: [], stock: [0, 0, 0, 0], maxMoves: 1, idealMoves: 1 }, [
    ...Array.from({ length: height }, () => "1".repeat(width)),
  ]);
}

/** The map with other rows; stock and limits follow. */
export function withRows(map: GameMap, rows: readonly string[]): GameMap {
  const free = freeTiles(rows);
  return { ...map, rows, stock: evenStock(free), maxMoves: 2 * free + 8, idealMoves: Math.ceil(1.4 * free) };
}

/** The map with one tile the other way. */
export function toggled(map: GameMap, x: number, y: number): GameMap {
  const flip = (row: string) => row.slice(0, x - 1) + (row[x - 1] === "1" ? "0" : "1") + row.slice(x);
  return withRows(
    map,
    map.rows.map((row, i) => (i === y - 1 ? flip(row) : row)),
  );
}

/** Which of the levels that there are is nearest in size: the Orb's turn goes by it (R7.2). */
export function levelNumber({ format, rows }: GameMap): number {
  const side = Math.max(rows.length, rows[0]?.length ?? 0);
  return format === "solo" ? Math.min(7, side - 2) : Math.min(4, Math.max(1, Math.ceil(side / 2) - 1));
}

/** The engine's level of a map. Throws RangeError for a map that has fatal problems. */
export function levelFrom(map: GameMap): Level {
  const wrong = checkMap(map).find((problem) => problem.fatal);
  if (wrong) throw new RangeError(wrong.message);
  const { format, rows } = map;
  const players = PLAYERS_OF[format];
  const free = freeTiles(rows);
  const solo = format === "solo";
  const [G1, G2, G3, G4] = solo ? map.stock : evenStock(free / players.length);
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  return {
    format,
    level: levelNumber(map),
    width,
    height,
    dimensions: `${width}x${height}`,
    map: rows,
    freeTiles: free,
    players,
    stock: { G1, G2, G3, G4 },
    maxMoves: solo ? map.maxMoves : 1.5 * free * players.length,
    idealMoves: solo ? map.idealMoves : null,
  };
}

/** A started match on a map, with all that the rules bring. Throws RangeError as `levelFrom`. */
export function matchOn(map: GameMap): Match {
  const options = defaultOptions(map.format);
  const position = emptyPosition(geometryOf(levelFrom(map)), options, LOCAL_SEED);
  return step(new Match(position, LOCAL_SEED, options, []), { type: "start" }).match;
}

/** `solo_111.101.111_2.3.1.2_22_12`, `1v1_1111.1111.1111.1111`: fit for an address as it is. */
export function makeMap({ format, rows, stock, maxMoves, idealMoves }: GameMap): string {
  const all = format === "solo" ? [stock.join("."), maxMoves, idealMoves] : [];
  return [format, rows.join("."), ...all].join("_");
}

const LONGEST = 400;

/** Reads `makeMap`'s form, or rows alone as R12 has them (`111 101 111`, a Solo map); null when it is neither. */
export function parseMap(text: string): GameMap | null {
  const clean = text.trim();
  if (clean.length > LONGEST) return null;
  if (/^[01]+([ .\n]+[01]+)*$/.test(clean)) return withRows(emptyMap("solo", 3, 3), clean.split(/[ .\n]+/));
  const [format, map = "", ...rest] = clean.split("_");
  const known = FORMATS.find((each) => each === format);
  if (known === undefined || !/^[01]+(\.[01]+)*$/.test(map)) return null;
  const bare = withRows(emptyMap(known, 3, 3), map.split("."));
  if (known !== "solo") return rest.length === 0 ? bare : null;
  if (rest.length === 0) return bare;
  const [stock = "", max = "", ideal = ""] = rest;
  if (rest.length !== 3 || !/^\d+(\.\d+){3}$/.test(stock) || !/^\d+$/.test(max) || !/^\d+$/.test(ideal)) return null;
  const [g1 = 0, g2 = 0, g3 = 0, g4 = 0] = stock.split(".").map(Number);
  return { ...bare, stock: [g1, g2, g3, g4], maxMoves: Number(max), idealMoves: Number(ideal) };
}
