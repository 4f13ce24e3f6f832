/**
 * The outline of a gear, in tiles, as one SVG path: canvas, Phaser textures and SVG icons all draw from it.
 *
 * Gears stand one tile apart, so the pitch circle has radius 1/2. With a number of teeth that 4 divides, a quarter turn
 * maps a gear onto itself; R gears (R1.2) carry a tooth in each of the four directions, L gears a gap. So a tooth always
 * meets a gap, at every orientation and at every instant of a turn, because neighbours turn against each other (R2.5).
 */
export const TEETH = 12;
export const PITCH = 0.5;
/** Tip and root circles; tip + root < 1 leaves the clearance between neighbours. */
export const TIP = 0.557;
export const ROOT = 0.43;
/** Half widths of a tooth as a share of the tooth pitch, at the tip, on the pitch circle and at the root. */
const HALF = { tip: 0.135, pitch: 0.235, root: 0.315 } as const;

/** Distance of a base's middle from the axle, its radius, and half the width of the way out over the rim. */
export const SEAT = 0.262;
export const SEAT_RADIUS = 0.118;
export const SEAT_WAY = 0.074;
export const HUB = 0.105;

/** The parity of a tile: R gears have a tooth on top, L gears a gap. */
export type Parity = "R" | "L";

/** Angle in radians of tooth `i`, clockwise from north. */
export function toothAngle(parity: Parity, i: number): number {
  const pitch = (2 * Math.PI) / TEETH;
  return (i + (parity === "R" ? 0 : 0.5)) * pitch;
}

/** Half the angle in radians that a tooth covers at `radius` (tiles); 0 outside of the teeth. */
export function toothHalfAngle(radius: number): number {
  const pitch = (2 * Math.PI) / TEETH;
  if (radius < ROOT || radius > TIP) return 0;
  const share =
    radius < PITCH
      ? HALF.root + ((radius - ROOT) / (PITCH - ROOT)) * (HALF.pitch - HALF.root)
      : HALF.pitch + ((radius - PITCH) / (TIP - PITCH)) * (HALF.tip - HALF.pitch);
  return share * pitch;
}

const point = (radius: number, angle: number): string =>
  `${(radius * Math.sin(angle)).toFixed(4)} ${(-radius * Math.cos(angle)).toFixed(4)}`;

/** The closed outline of a gear around the origin, y down, in tiles. */
export const gearPath = (parity: Parity): string => OUTLINES[parity];

function outline(parity: Parity): string {
  const pitch = (2 * Math.PI) / TEETH;
  let path = "";
  for (let i = 0; i < TEETH; i++) {
    const a = toothAngle(parity, i);
    const root = HALF.root * pitch;
    const mid = HALF.pitch * pitch;
    const tip = HALF.tip * pitch;
    path += `${i === 0 ? "M" : "L"}${point(ROOT, a - root)}`;
    path += `Q${point(ROOT + 0.035, a - root * 0.93)} ${point(PITCH, a - mid)}`;
    path += `L${point(TIP - 0.012, a - tip * 1.08)}Q${point(TIP, a - tip * 0.95)} ${point(TIP, a - tip * 0.6)}`;
    path += `L${point(TIP, a + tip * 0.6)}Q${point(TIP, a + tip * 0.95)} ${point(TIP - 0.012, a + tip * 1.08)}`;
    path += `L${point(PITCH, a + mid)}Q${point(ROOT + 0.035, a + root * 0.93)} ${point(ROOT, a + root)}`;
    const next = toothAngle(parity, i + 1) - root;
    path += `Q${point(ROOT - 0.012, (a + root + next) / 2)} ${point(ROOT, next)}`;
  }
  return `${path}Z`;
}

const OUTLINES: Readonly<Record<Parity, string>> = { R: outline("R"), L: outline("L") };

/** A base facing north: a round seat with a way out over the rim. */
export function seatPath(): string {
  const y = -SEAT;
  const r = SEAT_RADIUS;
  const w = SEAT_WAY;
  const meet = y - Math.sqrt(r * r - w * w);
  const end = -(ROOT - 0.004);
  return `M${-w} ${end}L${-w} ${meet}A${r} ${r} 0 1 0 ${w} ${meet}L${w} ${end}Z`;
}

/** A mouse seen from above, nose to the north, about one unit long, around its middle. */
export const MOUSE = {
  tail: "M0 .36C.02 .5 .1 .5 .15 .56C.19 .62 .16 .68 .1 .68",
  body: "M0-.5C.1-.5 .17-.4 .23-.26C.33-.12 .37 .04 .35 .18C.32 .34 .17 .42 0 .42C-.17 .42-.32 .34-.35 .18C-.37 .04-.33-.12-.23-.26C-.17-.4-.1-.5 0-.5Z",
  ears: [
    { x: -0.235, y: -0.17 },
    { x: 0.235, y: -0.17 },
  ],
  earRadius: 0.155,
  eyes: [
    { x: -0.085, y: -0.335 },
    { x: 0.085, y: -0.335 },
  ],
  nose: { x: 0, y: -0.485 },
} as const;
