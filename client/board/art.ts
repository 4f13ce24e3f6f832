/**
 * The pieces, drawn by code on a 2D canvas. Every function draws around the origin in tiles, y down; the caller has
 * scaled the context. Light falls from the upper left and does not turn with a gear, so gloss is a piece of its own.
 */
import { GEAR_TYPES, type GearType, type PlayerId } from "../../shared/engine/types.ts";
import { angleOf } from "./layout.ts";
import { BASES } from "./model.ts";
import { BOWL, FUR, METAL, OUTLINE, type Palette, PLAYER_COLOURS } from "./palette.ts";
import { gearPath, HUB, MOUSE, type Parity, ROOT, SEAT, SEAT_RADIUS, seatPath, TIP } from "./shape.ts";

export type Ink = CanvasRenderingContext2D;

const TAU = 2 * Math.PI;
const paths = new Map<string, Path2D>();

function path(data: string): Path2D {
  let made = paths.get(data);
  if (made === undefined) {
    made = new Path2D(data);
    paths.set(data, made);
  }
  return made;
}

function disc(ink: Ink, x: number, y: number, r: number): void {
  ink.beginPath();
  ink.arc(x, y, r, 0, TAU);
}

/** The soft shadow under a gear. */
export function drawShadow(ink: Ink, palette: Palette): void {
  const shade = ink.createRadialGradient(0.035, 0.06, ROOT * 0.7, 0.035, 0.06, TIP + 0.05);
  shade.addColorStop(0, palette.shadow);
  shade.addColorStop(0.7, palette.shadow);
  shade.addColorStop(1, "rgba(0,0,0,0)");
  ink.fillStyle = shade;
  disc(ink, 0.035, 0.06, TIP + 0.05);
  ink.fill();
}

/** A gear with its bases, at orientation 0. */
export function drawGear(ink: Ink, type: GearType, parity: Parity): void {
  const metal = METAL[parity];
  const outline = path(gearPath(parity));
  const rim = ink.createRadialGradient(0, 0, ROOT * 0.8, 0, 0, TIP);
  rim.addColorStop(0, metal.mid);
  rim.addColorStop(0.55, metal.light);
  rim.addColorStop(1, metal.dark);
  ink.fillStyle = rim;
  ink.fill(outline);
  ink.lineWidth = 0.026;
  ink.lineJoin = "round";
  ink.strokeStyle = metal.edge;
  ink.stroke(outline);

  const face = ink.createRadialGradient(0, 0, HUB, 0, 0, ROOT - 0.03);
  face.addColorStop(0, metal.light);
  face.addColorStop(0.25, metal.face);
  face.addColorStop(1, metal.mid);
  ink.fillStyle = face;
  disc(ink, 0, 0, ROOT - 0.045);
  ink.fill();
  ink.lineWidth = 0.018;
  ink.strokeStyle = metal.groove;
  ink.stroke();
  // Turned metal: fine rings that stay themselves at every angle.
  ink.lineWidth = 0.006;
  ink.globalAlpha = 0.35;
  for (const r of [0.16, 0.2, 0.24, 0.28, 0.32]) {
    disc(ink, 0, 0, r);
    ink.stroke();
  }
  ink.globalAlpha = 1;

  const present = BASES[type];
  for (const k of [0, 1, 2, 3] as const) {
    ink.save();
    ink.rotate(angleOf(k));
    if (present.includes(k)) drawSeat(ink, parity);
    else drawRivet(ink, parity);
    ink.restore();
  }
}

/** A free base: a dark bowl with a way out over the rim. */
function drawSeat(ink: Ink, parity: Parity): void {
  const metal = METAL[parity];
  const seat = path(seatPath());
  ink.lineJoin = "round";
  ink.lineWidth = 0.05;
  ink.strokeStyle = metal.edge;
  ink.stroke(seat);
  ink.lineWidth = 0.026;
  ink.strokeStyle = metal.light;
  ink.stroke(seat);
  const bowl = ink.createRadialGradient(0, -SEAT, 0, 0, -SEAT, SEAT_RADIUS * 1.6);
  bowl.addColorStop(0, BOWL[parity][0]);
  bowl.addColorStop(1, BOWL[parity][1]);
  ink.fillStyle = bowl;
  ink.fill(seat);
}

