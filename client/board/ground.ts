/** The board without its pieces: plate, frame with coordinates, wells, obstacles, burrows and exits. */
import type { PlayerId } from "../../shared/engine/types.ts";
import { drawObstacle, drawWell, type Ink, markInk, markPath } from "./art.ts";
import { angleOf, FORWARD, FRAME, type Layout, type Point, placeOf, STRIP } from "./layout.ts";
import type { BoardModel } from "./model.ts";
import { OUTLINE, type Palette, PLAYER_COLOURS } from "./palette.ts";

/** One lane of a player: where its mouse waits and the exit at the other end. */
export interface Lane {
  readonly player: PlayerId;
  readonly lane: number;
  readonly start: Point;
  readonly exit: Point;
}

/** R3.2, R3.3 */
export function lanes(layout: Layout, players: readonly PlayerId[]): Lane[] {
  const { width, height } = layout;
  return players.flatMap((player) => {
    const vertical = player === "P1" || player === "P2";
    return Array.from({ length: vertical ? width : height }, (_, i) => {
      const low = vertical ? placeOf(layout, i + 1, 0) : placeOf(layout, 0, i + 1);
      const high = vertical ? placeOf(layout, i + 1, height + 1) : placeOf(layout, width + 1, i + 1);
      const fromLow = player === "P1" || player === "P4";
      return { player, lane: i + 1, start: fromLow ? low : high, exit: fromLow ? high : low };
    });
  });
}

/** Draws the whole ground; the context is scaled to tiles with the origin in the picture's corner. */
export function drawGround(ink: Ink, layout: Layout, board: BoardModel, palette: Palette): void {
  const { left, top, width, height } = layout;
  frame(ink, layout, palette);
  const plate = ink.createLinearGradient(0, top, width * 0.3, top + height);
  plate.addColorStop(0, palette.plate[0]);
  plate.addColorStop(1, palette.plate[1]);
  ink.fillStyle = plate;
  ink.fillRect(left, top, width, height);
  for (const tile of board.tiles.values()) {
    const { x, y } = placeOf(layout, tile.x, tile.y);
    ink.save();
    ink.translate(x, y);
    if (tile.obstacle) drawObstacle(ink, palette);
    else drawWell(ink, palette, tile.parity);
    ink.restore();
  }
  coordinates(ink, layout, palette);
  for (const lane of lanes(layout, board.players)) burrow(ink, lane, palette);
  for (const player of board.players) exits(ink, layout, player, board.players.length === 1);
}

function frame(ink: Ink, layout: Layout, palette: Palette): void {
  const x = layout.left - FRAME;
  const y = layout.top - FRAME;
  const w = layout.width + 2 * FRAME;
  const h = layout.height + 2 * FRAME;
  ink.fillStyle = palette.shadow;
  ink.beginPath();
  ink.roundRect(x + 0.02, y + 0.07, w - 0.04, h - 0.02, 0.24);
  ink.fill();
  ink.fillStyle = palette.frame;
  ink.beginPath();
  ink.roundRect(x, y, w, h, 0.22);
  ink.fill();
  ink.lineWidth = 0.03;
  ink.strokeStyle = palette.plateEdge;
  ink.globalAlpha = 0.6;
  ink.stroke();
  ink.globalAlpha = 1;
}

/** Numbers of columns below and of rows to the left, in the frame, beside the arrows of the exits (R1.1). */
function coordinates(ink: Ink, layout: Layout, palette: Palette): void {
  ink.fillStyle = palette.frameText;
  ink.font = "600 20px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  const edge = FRAME * 0.56;
  // Fonts below one pixel are not drawn: the text is set at 20 px and scaled to 0.18 tiles.
  const write = (text: string, x: number, y: number) => {
    ink.save();
    ink.translate(x, y);
    ink.scale(0.0088, 0.0088);
    ink.fillText(text, 0, 0);
    ink.restore();
  };
  for (let x = 1; x <= layout.width; x++) {
    write(String(x), layout.left + x - 0.79, layout.top + layout.height + edge);
  }
  for (let y = 1; y <= layout.height; y++) {
    write(String(y), layout.left - edge, layout.top + layout.height - y + 0.78);
  }
}

