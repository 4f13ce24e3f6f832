/** The board as one still picture on a plain canvas: thumbnails, posters, and the board where WebGL is missing. */
import {
  drawGear,
  drawGloss,
  drawHub,
  drawMouse,
  drawOrb,
  drawShadow,
  type Ink,
  MOUSE_SEATED,
  MOUSE_WAITING,
} from "./art.ts";
import { drawGround } from "./ground.ts";
import { angleOf, FORWARD, type Layout, layoutOf, placeOf, polar } from "./layout.ts";
import type { BoardModel } from "./model.ts";
import { PALETTES, type Theme } from "./palette.ts";
import { SEAT } from "./shape.ts";

/** Draws `board` so that it fills a canvas of `cssWidth` pixels; the height follows. Returns the layout used. */
export function drawFlat(canvas: HTMLCanvasElement, board: BoardModel, cssWidth: number, theme: Theme): Layout {
  const layout = layoutOf(board.width, board.height, board.players);
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
  const scale = (cssWidth * ratio) / layout.totalWidth;
  canvas.width = Math.round(layout.totalWidth * scale);
  canvas.height = Math.round(layout.totalHeight * scale);
  const ink = canvas.getContext("2d");
  if (ink === null) return layout;
  ink.setTransform(scale, 0, 0, scale, 0, 0);
  const palette = PALETTES[theme];
  drawGround(ink, layout, board, palette);
  const gears = [...board.tiles.values()].filter((tile) => tile.gear !== null);
  for (const tile of gears) at(ink, placeOf(layout, tile.x, tile.y), () => drawShadow(ink, palette));
  for (const tile of gears) {
    const gear = tile.gear;
    if (gear === null) continue;
    at(ink, placeOf(layout, tile.x, tile.y), () => {
      ink.save();
      ink.rotate(angleOf(gear.b));
      drawGear(ink, gear.type, tile.parity);
      ink.restore();
      drawGloss(ink);
      drawHub(ink, gear.owner);
    });
  }
  for (const mouse of board.mice.values()) {
    if (mouse.status === "ESCAPED" || mouse.x === null || mouse.y === null) continue;
    const facing = mouse.facing ?? (mouse.owner === null ? 0 : FORWARD[mouse.owner]);
    const place = placeOf(layout, mouse.x, mouse.y);
    const seated = mouse.status === "IN_PLAY";
    at(ink, seated ? polar(place, SEAT, angleOf(facing)) : place, () => {
      ink.rotate(angleOf(facing));
      const size = seated ? MOUSE_SEATED : MOUSE_WAITING;
      ink.scale(size, size);
      if (mouse.owner === null) drawOrb(ink);
      else drawMouse(ink, mouse.owner, palette.halo);
    });
  }
  return layout;
}

function at(ink: Ink, place: { x: number; y: number }, draw: () => void): void {
  ink.save();
  ink.translate(place.x, place.y);
  draw();
  ink.restore();
}
