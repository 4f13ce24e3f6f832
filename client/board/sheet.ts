/**
 * The texture of the pieces: one sheet with all of them, so that they are one draw call. Drawn once for a size and a
 * theme; the one before is given back. (The ground: floor.ts.)
 */
import type * as Phaser from "phaser";
import { type Ink, MOUSE_WAITING, pieces } from "./art.ts";
import { canvas } from "./canvas.ts";
import { pack } from "./pack.ts";
import { PALETTES, type Theme } from "./palette.ts";

export const SHEET = "pieces";

const GAP = 2;
/** Every WebGL has textures of this size. */
const WIDTH = 2048;

interface Picture {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  /** Around the middle of its place, in pixels. */
  readonly draw: (ink: Ink) => void;
}

/** Draws the sheet; `unit` is the length of a tile in pixels. */
export function drawSheet(textures: Phaser.Textures.TextureManager, unit: number, theme: Theme): void {
  const pictures = [...piecePictures(unit, theme), spark(unit), ...[10, 5, -10].map((points) => label(points, unit))];
  const { placed, height } = pack(pictures, WIDTH, GAP);
  const sheet = canvas(WIDTH, height);
  for (const { item, x, y } of placed) {
    sheet.ink.save();
    sheet.ink.translate(x + item.width / 2, y + item.height / 2);
    item.draw(sheet.ink);
    sheet.ink.restore();
  }
  if (textures.exists(SHEET)) textures.remove(SHEET);
  const texture = textures.addCanvas(SHEET, sheet.element);
  for (const { item, x, y } of placed) texture?.add(item.key, 0, x, y, item.width, item.height);
}

function piecePictures(unit: number, theme: Theme): Picture[] {
  return pieces(PALETTES[theme]).map(({ key, reach, draw }) => {
    const scale = key.startsWith("mouse") || key === "orb" ? unit * MOUSE_WAITING : unit;
    // Even, so that the middle falls between two pixels and nothing wobbles as it turns.
    const size = 2 * Math.ceil(reach * scale);
    return {
      key,
      width: size,
      height: size,
      draw: (ink) => {
        ink.scale(scale, scale);
        draw(ink);
      },
    };
  });
}

function spark(unit: number): Picture {
  const r = Math.max(2, Math.round(unit * 0.08));
  return {
    key: "spark",
    width: 2 * r,
    height: 2 * r,
    draw: (ink) => {
      const glow = ink.createRadialGradient(0, 0, 0, 0, 0, r);
      glow.addColorStop(0, "rgba(255,255,255,1)");
      glow.addColorStop(0.4, "rgba(255,240,200,.9)");
      glow.addColorStop(1, "rgba(255,230,160,0)");
      ink.fillStyle = glow;
      ink.fillRect(-r, -r, 2 * r, 2 * r);
    },
  };
}

function label(points: number, unit: number): Picture {
  const h = Math.max(14, Math.round(unit * 0.42));
  return {
    key: `points${points}`,
    width: 2 * Math.round(h * 1.2),
    height: 2 * Math.round(h * 0.7),
    draw: (ink) => {
      ink.font = `800 ${h}px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif`;
      ink.textAlign = "center";
      ink.textBaseline = "middle";
      ink.lineJoin = "round";
      ink.lineWidth = h * 0.24;
      ink.strokeStyle = "rgba(10,12,16,.92)";
      const text = points > 0 ? `+${points}` : `−${-points}`;
      ink.strokeText(text, 0, h * 0.04);
      ink.fillStyle = points > 0 ? "#ffe08a" : "#ff9d8a";
      ink.fillText(text, 0, h * 0.04);
    },
  };
}
