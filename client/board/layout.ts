/** Where things lie on the board: pure numbers in tiles, y down, the origin in the corner of the whole picture. */
import type { PlayerId, Quarter } from "../../shared/engine/types.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Tiles outside the board on each side: lanes where mice wait and leave, or just the frame. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Size of the whole picture. */
  readonly totalWidth: number;
  readonly totalHeight: number;
}

/** The frame with the coordinates, and the strip in which the mice of an edge wait. */
export const FRAME = 0.34;
export const STRIP = 0.66;

/** Each start edge has an exit edge opposite (R3.2), so lanes lie on both sides of an axis. */
export function layoutOf(width: number, height: number, players: readonly PlayerId[]): Layout {
  const vertical = FRAME + STRIP;
  const horizontal = players.includes("P3") ? FRAME + STRIP : FRAME;
  return {
    width,
    height,
    left: horizontal,
    right: horizontal,
    top: vertical,
    bottom: vertical,
    totalWidth: width + 2 * horizontal,
    totalHeight: height + 2 * vertical,
  };
}

/** The middle of tile (x, y); x = 0, W+1, y = 0, H+1 are the places outside (R3.4). */
export function placeOf(layout: Layout, x: number, y: number): Point {
  const out = FRAME + STRIP / 2;
  const px = x < 1 ? layout.left - out : x > layout.width ? layout.left + layout.width + out : layout.left + x - 0.5;
  const py =
    y < 1
      ? layout.top + layout.height + out
      : y > layout.height
        ? layout.top - out
        : layout.top + layout.height - y + 0.5;
  return { x: px, y: py };
}

const STEP: readonly Point[] = [
  { x: 0, y: -1 },
  { x: -1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 0 },
];

/** One tile in an absolute direction (R1.3), y down. */
export function stepOf(direction: Quarter): Point {
  return STEP[direction] as Point;
}

/** Angle in radians, clockwise as screens have it, of `quarters` counter-clockwise quarter turns. */
export function angleOf(quarters: number): number {
  return quarters === 0 ? 0 : (-quarters * Math.PI) / 2;
}

/** The point `distance` tiles from `centre` at a screen angle (clockwise from north). */
export function polar(centre: Point, distance: number, angle: number): Point {
  return { x: centre.x + distance * Math.sin(angle), y: centre.y - distance * Math.cos(angle) };
}

/** The direction in which a waiting mouse of this player looks (R3.2): forward. */
export const FORWARD: Readonly<Record<PlayerId, Quarter>> = { P1: 0, P2: 2, P3: 1, P4: 3 };