/** Where a mouse waits: an arched hole that opens towards the board. */
function burrow(ink: Ink, lane: Lane, palette: Palette): void {
  ink.save();
  ink.translate(lane.start.x, lane.start.y);
  ink.rotate(angleOf(FORWARD[lane.player]));
  const r = STRIP * 0.46;
  ink.beginPath();
  ink.moveTo(-r, -STRIP / 2 + 0.01);
  ink.lineTo(-r, 0);
  ink.arc(0, 0, r, Math.PI, 0, true);
  ink.lineTo(r, -STRIP / 2 + 0.01);
  ink.closePath();
  ink.fillStyle = palette.burrow;
  ink.globalAlpha = palette.theme === "light" ? 0.82 : 1;
  ink.fill();
  ink.globalAlpha = 1;
  ink.lineWidth = 0.045;
  ink.strokeStyle = palette.burrowEdge;
  ink.stroke();
  ink.restore();
}

/** The exit edge: a line in the owner's colour with an arrow out of every lane, inside the frame. */
function exits(ink: Ink, layout: Layout, player: PlayerId, alone: boolean): void {
  const { left, top, width, height } = layout;
  const forward = FORWARD[player];
  const middle: Point = { x: left + width / 2, y: top + height / 2 };
  const vertical = player === "P1" || player === "P2";
  const count = vertical ? width : height;
  const away = (vertical ? height : width) / 2;
  ink.save();
  ink.translate(middle.x, middle.y);
  ink.rotate(angleOf(forward));
  ink.fillStyle = PLAYER_COLOURS[player];
  ink.strokeStyle = OUTLINE;
  ink.lineJoin = "round";
  ink.beginPath();
  ink.roundRect(-count / 2 + 0.04, -away - 0.075, count - 0.08, 0.06, 0.03);
  ink.fill();
  for (let i = 0; i < count; i++) {
    const x = i - count / 2 + 0.5;
    ink.lineWidth = 0.045;
    ink.beginPath();
    ink.moveTo(x - 0.11, -away - 0.12);
    ink.lineTo(x, -away - 0.235);
    ink.lineTo(x + 0.11, -away - 0.12);
    ink.closePath();
    ink.stroke();
    ink.fill();
  }
  if (alone) {
    // Nobody waits beyond: a piece of cheese shows what it is all for.
    for (let i = 0; i < count; i++) cheese(ink, i - count / 2 + 0.5, -away - FRAME - STRIP / 2);
  }
  ink.restore();
}

function cheese(ink: Ink, x: number, y: number): void {
  ink.save();
  ink.translate(x, y);
  ink.fillStyle = "#f2c14a";
  ink.strokeStyle = OUTLINE;
  ink.lineWidth = 0.03;
  ink.lineJoin = "round";
  ink.beginPath();
  ink.moveTo(-0.21, 0.13);
  ink.lineTo(-0.21, 0.0);
  ink.lineTo(0.2, -0.17);
  ink.quadraticCurveTo(0.25, -0.05, 0.21, 0.0);
  ink.lineTo(0.21, 0.13);
  ink.closePath();
  ink.fill();
  ink.stroke();
  ink.fillStyle = "#ffdd85";
  ink.beginPath();
  ink.moveTo(-0.2, 0);
  ink.lineTo(0.19, -0.155);
  ink.quadraticCurveTo(0.235, -0.05, 0.2, 0);
  ink.closePath();
  ink.fill();
  ink.fillStyle = "#c8912a";
  for (const [cx, cy, r] of [
    [-0.1, 0.07, 0.035],
    [0.06, 0.06, 0.045],
    [0.1, -0.06, 0.03],
  ] as const) {
    ink.beginPath();
    ink.arc(cx, cy, r, 0, 2 * Math.PI);
    ink.fill();
  }
  ink.restore();
}

/** Small badge of a player: the colour with the shape on it. */
export function drawBadge(ink: Ink, player: PlayerId, r: number): void {
  ink.fillStyle = PLAYER_COLOURS[player];
  ink.strokeStyle = OUTLINE;
  ink.lineWidth = r * 0.18;
  ink.beginPath();
  ink.arc(0, 0, r, 0, 2 * Math.PI);
  ink.fill();
  ink.stroke();
  ink.fillStyle = markInk(player);
  ink.fill(new Path2D(markPath(player, r * 0.52)));
}
