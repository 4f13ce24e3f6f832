/** The gears and mice on the scene: which pictures there are and where they lie. */
import * as Phaser from "phaser";
import type { MouseId, TileLabel } from "../../shared/engine/types.ts";
import { MOUSE_SEATED, MOUSE_WAITING } from "./art.ts";
import { angleOf, FORWARD, type Layout, type Point, placeOf, polar } from "./layout.ts";
import { light } from "./light.ts";
import type { BoardModel, GearView, TileView } from "./model.ts";
import { type Parity, SEAT } from "./shape.ts";
import { SHEET } from "./sheet.ts";

/** A gear's pictures: the body turns under the light, the hub does not turn. Its shadow lies on the ground. */
export interface GearSprite {
  readonly body: Phaser.GameObjects.Image;
  readonly hub: Phaser.GameObjects.Image;
  /** While it falls into place: the shadow to come. */
  shadow: Phaser.GameObjects.Image | null;
  type: GearView["type"];
  at: Point;
  /** Quarter turns counter-clockwise, any real number. */
  quarters: number;
  /** `quarters` and `at` as the pictures have them. */
  posed: { quarters: number; at: Point | null };
}

export interface MouseSprite {
  readonly image: Phaser.GameObjects.Image;
  /** Riding on a base of a gear; otherwise at a point of its own. */
  ride: { gear: GearSprite; base: number } | null;
  at: Point;
  quarters: number;
  /** Length in tiles. */
  size: number;
}

type LayerName = "shadow" | "gear" | "hub" | "mouse" | "effect";
export type Layers = Readonly<Record<LayerName, Phaser.GameObjects.Layer>>;

export class Sprites {
  readonly gears = new Map<TileLabel, GearSprite>();
  readonly mice = new Map<MouseId, MouseSprite>();
  readonly #scene: Phaser.Scene;
  readonly #layers: Layers;
  layout: Layout;
  /** Length of a tile in pixels. */
  unit = 1;

  constructor(scene: Phaser.Scene, layers: Layers, layout: Layout) {
    this.#scene = scene;
    this.#layers = layers;
    this.layout = layout;
  }

  /** A new picture of the sheet in one of the layers. */
  image(frame: string, layer: LayerName): Phaser.GameObjects.Image {
    const image = new Phaser.GameObjects.Image(this.#scene, 0, 0, SHEET, frame);
    this.#layers[layer].add(image);
    return image;
  }

  /** Makes everything exactly as `board` has it. */
  settle(board: BoardModel): void {
    this.#settleGears(board);
    this.#settleMice(board);
    this.place();
  }

  #settleGears(board: BoardModel): void {
    for (const [label, sprite] of this.gears) {
      if (board.tiles.get(label)?.gear) continue;
      destroyGear(sprite);
      this.gears.delete(label);
    }
    for (const tile of board.tiles.values()) {
      if (tile.gear === null) continue;
      const sprite = this.gears.get(tile.label) ?? this.addGear(tile, tile.gear);
      sprite.quarters = tile.gear.b;
      sprite.at = placeOf(this.layout, tile.x, tile.y);
      sprite.type = tile.gear.type;
      dress(sprite, tile.parity);
      sprite.hub.setFrame(`hub-${tile.gear.owner ?? "P1"}`);
      for (const image of [sprite.body, sprite.hub]) image.setScale(1).setAlpha(1);
      sprite.shadow?.destroy();
      sprite.shadow = null;
    }
  }

  #settleMice(board: BoardModel): void {
    for (const [id, sprite] of this.mice) {
      const state = board.mice.get(id);
      if (state !== undefined && state.status !== "ESCAPED") continue;
      sprite.image.destroy();
      this.mice.delete(id);
    }
    for (const [id, state] of board.mice) {
      if (state.status === "ESCAPED" || state.x === null || state.y === null) continue;
      const sprite = this.mice.get(id) ?? this.addMouse(id, state.owner === null ? "orb" : `mouse-${state.owner}`);
      const gear = this.gears.get(state.pos as TileLabel);
      sprite.ride = state.on_base !== null && gear ? { gear, base: state.on_base } : null;
      sprite.at = placeOf(this.layout, state.x, state.y);
      sprite.quarters = state.facing ?? (state.owner ? FORWARD[state.owner] : 0);
      sprite.size = sprite.ride ? MOUSE_SEATED : MOUSE_WAITING;
      sprite.image.setAlpha(1);
    }
  }

  addGear(tile: TileView, gear: Pick<GearView, "type" | "b" | "owner">): GearSprite {
    const sprite: GearSprite = {
      body: this.image(`gear-${gear.type}-${tile.parity}`, "gear"),
      hub: this.image(`hub-${gear.owner ?? "P1"}`, "hub"),
      shadow: null,
      type: gear.type,
      at: placeOf(this.layout, tile.x, tile.y),
      quarters: gear.b,
      posed: { quarters: Number.NaN, at: null },
    };
    this.gears.set(tile.label, sprite);
    return sprite;
  }

  addMouse(id: MouseId, frame: string): MouseSprite {
    const image = this.image(frame, "mouse");
    const sprite: MouseSprite = { image, ride: null, at: { x: 0, y: 0 }, quarters: 0, size: MOUSE_WAITING };
    this.mice.set(id, sprite);
    return sprite;
  }

  /** Puts every picture where its numbers say. */
  place(): void {
    const u = this.unit;
    for (const gear of this.gears.values()) {
      const { posed } = gear;
      if (posed.quarters === gear.quarters && posed.at === gear.at) continue;
      posed.quarters = gear.quarters;
      posed.at = gear.at;
      const [x, y, angle] = [gear.at.x * u, gear.at.y * u, angleOf(gear.quarters)];
      gear.body.setPosition(x, y).setRotation(angle);
      light(gear.body, angle);
      gear.hub.setPosition(x, y);
      gear.shadow?.setPosition(x, y);
    }
    for (const mouse of this.mice.values()) {
      if (mouse.ride !== null) {
        mouse.quarters = mouse.ride.gear.quarters + mouse.ride.base;
        mouse.at = polar(mouse.ride.gear.at, SEAT, angleOf(mouse.quarters));
      }
      mouse.image
        .setPosition(mouse.at.x * u, mouse.at.y * u)
        .setRotation(angleOf(mouse.quarters))
        .setScale(mouse.size / MOUSE_WAITING);
    }
  }

  clear(): void {
    for (const gear of this.gears.values()) destroyGear(gear);
    for (const mouse of this.mice.values()) mouse.image.destroy();
    this.gears.clear();
    this.mice.clear();
  }
}

/** Brass or steel, as the tile asks (R1.2). */
export function dress(gear: GearSprite, parity: Parity): void {
  gear.body.setFrame(`gear-${gear.type}-${parity}`);
}

function destroyGear(gear: GearSprite): void {
  for (const image of [gear.shadow, gear.body, gear.hub]) image?.destroy();
}
