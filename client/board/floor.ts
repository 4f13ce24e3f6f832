/**
 * The ground as a texture, with the shadows of the gears that lie on it: they do not turn, so they are drawn when a gear
 * comes or goes and cost no frame anything.
 */
import * as Phaser from "phaser";
import type { TileLabel } from "../../shared/engine/types.ts";
import { drawShadow, type Ink } from "./art.ts";
import { canvas } from "./canvas.ts";
import { drawGround } from "./ground.ts";
import { type Layout, type Point, placeOf } from "./layout.ts";
import type { BoardModel } from "./model.ts";
import { PALETTES, type Palette, type Theme } from "./palette.ts";
import { TIP } from "./shape.ts";

const GROUND = "ground";

/** How far a shadow reaches around the middle of its tile, in tiles, and a little more. */
const PATCH = TIP + 0.15;
/** More gears than this at once, and the whole ground is sent. */
const MOST_PATCHES = 4;

interface FloorOptions {
  /** Length of a tile in pixels. */
  readonly unit: number;
  readonly layout: Layout;
  readonly board: BoardModel;
  readonly theme: Theme;
}

export class Floor {
  readonly image: Phaser.GameObjects.Image;
  readonly #scene: Phaser.Scene;
  readonly #unit: number;
  readonly #texture: Phaser.Textures.CanvasTexture;
  readonly #ink: Ink;
  readonly #bare: HTMLCanvasElement;
  readonly #layout: Layout;
  readonly #palette: Palette;
  readonly #shaded = new Set<TileLabel>();

  /** Takes the place of the floor before, whose image must be gone. */
  constructor(scene: Phaser.Scene, { unit, layout, board, theme }: FloorOptions) {
    const [width, height] = [layout.totalWidth * unit, layout.totalHeight * unit];
    this.#scene = scene;
    this.#unit = unit;
    this.#layout = layout;
    this.#palette = PALETTES[theme];
    const bare = canvas(width, height);
    bare.ink.scale(unit, unit);
    drawGround(bare.ink, layout, board, this.#palette);
    this.#bare = bare.element;
    const shown = canvas(width, height);
    shown.ink.drawImage(bare.element, 0, 0);
    shown.ink.scale(unit, unit);
    this.#ink = shown.ink;
    if (scene.textures.exists(GROUND)) scene.textures.remove(GROUND);
    const texture = scene.textures.addCanvas(GROUND, shown.element);
    if (texture === null) throw new Error("no texture for the ground");
    // Pixel for pixel: nothing is to be smoothed.
    texture.setFilter(Phaser.Textures.NEAREST);
    this.#texture = texture;
    this.image = scene.add.image(0, 0, GROUND).setOrigin(0, 0).setDepth(-1);
  }

  /** Draws the shadows of all gears of `board`, and no others. */
  shade(board: BoardModel): void {
    let gone = false;
    const fresh: Point[] = [];
    for (const label of this.#shaded) {
      if (board.tiles.get(label)?.gear) continue;
      // A shadow cannot be taken away alone: all are drawn anew.
      this.#shaded.clear();
      this.#ink.save();
      this.#ink.setTransform(1, 0, 0, 1, 0, 0);
      this.#ink.clearRect(0, 0, this.#bare.width, this.#bare.height);
      this.#ink.drawImage(this.#bare, 0, 0);
      this.#ink.restore();
      gone = true;
      break;
    }
    for (const { label, x, y, gear } of board.tiles.values()) {
      if (gear === null || this.#shaded.has(label)) continue;
      this.#shaded.add(label);
      const at = placeOf(this.#layout, x, y);
      this.#ink.save();
      this.#ink.translate(at.x, at.y);
      drawShadow(this.#ink, this.#palette);
      this.#ink.restore();
      fresh.push(at);
    }
    if (gone || fresh.length > MOST_PATCHES) this.#texture.refresh();
    else for (const at of fresh) this.#patch(at);
  }

  /** Sends what lies around one tile to the graphics card: as a rule one gear comes at a time. */
  #patch(at: Point): void {
    const [u, all] = [this.#unit, this.#texture.canvas];
    const size = Math.ceil(2 * PATCH * u);
    const x = Math.max(0, Math.min(all.width - size, Math.floor((at.x - PATCH) * u)));
    const y = Math.max(0, Math.min(all.height - size, Math.floor((at.y - PATCH) * u)));
    const cut = canvas(size, size);
    cut.ink.drawImage(all, -x, -y);
    const { renderer } = this.#scene.game;
    const { glTexture } = this.#texture.source[0] ?? {};
    if (!glTexture || !("gl" in renderer)) return;
    const { gl } = renderer;
    const { flipY, pma } = glTexture;
    renderer.glTextureUnits.bind(glTexture, 0);
    renderer.glWrapper.updateTexturing({ texturing: { flipY, premultiplyAlpha: pma } });
    const bottom = flipY ? all.height - y - size : y;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, x, bottom, gl.RGBA, gl.UNSIGNED_BYTE, cut.element);
  }

  destroy(): void {
    this.image.destroy();
  }
}
