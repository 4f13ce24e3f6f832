/** How each event looks while it happens: sprites posed by how far along it is. */
import type { MatchEvent, MouseId, TileLabel } from "../../shared/engine/types.ts";
import { MOUSE_SEATED, MOUSE_WAITING } from "./art.ts";
import type { Effects } from "./effects.ts";
import { angleOf, type Point, placeOf, polar, stepOf } from "./layout.ts";
import type { BoardModel } from "./model.ts";
import { ease } from "./plan.ts";
import { SEAT } from "./shape.ts";
import { dress, type MouseSprite, type Sprites } from "./sprites.ts";

interface Start {
  readonly at: Point;
  readonly quarters: number;
  readonly size: number;
}

/** Plays the events of one turn; `after` is the board to which they lead. */
export class Actor {
  readonly #sprites: Sprites;
  readonly #effects: Effects;
  readonly #after: BoardModel;
  readonly #shake: () => void;
  /** Where each mouse was lifted off. */
  readonly #lifted = new Map<MouseId, Start>();

  constructor(sprites: Sprites, effects: Effects, after: BoardModel, shake: () => void) {
    this.#sprites = sprites;
    this.#effects = effects;
    this.#after = after;
    this.#shake = shake;
  }

  /** The instant at which an event starts to be seen. */
  begin(event: MatchEvent): void {
    switch (event.type) {
      case "placed": {
        const tile = this.#after.tiles.get(event.tile);
        if (tile) {
          const gear = this.#sprites.addGear(tile, { type: event.gear, b: event.b, owner: event.player });
          gear.shadow = this.#sprites.image("shadow", "shadow");
        }
        return;
      }
      case "entered":
        this.#lift(event.mouse);
        return;
      case "jumped":
        this.#lift(event.mouse);
        this.#effects.float(event.points, this.#place(event.to.tile));
        return;
      case "escaped":
        this.#lift(event.mouse);
        this.#effects.float(event.points, this.#place(event.from.tile));
        this.#effects.burst(this.#place(event.from.tile), 14);
        return;
      case "orb": {
        const gear = this.#sprites.gears.get(event.tile);
        const orb = this.#sprites.addMouse(event.mouse, "orb");
        orb.ride = gear ? { gear, base: event.base } : null;
        orb.size = 0;
        this.#effects.burst(this.#place(event.tile), 10);
        return;
      }
      case "entropy":
        this.#shake();
        for (const { from } of event.moves) this.#effects.burst(this.#place(from), 4);
        return;
      case "started":
      case "premoved":
      case "turned":
      case "locked":
      case "refused":
      case "turn_lost":
      case "out":
      case "over":
        return;
    }
  }

  /** An event at `t` of its time, 0..1. */
  pose(event: MatchEvent, t: number): void {
    switch (event.type) {
      case "placed":
        this.#drop(event.tile, t);
        return;
      case "premoved":
        this.#premove(event.tile, event.from, event.to, t);
        return;
      case "turned":
        for (const { tile, from, to } of event.gears) {
          const gear = this.#sprites.gears.get(tile);
          if (gear) gear.quarters = from + (((to - from + 4) & 3) === 1 ? 1 : -1) * ease.settle(t);
        }
        return;
      case "entropy":
        if (t < 1) this.#swirl(event.moves, t);
        else this.#shuffle(event.moves);
        return;
      case "entered":
        this.#hop(event.mouse, t, event, 0.12);
        return;
      case "jumped":
        this.#hop(event.mouse, t, event.to, 0.22);
        return;
      case "escaped":
        this.#leave(event.mouse, event.from.tile, t);
        return;
      case "orb": {
        const orb = this.#sprites.mice.get(event.mouse);
        if (orb) orb.size = MOUSE_SEATED * (t < 0.7 ? (t / 0.7) * 1.5 : 1.5 - ((t - 0.7) / 0.3) * 0.5);
        return;
      }
      case "started":
      case "locked":
      case "refused":
      case "turn_lost":
      case "out":
      case "over":
        return;
    }
  }

  #place(tile: TileLabel): Point {
    const found = this.#after.tiles.get(tile);
    return found ? placeOf(this.#sprites.layout, found.x, found.y) : { x: 0, y: 0 };
  }