/** No base here: a flush rivet. */
function drawRivet(ink: Ink, parity: Parity): void {
  const metal = METAL[parity];
  ink.fillStyle = metal.groove;
  disc(ink, 0, -0.29, 0.03);
  ink.fill();
  ink.fillStyle = metal.light;
  disc(ink, -0.007, -0.297, 0.017);
  ink.fill();
}

/** The light on a gear, from one point to another: white that fades to the middle, black that grows from there. */
export const GLOSS = { from: [-0.4, -0.45], to: [0.4, 0.45], middle: 0.5, shine: 0.42, shade: 0.26 } as const;

/** Gloss and edge light of every gear; never turns. (Phaser's boards: light.ts.) */
export function drawGloss(ink: Ink): void {
  const { from, to, middle, shine, shade } = GLOSS;
  const gloss = ink.createLinearGradient(...from, ...to);
  gloss.addColorStop(0, `rgba(255,255,255,${shine})`);
  gloss.addColorStop(middle, "rgba(255,255,255,0)");
  gloss.addColorStop(middle, "rgba(0,0,0,0)");
  gloss.addColorStop(1, `rgba(0,0,0,${shade})`);
  ink.fillStyle = gloss;
  disc(ink, 0, 0, ROOT - 0.01);
  ink.fill();
}

/** The cap on the axle in the colour and with the shape of the gear's owner. */
export function drawHub(ink: Ink, owner: PlayerId | null): void {
  ink.lineWidth = 0.022;
  ink.strokeStyle = OUTLINE;
  ink.fillStyle = owner === null ? "#78828d" : PLAYER_COLOURS[owner];
  disc(ink, 0, 0, HUB);
  ink.fill();
  ink.stroke();
  const shine = ink.createLinearGradient(-HUB, -HUB, HUB, HUB);
  shine.addColorStop(0, "rgba(255,255,255,.5)");
  shine.addColorStop(0.5, "rgba(255,255,255,0)");
  shine.addColorStop(1, "rgba(0,0,0,.25)");
  ink.fillStyle = shine;
  disc(ink, 0, 0, HUB - 0.011);
  ink.fill();
  if (owner !== null) {
    ink.fillStyle = markInk(owner);
    ink.fill(path(markPath(owner, HUB * 0.5)));
  }
}

/** What can be read on a player's colour. */
export function markInk(player: PlayerId): string {
  return player === "P2" || player === "P4" ? OUTLINE : "#ffffff";
}

/** The shape of each player, as wide as 2·r: circle, triangle, square, diamond. */
export function markPath(player: PlayerId, r: number): string {
  const n = (v: number) => v.toFixed(4);
  switch (player) {
    case "P1":
      return `M${n(-r)} 0A${n(r)} ${n(r)} 0 1 1 ${n(r)} 0A${n(r)} ${n(r)} 0 1 1 ${n(-r)} 0Z`;
    case "P2":
      return `M0 ${n(-r * 1.1)}L${n(r * 1.08)} ${n(r * 0.8)}L${n(-r * 1.08)} ${n(r * 0.8)}Z`;
    case "P3":
      return `M${n(-r * 0.86)} ${n(-r * 0.86)}H${n(r * 0.86)}V${n(r * 0.86)}H${n(-r * 0.86)}Z`;
    case "P4":
      return `M0 ${n(-r * 1.22)}L${n(r * 1.05)} 0L0 ${n(r * 1.22)}L${n(-r * 1.05)} 0Z`;
  }
}

