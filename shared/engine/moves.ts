/**
 * A legal command as one integer, for search:
 * bit 0: 0 = +90, 1 = -90 · bits 1–7: the named tile · bits 8–9: b of the placed gear or of the pre-move ·
 * bits 10–16: the pre-move's tile, 127 = none · bits 17–19: gear type 1..4, 0 = rotation.
 */
export type EncodedMove = number;

export const NO_PREMOVE = 127;

/** `turn` is +1 for +90 and -1 for -90. */
export function encodePlacement(type: number, tile: number, b: number, turn: number): EncodedMove {
  return (type << 17) | (NO_PREMOVE << 10) | (b << 8) | (tile << 1) | (turn < 0 ? 1 : 0);
}

/** `premoved` is a tile or NO_PREMOVE (then b is 0). */
export function encodeRotation(tile: number, turn: number, premoved: number, b: number): EncodedMove {
  return (premoved << 10) | (b << 8) | (tile << 1) | (turn < 0 ? 1 : 0);
}

export const moveTurn = (move: EncodedMove): 1 | -1 => ((move & 1) === 0 ? 1 : -1);
export const moveTile = (move: EncodedMove): number => (move >> 1) & 127;
export const moveB = (move: EncodedMove): number => (move >> 8) & 3;
export const movePremoved = (move: EncodedMove): number => (move >> 10) & 127;
export const moveType = (move: EncodedMove): number => move >> 17;
