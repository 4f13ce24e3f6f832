import { BASES, orientation, type Position } from "./position.ts";
import { makeTile, parseTile } from "./text.ts";
import { GEAR_TYPES, type GearType, type Quarter, type Result, type Size, type TileLabel } from "./types.ts";

/** One tile as R13.1 writes it. `side` is R or L; `taken` tells of each existing base whether a mouse sits on it. */
export type Cell =
  | { readonly type: "obstacle" }
  | { readonly type: "free"; readonly tile: TileLabel; readonly side: "R" | "L" }
  | {
      readonly type: "gear";
      readonly gear: GearType;
      readonly tile: TileLabel;
      readonly side: "R" | "L";
      readonly b: Quarter;
      /** Bit k = base k. */
      readonly taken: number;
    };

const FREE = /^(P[0-9]{2,4})([RL])$/;
const GEAR = /^(G[1-4])(P[0-9]{2,4})([RL])([0-3])B([0-2]{4})$/;

/** Reads one encoding of R13.1 for a board of that size. */
export function parseCell(text: string, size: Size): Result<Cell, "bad_cell"> {
  if (text === "obstacle") return { ok: true, value: { type: "obstacle" } };
  const free = FREE.exec(text);
  const full = GEAR.exec(text);
  const [label, side] = free !== null ? [free[1]!, free[2]!] : full !== null ? [full[2]!, full[3]!] : ["", ""];
  const place = parseTile(label, size);
  if (!place.ok || side !== sideOf(place.value.x, place.value.y)) return badCell(text);
  const tile = label as TileLabel;
  if (full === null) return { ok: true, value: { type: "free", tile, side } };
  const gear = full[1]! as GearType;
  const bases = BASES[GEAR_TYPES.indexOf(gear) + 1]!;
  let taken = 0;
  for (let k = 0; k < 4; k++) {
    const digit = full[5]![k]!;
    if ((digit !== "2") !== (((bases >> k) & 1) === 1)) return badCell(text);
    if (digit === "1") taken |= 1 << k;
  }
  return { ok: true, value: { type: "gear", gear, tile, side, b: Number(full[4]) as Quarter, taken } };
}

/** The encoding of R13.1. */
export function makeCell(cell: Cell): string {
  switch (cell.type) {
    case "obstacle":
      return "obstacle";
    case "free":
      return cell.tile + cell.side;
    case "gear": {
      const bases = BASES[GEAR_TYPES.indexOf(cell.gear) + 1]!;
      const digits = [0, 1, 2, 3].map((k) => (((bases >> k) & 1) === 0 ? 2 : (cell.taken >> k) & 1));
      return `${cell.gear}${cell.tile}${cell.side}${cell.b}B${digits.join("")}`;
    }
  }
}

/** What is on a tile of a position. */
export function cellOf(position: Position, tile: number): Cell {
  const { geometry } = position;
  if (geometry.isFree[tile] === 0) return { type: "obstacle" };
  const label = geometry.labels[tile]!;
  const side = geometry.sign[tile] === 1 ? "R" : "L";
  const type = position.gear[tile]!;
  if (type === 0) return { type: "free", tile: label, side };
  const taken = BASES[type]! & ~position.free[tile]!;
  const b = orientation(position, tile) as Quarter;
  return { type: "gear", gear: GEAR_TYPES[type - 1]!, tile: label, side, b, taken };
}

/** Reads a board's encodings in the order y = 1..H, x = 1..W; each cell must stand in its place. */
export function parseBoard(cells: readonly string[], size: Size): Result<Cell[], "bad_cell"> {
  const parsed: Cell[] = [];
  for (let y = 1; y <= size.height; y++) {
    for (let x = 1; x <= size.width; x++) {
      const text = cells[parsed.length] ?? "";
      const cell = parseCell(text, size);
      if (!cell.ok) return cell;
      if (cell.value.type !== "obstacle" && cell.value.tile !== makeTile(x, y)) return badCell(text);
      parsed.push(cell.value);
    }
  }
  if (cells.length !== parsed.length) return badCell(cells[parsed.length]!);
  return { ok: true, value: parsed };
}

/** The encodings of a board's cells. */
export function makeBoard(cells: readonly Cell[]): string[] {
  return cells.map(makeCell);
}

/** R1.2 */
function sideOf(x: number, y: number): "R" | "L" {
  return (x + y) % 2 === 0 ? "R" : "L";
}

function badCell(text: string): Result<never, "bad_cell"> {
  return { ok: false, code: "bad_cell", message: `"${text.slice(0, 40)}" is no encoding of its tile (R13.1).` };
}
