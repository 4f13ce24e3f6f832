import type { Quarter } from "./types.ts";

/**
 * How the tiles of a board lie in 32-bit words, one bit a tile, so that all of them are looked at at once. A word
 * holds as many whole rows as fit, without gaps: bit i of word w is tile w·tilesPerWord + i. The neighbour to the
 * north is `width` bits higher, or `carry` bits lower in the next word.
 *
 * The masks hold for words 0, 2, 4...; with `alternate` all ones, R and L tiles are the other way round in words 1,
 * 3, 5..., so each pair of masks changes places. Bits of no tile may be set in them: no gear is there.
 */
export interface Layout {
  readonly words: number;
  readonly tilesPerWord: number;
  readonly carry: number;
  readonly wordOf: Uint8Array;
  readonly bitOf: Uint8Array;
  readonly alternate: number;
  /** All rows of a word but its lowest. */
  readonly upper: number;
  /** R tiles, L tiles (R1.2) with a neighbour to the east. */
  readonly eastOfRight: number;
  readonly eastOfLeft: number;
  /** exits[4·word + mirrored direction]: tiles on the edge over which a player leaves that way (R3.2); see planes.ts. */
  readonly exits: Int32Array;
}

/** The layout of a board of that size, in tiles, with these ways out; a row must fit into a word (else RangeError). */
export function makeLayout(width: number, height: number, forwards: readonly Quarter[]): Layout {
  if (width > 32) throw new RangeError("makeLayout: a row is wider than a word");
  const rows = Math.min(height, Math.floor(32 / width));
  const tilesPerWord = rows * width;
  const words = Math.ceil(height / rows);
  const tiles = Array.from({ length: width * height }, (_, t) => t);
  const mask = (holds: (x: number, y: number, side: "R" | "L") => boolean) => {
    let bits = 0;
    for (let i = 0; i < tilesPerWord; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      if (holds(x, y, (x + y) % 2 === 0 ? "R" : "L")) bits |= 1 << i;
    }
    return bits;
  };
  const last = width - 1;
  const exits = new Int32Array(4 * words);
  for (const t of tiles) {
    const [x, y] = [t % width, Math.floor(t / width)];
    const onEdge = [y === height - 1, x === 0, y === 0, x === last];
    for (const d of forwards) {
      const mirrored = (x + y) % 2 === 0 ? d : -d & 3;
      if (onEdge[d]) exits[4 * Math.floor(t / tilesPerWord) + mirrored]! |= 1 << (t % tilesPerWord);
    }
  }
  return {
    words,
    tilesPerWord,
    carry: tilesPerWord - width,
    wordOf: Uint8Array.from(tiles, (t) => Math.floor(t / tilesPerWord)),
    bitOf: Uint8Array.from(tiles, (t) => t % tilesPerWord),
    alternate: rows % 2 === 0 ? 0 : -1,
    upper: mask((_, y) => y > 0),
    eastOfRight: mask((x, _, side) => x < last && side === "R"),
    eastOfLeft: mask((x, _, side) => x < last && side === "L"),
    exits,
  };
}