/** A mouse one unit long, nose to the north. */
export function drawMouse(ink: Ink, owner: PlayerId, halo: string | null = null): void {
  if (halo !== null) drawHalo(ink, halo);
  const [light, dark] = FUR[owner];
  const fur = ink.createRadialGradient(-0.1, -0.12, 0.05, 0, 0.05, 0.55);
  fur.addColorStop(0, light);
  fur.addColorStop(0.55, PLAYER_COLOURS[owner]);
  fur.addColorStop(1, dark);
  ink.lineCap = "round";
  ink.lineJoin = "round";
  ink.strokeStyle = OUTLINE;
  ink.lineWidth = 0.12;
  ink.stroke(path(MOUSE.tail));
  ink.strokeStyle = "#f0b9ad";
  ink.lineWidth = 0.055;
  ink.stroke(path(MOUSE.tail));

  ink.strokeStyle = OUTLINE;
  ink.lineWidth = 0.085;
  ink.fillStyle = fur;
  for (const ear of MOUSE.ears) {
    disc(ink, ear.x, ear.y, MOUSE.earRadius);
    ink.stroke();
    ink.fill();
  }
  const body = path(MOUSE.body);
  ink.stroke(body);
  for (const ear of MOUSE.ears) {
    ink.fillStyle = fur;
    disc(ink, ear.x, ear.y, MOUSE.earRadius);
    ink.fill();
    ink.fillStyle = "#f6c4b8";
    disc(ink, ear.x * 1.04, ear.y - 0.005, MOUSE.earRadius * 0.56);
    ink.fill();
  }
  ink.fillStyle = fur;
  ink.fill(body);
  for (const eye of MOUSE.eyes) {
    ink.fillStyle = OUTLINE;
    disc(ink, eye.x, eye.y, 0.047);
    ink.fill();
    ink.fillStyle = "#fff";
    disc(ink, eye.x - 0.014, eye.y - 0.018, 0.017);
    ink.fill();
  }
  ink.fillStyle = "#e98f85";
  disc(ink, MOUSE.nose.x, MOUSE.nose.y + 0.02, 0.052);
  ink.fill();
  ink.save();
  ink.translate(0, 0.13);
  ink.fillStyle = "rgba(255,255,255,.93)";
  ink.strokeStyle = OUTLINE;
  ink.lineWidth = 0.035;
  const mark = path(markPath(owner, 0.125));
  ink.fill(mark);
  ink.stroke(mark);
  ink.restore();
}

function drawHalo(ink: Ink, colour: string): void {
  ink.lineCap = "round";
  ink.lineJoin = "round";
  ink.strokeStyle = colour;
  ink.lineWidth = 0.2;
  ink.stroke(path(MOUSE.tail));
  ink.stroke(path(MOUSE.body));
  for (const ear of MOUSE.ears) {
    disc(ink, ear.x, ear.y, MOUSE.earRadius);
    ink.stroke();
  }
}

/** The Orb (R7.2): a decoy that nobody would take for one of theirs. */
export function drawOrb(ink: Ink): void {
  const aura = ink.createRadialGradient(0, 0, 0.1, 0, 0, 0.78);
  aura.addColorStop(0, "rgba(140,255,214,.95)");
  aura.addColorStop(0.45, "rgba(72,231,190,.55)");
  aura.addColorStop(1, "rgba(40,200,180,0)");
  ink.fillStyle = aura;
  disc(ink, 0, 0, 0.78);
  ink.fill();
  ink.strokeStyle = "#0d1f24";
  ink.lineWidth = 0.08;
  ink.lineCap = "round";
  for (const side of [-1, 1]) {
    ink.beginPath();
    ink.moveTo(side * 0.14, -0.3);
    ink.quadraticCurveTo(side * 0.22, -0.5, side * 0.32, -0.52);
    ink.stroke();
    ink.fillStyle = "#b7ffe9";
    disc(ink, side * 0.33, -0.52, 0.07);
    ink.fill();
    ink.lineWidth = 0.04;
    ink.stroke();
    ink.lineWidth = 0.08;
  }
  const skin = ink.createRadialGradient(-0.12, -0.14, 0.02, 0, 0, 0.42);
  skin.addColorStop(0, "#d7b9ff");
  skin.addColorStop(0.5, "#8a4fd8");
  skin.addColorStop(1, "#3c1a78");
  ink.fillStyle = skin;
  disc(ink, 0, 0, 0.38);
  ink.fill();
  ink.stroke();
  ink.fillStyle = "#eafff8";
  ink.beginPath();
  ink.ellipse(0, -0.06, 0.19, 0.15, 0, 0, TAU);
  ink.fill();
  ink.fillStyle = "#0f6b5c";
  disc(ink, 0, -0.09, 0.09);
  ink.fill();
  ink.fillStyle = "#06110f";
  ink.beginPath();
  ink.ellipse(0, -0.09, 0.03, 0.085, 0, 0, TAU);
  ink.fill();
}

