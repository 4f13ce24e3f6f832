/** What the board shows, read once from a state: tiles with their gears, mice with their places. */
import {
  type GearType,
  type MouseId,
  type MouseState,
  PLAYERS,
  type PlayerId,
  type Quarter,
  type TileLabel,
} from "../../shared/engine/types.ts";
import { parseTileState } from "../../shared/protocol/encoding.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Parity } from "./shape.ts";

/** absent: no such base; the others as R13.1 has them. */
export type BaseState = "absent" | "free" | "taken";

export interface GearView {
  readonly type: GearType;
  readonly b: Quarter;
  readonly owner: PlayerId | null;
  /** By gear-relative base index (R2.2). */
  readonly bases: readonly [BaseState, BaseState, BaseState, BaseState];
}

export interface TileView {
  readonly label: TileLabel;
  readonly x: number;
  readonly y: number;
  readonly parity: Parity;
  readonly obstacle: boolean;
  readonly gear: GearView | null;
}

export interface BoardModel {
  readonly width: number;
  readonly height: number;
  readonly players: readonly PlayerId[];
  readonly tiles: ReadonlyMap<TileLabel, TileView>;
  readonly mice: ReadonlyMap<MouseId, MouseState>;
}

/** R2.1 */
export const BASES: Readonly<Record<GearType, readonly Quarter[]>> = {
  G1: [0],
  G2: [0, 2],
  G3: [1, 2, 3],
  G4: [0, 1, 2, 3],
};

export const tileLabel = (x: number, y: number): TileLabel => `P${x}${y}` as TileLabel;

/** R1.2 */
export const parityOf = (x: number, y: number): Parity => ((x + y) % 2 === 0 ? "R" : "L");

/** Reads one tile of `board_encoding` (R13.1); null for a free tile, an obstacle, or what is no encoding. */
export function parseGear(encoding: string, owner: PlayerId | null): GearView | null {
  const tile = parseTileState(encoding);
  if (tile?.type !== "gear") return null;
  const [n, w, s, e] = tile.taken.map((taken): BaseState => (taken === null ? "absent" : taken ? "taken" : "free"));
  return { type: tile.gear, b: tile.b, owner, bases: [n ?? "absent", w ?? "absent", s ?? "absent", e ?? "absent"] };
}

/** "6x6" → its two numbers. */
export function parseDimensions(dimensions: string): { width: number; height: number } {
  const [width = 0, height = 0] = dimensions.split("x").map(Number);
  return { width, height };
}

const models = new WeakMap<NativeState["data"], BoardModel>();

/** The board of a state; read once, since states never change. */
export function boardModel(state: NativeState): BoardModel {
  const known = models.get(state.data);
  if (known !== undefined) return known;
  const made = readBoard(state);
  models.set(state.data, made);
  return made;
}

function readBoard(state: NativeState): BoardModel {
  const { board_encoding, gear_owners, mice } = state.data;
  return {
    ...parseDimensions(state.meta.dimensions),
    players: PLAYERS.filter((p) => state.status.players[p] !== undefined),
    tiles: readTiles(state.meta.dimensions, (label) => board_encoding[label], gear_owners),
    mice: new Map(Object.entries(mice)),
  };
}

/**
 * The board of a list's row: encodings in the order y, x, joined by blanks. Whose mouse sits on a base it does not say,
 * so mice wear the colour of the gear's owner.
 */
export function thumbnailModel(
  dimensions: string,
  board: string,
  owners: Readonly<Record<string, PlayerId>>,
  players: readonly PlayerId[],
): BoardModel {
  const { width, height } = parseDimensions(dimensions);
  const texts = board.split(" ");
  const byLabel = new Map<string, string>();
  for (let i = 0; i < width * height; i++)
    byLabel.set(tileLabel((i % width) + 1, Math.floor(i / width) + 1), texts[i] ?? "");
  const tiles = readTiles(dimensions, (label) => byLabel.get(label), owners);
  const mice = new Map<MouseId, MouseState>();
  for (const { label, x, y, gear } of tiles.values()) {
    gear?.bases.forEach((base, k) => {
      if (base !== "taken") return;
      const facing = ((gear.b + k) & 3) as Quarter;
      const seat = { owner: gear.owner, pos: label, x, y, on_base: k as Quarter, facing, status: "IN_PLAY" as const };
      mice.set(`${label}-${k}`, seat);
    });
  }
  return { width, height, players, tiles, mice };
}

function readTiles(
  dimensions: string,
  encoding: (label: TileLabel) => string | undefined,
  owners: Readonly<Record<string, PlayerId>>,
): Map<TileLabel, TileView> {
  const { width, height } = parseDimensions(dimensions);
  const tiles = new Map<TileLabel, TileView>();
  for (let y = 1; y <= height; y++) {
    for (let x = 1; x <= width; x++) {
      const label = tileLabel(x, y);
      const text = encoding(label) ?? "";
      tiles.set(label, {
        label,
        x,
        y,
        parity: parityOf(x, y),
        obstacle: text === "obstacle",
        gear: parseGear(text, owners[label] ?? null),
      });
    }
  }
  return tiles;
}
