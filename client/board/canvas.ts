/** Canvases to draw textures on. */
import type { Ink } from "./art.ts";

/** An empty canvas of at least one pixel, in main memory: it is drawn once and then copied to the graphics card. */
export function canvas(width: number, height: number): { element: HTMLCanvasElement; ink: Ink } {
  const element = document.createElement("canvas");
  element.width = Math.max(1, Math.round(width));
  element.height = Math.max(1, Math.round(height));
  const ink = element.getContext("2d", { willReadFrequently: true });
  if (ink === null) throw new Error("no 2D context");
  return { element, ink };
}