  #drop(tile: TileLabel, t: number): void {
    const gear = this.#sprites.gears.get(tile);
    if (!gear) return;
    const s = 1 + (1 - ease.out(t)) * 0.5;
    for (const image of [gear.body, gear.hub]) image.setScale(s).setAlpha(Math.min(1, t * 2));
    gear.shadow?.setAlpha(t);
  }

  /** A gear that turns alone is lifted out of its neighbours' teeth. */
  #premove(tile: TileLabel, from: number, to: number, t: number): void {
    const gear = this.#sprites.gears.get(tile);
    if (!gear) return;
    gear.quarters = from + shortest(to - from) * ease.inOut(t);
    const s = 1 + 0.09 * Math.sin(Math.PI * t);
    gear.body.setScale(s);
  }

  #swirl(moves: readonly { from: TileLabel; to: TileLabel }[], t: number): void {
    const e = ease.inOut(t);
    for (const { from, to } of moves) {
      const gear = this.#sprites.gears.get(from);
      if (!gear) continue;
      const a = this.#place(from);
      const b = this.#place(to);
      gear.at = { x: a.x + (b.x - a.x) * e, y: a.y + (b.y - a.y) * e - Math.sin(Math.PI * e) * 0.5 };
      gear.quarters += 0.12;
    }
  }

  /** The gears of a row have changed places: they are named anew by the tile on which they now are (R7.1). */
  #shuffle(moves: readonly { from: TileLabel; to: TileLabel; b: number }[]): void {
    const moved = moves.map(({ from, to, b }) => ({ to, b, gear: this.#sprites.gears.get(from) }));
    for (const { from } of moves) this.#sprites.gears.delete(from);
    for (const { to, b, gear } of moved) {
      if (!gear) continue;
      gear.at = this.#place(to);
      gear.quarters = b;
      dress(gear, this.#after.tiles.get(to)?.parity ?? "R");
      this.#sprites.gears.set(to, gear);
    }
  }

  /** Takes a mouse off its base, so that it can move by itself from where it is. */
  #lift(id: MouseId): void {
    const mouse = this.#sprites.mice.get(id);
    if (!mouse) return;
    mouse.ride = null;
    this.#lifted.set(id, { at: mouse.at, quarters: mouse.quarters, size: mouse.size });
  }

  /** Onto a base: an arc towards the viewer, turning as it flies. */
  #hop(id: MouseId, t: number, to: { readonly tile: TileLabel; readonly base: number }, height: number): void {
    const mouse = this.#sprites.mice.get(id);
    const gear = this.#sprites.gears.get(to.tile);
    const from = this.#lifted.get(id);
    if (!mouse || !gear || !from) return;
    const quarters = gear.quarters + to.base;
    const goal = polar(gear.at, SEAT, angleOf(quarters));
    const e = ease.inOut(t);
    mouse.at = between(from.at, goal, e);
    mouse.quarters = from.quarters + shortest(quarters - from.quarters) * Math.max(0, (t - 0.45) / 0.55);
    mouse.size = from.size + (MOUSE_SEATED - from.size) * e + height * Math.sin(Math.PI * t);
    if (t >= 1) mouse.ride = { gear, base: to.base };
  }

  /** Over the far edge and away (R6.3). */
  #leave(id: MouseId, tile: TileLabel, t: number): void {
    const mouse: MouseSprite | undefined = this.#sprites.mice.get(id);
    const from = this.#lifted.get(id);
    if (!mouse || !from) return;
    const way = stepOf((Math.round(from.quarters) & 3) as 0 | 1 | 2 | 3);
    const start = polar(this.#place(tile), SEAT, angleOf(from.quarters));
    const e = ease.inOut(t);
    mouse.at = { x: start.x + way.x * 1.15 * e, y: start.y + way.y * 1.15 * e };
    mouse.size = MOUSE_SEATED + (MOUSE_WAITING - MOUSE_SEATED) * Math.sin(Math.PI * Math.min(1, t * 1.2));
    mouse.image.setAlpha(t < 0.7 ? 1 : 1 - (t - 0.7) / 0.3);
  }
}

function between(a: Point, b: Point, t: number): Point {
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}

/** The same turn within half a circle. */
function shortest(quarters: number): number {
  const by = ((quarters % 4) + 4) % 4;
  return by > 2 ? by - 4 : by;
}
