import type * as Phaser from "phaser";
import { expect, test } from "vitest";
import { light } from "./light.ts";

/** The tints of the corners top left, top right, bottom left, bottom right of a picture turned by `angle`. */
function corners(angle: number): number[] {
  let seen: number[] = [];
  const image = {
    setTint: (...tints: number[]) => {
      seen = tints;
    },
  };
  light(image as unknown as Phaser.GameObjects.Image, angle);
  return seen;
}

test("the light stays where it is while the picture turns under it", () => {
  const [tl, tr, bl, br] = corners(0);
  // Clockwise by a quarter: the top left corner of the picture is now seen at the top right.
  expect(corners(Math.PI / 2)).toEqual([tr, br, tl, bl]);
  expect(corners(Math.PI)).toEqual([br, bl, tr, tl]);
  expect(corners(-Math.PI / 2)).toEqual([bl, tl, br, tr]);
});

test.each([0, 0.3, Math.PI / 4, 2, -1])("turned by %d every corner is lit and in range", (angle) => {
  for (const tint of corners(angle)) {
    expect(tint & 0x00ffff, "green 0: lit").toBe(0x0000ff);
    expect(tint >> 16).toBeGreaterThan(0);
    expect(tint >> 16).toBeLessThan(255);
  }
  const [tl = 0, tr = 0, bl = 0, br = 0] = corners(angle).map((tint) => tint >> 16);
  // Linear in the plane: both diagonals have the same middle, that of the range.
  expect(Math.abs(tl + br - (tr + bl))).toBeLessThanOrEqual(2);
});
