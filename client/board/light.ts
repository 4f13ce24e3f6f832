/**
 * The gloss of gears, lit in the shader: it stays with the light while the gear turns under it. Phaser's own shader for
 * pictures knows seven ways to tint, and runs through all of them for every pixel where there is no graphics card; the
 * board needs none of them. So the tint of a picture's corners says here how the light falls on them.
 */
import type * as Phaser from "phaser";
import { GLOSS, REACH } from "./art.ts";

/** Tint of a picture that has no gloss: Phaser's own default. */
const PLAIN = 0xffffff;

/** How far along the light a corner may lie, as it goes into one byte. */
const RANGE = { from: -0.4, length: 1.8 } as const;

const number = (n: number): string => n.toFixed(4);

/**
 * Red: where along the light, as `RANGE` has it; green 0: lit, 1: plain. A gradient is linear in the plane, so that what
 * is in between the corners comes out exact.
 */
const HEADER = `
vec4 lit(vec4 ink) {
  float along = outTint.b * ${number(RANGE.length)} + ${number(RANGE.from)};
  float shine = max(${number(GLOSS.shine)} * (1.0 - along / ${number(GLOSS.middle)}), 0.0) * (1.0 - outTint.g);
  float shade = max(${number(GLOSS.shade / (1 - GLOSS.middle))} * (along - ${number(GLOSS.middle)}), 0.0) * (1.0 - outTint.g);
  ink.rgb = (ink.rgb + (ink.a - ink.rgb) * shine) * (1.0 - shade);
  return ink * outTint.a;
}`;

/** Puts the light in place of Phaser's tints, once for a renderer. */
export function lightInsteadOfTint(renderer: Phaser.Renderer.WebGL.WebGLRenderer): void {
  const node = renderer.renderNodes.getNode("BatchHandlerQuad") as Phaser.Renderer.WebGL.RenderNodes.BatchHandlerQuad;
  const light = {
    name: "Light",
    additions: { fragmentHeader: HEADER, fragmentProcess: "fragColor = lit(fragColor);" },
    tags: ["TINT"],
  };
  if (node.programManager.getAdditionIndex("Tint") < 0) throw new Error("Phaser's shader is another one");
  node.programManager.replaceAddition("Tint", light);
}

/** Lets the light fall on a gear's picture that is turned by `angle` (radians, clockwise). */
export function light(image: Phaser.GameObjects.Image, angle: number): void {
  const [c, s] = [Math.cos(angle) * REACH.gear, Math.sin(angle) * REACH.gear];
  // The corners (-,-), (+,-), (-,+), (+,+) of the turned square.
  image.setTint(tint(-c + s, -s - c), tint(c + s, s - c), tint(-c - s, -s + c), tint(c - s, s + c));
}

/** The tint of a corner at (x, y) tiles from the axle. */
function tint(x: number, y: number): number {
  const { from, to } = GLOSS;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy);
  const red = Math.round((255 * (along - RANGE.from)) / RANGE.length);
  return (PLAIN & 0x0000ff) | (red << 16);
}
