/** The board on a plain canvas: thumbnails, posters, small boards to try, and the board where WebGL is missing. */
import {
  drawGear,
  drawGloss,
  drawHub,
  drawMouse,
  drawOrb,
  drawShadow,
  type Ink,
  MOUSE_WAITING,
  pieces,
} from "./art.ts";
import { canvas as blank } from "./canvas.ts";
import { drawGround } from "./ground.ts";
import { angleOf, type Layout, layoutOf, type Point } from "./layout.ts";
import type { BoardModel } from "./model.ts";
import { PALETTES, type Theme } from "./palette.ts";
import { type Pose, poseOf } from "./pose.ts";

export interface FlatPicture {
  readonly layout: Layout;
  /** Draws the pieces anew over the ground. */
  pose(pose: Pose): void;
}

/** Draws `board` so that it fills a canvas of `cssWidth` pixels; the height follows. */
export function drawFlat(canvas: HTMLCanvasElement, board: BoardModel, cssWidth: number, theme: Theme): FlatPicture {
  const layout = layoutOf(board.width, board.height, board.players);
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
  const scale = (cssWidth * ratio) / layout.totalWidth;
  canvas.width = Math.round(layout.totalWidth * scale);
  canvas.height = Math.round(layout.totalHeight * scale);
  // In main memory: hundreds of small paths are drawn once and then stay, which a graphics card is bad at.
  const ink = canvas.getContext("2d", { willReadFrequently: true });
  if (ink === null) return { layout, pose: () => undefined };
  const palette = PALETTES[theme];
  const paintGround = (on: Ink) => {
    on.setTransform(scale, 0, 0, scale, 0, 0);
    drawGround(on, layout, board, palette);
  };
  paintGround(ink);
  let ground: HTMLCanvasElement | null = null;
  let stamps: Stamps | null = null;
  const picture: FlatPicture = {
    layout,
    pose(pose) {
      if (ground === null) {
        const under = blank(canvas.width, canvas.height);
        paintGround(under.ink);
        ground = under.element;
      }
      stamps ??= makeStamps(scale, theme);
      ink.setTransform(1, 0, 0, 1, 0, 0);
      ink.clearRect(0, 0, canvas.width, canvas.height);
      ink.drawImage(ground, 0, 0);
      ink.setTransform(scale, 0, 0, scale, 0, 0);
      stampPose(ink, pose, stamps);
    },
  };
  drawPose(ink, poseOf(board, layout), theme);
  return picture;
}

function drawPose(ink: Ink, { gears, mice }: Pose, theme: Theme): void {
  const palette = PALETTES[theme];
  for (const { at: place } of gears.values()) at(ink, place, () => drawShadow(ink, palette));
  for (const gear of gears.values()) {
    at(ink, gear.at, () => {
      ink.scale(gear.size, gear.size);
      ink.save();
      ink.rotate(angleOf(gear.quarters));
      drawGear(ink, gear.type, gear.parity);
      ink.restore();
      drawGloss(ink);
      drawHub(ink, gear.owner);
    });
  }
  for (const mouse of mice) {
    at(ink, mouse.at, () => {
      ink.globalAlpha = mouse.alpha;
      ink.rotate(angleOf(mouse.quarters));
      ink.scale(mouse.size, mouse.size);
      if (mouse.owner === null) drawOrb(ink);
      else drawMouse(ink, mouse.owner, palette.halo);
    });
  }
}

/** Every piece drawn once, for frames that must come in time; what rests is drawn by paths, which are sharper. */
type Stamps = ReadonlyMap<string, { readonly picture: HTMLCanvasElement; readonly reach: number }>;

function makeStamps(scale: number, theme: Theme): Stamps {
  const gloss = { key: "gloss", reach: 0.5, draw: drawGloss };
  return new Map(
    [...pieces(PALETTES[theme]), gloss].map(({ key, reach, draw }) => {
      const pixels = key.startsWith("mouse") || key === "orb" ? scale * MOUSE_WAITING : scale;
      const size = 2 * Math.ceil(reach * pixels);
      const { element, ink } = blank(size, size);
      ink.translate(size / 2, size / 2);
      ink.scale(pixels, pixels);
      draw(ink);
      return [key, { picture: element, reach: size / 2 / pixels }];
    }),
  );
}

function stampPose(ink: Ink, { gears, mice }: Pose, stamps: Stamps): void {
  const stamp = (key: string) => {
    const made = stamps.get(key);
    if (made) ink.drawImage(made.picture, -made.reach, -made.reach, 2 * made.reach, 2 * made.reach);
  };
  for (const { at: place } of gears.values()) at(ink, place, () => stamp("shadow"));
  for (const gear of gears.values()) {
    at(ink, gear.at, () => {
      ink.scale(gear.size, gear.size);
      ink.save();
      ink.rotate(angleOf(gear.quarters));
      stamp(`gear-${gear.type}-${gear.parity}`);
      ink.restore();
      stamp("gloss");
      if (gear.owner !== null) stamp(`hub-${gear.owner}`);
    });
  }
  for (const mouse of mice) {
    at(ink, mouse.at, () => {
      ink.globalAlpha = mouse.alpha;
      ink.rotate(angleOf(mouse.quarters));
      ink.scale(mouse.size, mouse.size);
      stamp(mouse.owner === null ? "orb" : `mouse-${mouse.owner}`);
    });
  }
}

function at(ink: Ink, place: Point, draw: () => void): void {
  ink.save();
  ink.translate(place.x, place.y);
  draw();
  ink.restore();
}