/** An empty tile: a well with the axle on which a gear will sit; R and L differ by the mark of their turn. */
export function drawWell(ink: Ink, palette: Palette, parity: Parity): void {
  const well = ink.createLinearGradient(0, -0.45, 0, 0.45);
  well.addColorStop(0, palette.well[0]);
  well.addColorStop(1, palette.well[1]);
  ink.fillStyle = well;
  ink.beginPath();
  ink.roundRect(-0.455, -0.455, 0.91, 0.91, 0.1);
  ink.fill();
  ink.lineWidth = 0.02;
  ink.strokeStyle = palette.wellEdge;
  ink.stroke();
  ink.strokeStyle = METAL[parity].mid;
  ink.globalAlpha = palette.theme === "light" ? 0.55 : 0.3;
  ink.lineWidth = 0.022;
  ink.setLineDash([0.06, 0.05]);
  disc(ink, 0, 0, 0.3);
  ink.stroke();
  ink.setLineDash([]);
  ink.globalAlpha = 1;
  ink.fillStyle = palette.axle;
  disc(ink, 0, 0, 0.06);
  ink.fill();
  ink.fillStyle = "rgba(255,255,255,.28)";
  disc(ink, -0.015, -0.018, 0.025);
  ink.fill();
}

/** An obstacle: a bolted iron block. */
export function drawObstacle(ink: Ink, palette: Palette): void {
  const [light, mid, dark] = palette.obstacle;
  ink.fillStyle = palette.shadow;
  ink.beginPath();
  ink.roundRect(-0.44, -0.41, 0.92, 0.92, 0.12);
  ink.fill();
  const block = ink.createLinearGradient(-0.4, -0.45, 0.4, 0.45);
  block.addColorStop(0, light);
  block.addColorStop(0.5, mid);
  block.addColorStop(1, dark);
  ink.fillStyle = block;
  ink.beginPath();
  ink.roundRect(-0.455, -0.455, 0.91, 0.91, 0.1);
  ink.fill();
  ink.lineWidth = 0.022;
  ink.strokeStyle = dark;
  ink.stroke();
  ink.save();
  ink.beginPath();
  ink.roundRect(-0.31, -0.31, 0.62, 0.62, 0.06);
  ink.clip();
  ink.fillStyle = dark;
  ink.fillRect(-0.4, -0.4, 0.8, 0.8);
  ink.strokeStyle = mid;
  ink.lineWidth = 0.085;
  for (let i = -5; i <= 5; i++) {
    ink.beginPath();
    ink.moveTo(i * 0.19 - 0.4, 0.4);
    ink.lineTo(i * 0.19 + 0.4, -0.4);
    ink.stroke();
  }
  ink.restore();
  for (const [x, y] of [
    [-0.38, -0.38],
    [0.38, -0.38],
    [-0.38, 0.38],
    [0.38, 0.38],
  ] as const) {
    ink.fillStyle = dark;
    disc(ink, x, y, 0.04);
    ink.fill();
    ink.fillStyle = light;
    disc(ink, x - 0.008, y - 0.008, 0.024);
    ink.fill();
  }
}

export type PieceKey = "shadow" | "orb" | `gear-${GearType}-${Parity}` | `hub-${PlayerId}` | `mouse-${PlayerId}`;

/** Half the width of each piece's picture, in tiles (mice and the Orb: in their own length). */
export const REACH = { gear: 0.62, hub: 0.14, mouse: 0.74, orb: 0.8 } as const;

export interface Piece {
  readonly key: PieceKey;
  readonly reach: number;
  readonly draw: (ink: Ink) => void;
}

/** Every picture that the board is put together from. */
export function pieces(palette: Palette): Piece[] {
  const all: Piece[] = [
    { key: "shadow", reach: REACH.gear, draw: (ink) => drawShadow(ink, palette) },
    { key: "orb", reach: REACH.orb, draw: drawOrb },
  ];
  for (const type of GEAR_TYPES) {
    for (const parity of ["R", "L"] as const) {
      all.push({ key: `gear-${type}-${parity}`, reach: REACH.gear, draw: (ink) => drawGear(ink, type, parity) });
    }
  }
  for (const player of ["P1", "P2", "P3", "P4"] as const) {
    all.push({ key: `hub-${player}`, reach: REACH.hub, draw: (ink) => drawHub(ink, player) });
    all.push({ key: `mouse-${player}`, reach: REACH.mouse, draw: (ink) => drawMouse(ink, player, palette.halo) });
  }
  return all;
}

/** Length of a mouse in tiles: on a base, and where it waits. */
export const MOUSE_SEATED = 0.315;
export const MOUSE_WAITING = 0.43;
