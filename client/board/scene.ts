/** Draws the board with Phaser and plays turns on it. It holds pictures, no rules: what it shows is handed in. */
import * as Phaser from "phaser";
import type { MatchEvent, MouseId, TileLabel } from "../../shared/engine/types.ts";
import { MOUSE_SEATED, MOUSE_WAITING, pieces } from "./art.ts";
import { drawGround } from "./ground.ts";
import { angleOf, FORWARD, type Layout, layoutOf, type Point, placeOf, polar, stepOf } from "./layout.ts";
import type { BoardModel, TileView } from "./model.ts";
import { PALETTES } from "./palette.ts";
import { type Clip, ease, type Plan, planTurn, progress } from "./plan.ts";
import { type Parity, SEAT } from "./shape.ts";
import type { BoardViewOptions } from "./view.ts";

/** A gear's pictures; the turning ones and those that stay with the light. */
interface GearSprite {
  readonly shadow: Phaser.GameObjects.Image;
  readonly body: Phaser.GameObjects.Image;
  readonly gloss: Phaser.GameObjects.Image;
  readonly hub: Phaser.GameObjects.Image;
  type: string;
  at: Point;
  /** Quarter turns counter-clockwise, any real number. */
  quarters: number;
}

interface MouseSprite {
  readonly image: Phaser.GameObjects.Image;
  readonly orb: boolean;
  /** Riding: on a base of a gear. Otherwise at a point of its own. */
  ride: { gear: GearSprite; base: number } | null;
  at: Point;
  quarters: number;
  size: number;
}

interface Playing {
  readonly plan: Plan;
  readonly after: BoardModel;
  startedAt: number;
  readonly begun: Set<Clip>;
  readonly done: Set<Clip>;
}

const LEAN_QUARTERS = 0.13;
/** After this long without change the loop sleeps: an idle board costs nothing. */
const SLEEP_AFTER_MS = 250;

export class BoardScene extends Phaser.Scene {
  readonly #onReady: () => void;
  #options: BoardViewOptions | null = null;
  #board: BoardModel | null = null;
  #layout: Layout = layoutOf(1, 1, ["P1"]);
  #unit = 1;
  #ground: Phaser.GameObjects.Image | null = null;
  readonly #gears = new Map<TileLabel, GearSprite>();
  readonly #mice = new Map<MouseId, MouseSprite>();
  #layers: Record<"shadow" | "gear" | "gloss" | "mouse" | "effect", Phaser.GameObjects.Layer> | null = null;
  #queue: { events: readonly MatchEvent[]; after: BoardModel }[] = [];
  #playing: Playing | null = null;
  #lean: ReadonlyMap<string, number> = new Map();
  #lastChange = 0;
  #effects: { begun: number; ms: number; tick: (t: number) => void; end: () => void }[] = [];

  constructor(onReady: () => void) {
    super({ key: "board" });
    this.#onReady = onReady;
  }

  create(): void {
    this.#layers = {
      shadow: this.add.layer(),
      gear: this.add.layer(),
      gloss: this.add.layer(),
      mouse: this.add.layer(),
      effect: this.add.layer(),
    };
    this.#onReady();
  }

  open(options: BoardViewOptions): void {
    this.#options = options;
    this.#board = options.board;
    this.#build(options.cssWidth);
  }

  close(): void {
    this.#finish();
    this.#queue = [];
    this.#options = null;
    this.#clear();
    this.game.loop.sleep();
  }

  show(board: BoardModel): void {
    this.#queue = [];
    this.#playing = null;
    this.#dropEffects();
    this.#board = board;
    this.#settle(board);
    this.#options?.onBusy(false);
  }

  play(events: readonly MatchEvent[], after: BoardModel): void {
    if (this.#options?.reducedMotion() || document.hidden) {
      for (const event of events) this.#options?.onEvent(event);
      this.show(after);
      return;
    }
    this.#queue.push({ events, after });
    this.#options?.onBusy(true);
    this.#wake();
  }

  lean(gears: ReadonlyMap<string, number>): void {
    this.#lean = gears;
    this.#wake();
  }

  resize(cssWidth: number): void {
    this.#finish();
    this.#build(cssWidth);
  }

  setTheme(theme: BoardViewOptions["theme"]): void {
    if (this.#options === null) return;
    this.#options = { ...this.#options, theme };
    this.#finish();
    this.#build(this.#options.cssWidth);
  }

  override update(time: number): void {
    if (this.#playing === null) this.#startNext(time);
    if (this.#playing !== null) this.#advance(this.#playing, time);
    this.#runEffects(time);
    const leaning = this.#playing === null && this.#leanStep();
    if (this.#playing !== null || this.#effects.length > 0 || leaning) this.#lastChange = time;
    else if (this.#lastChange < 0) this.#lastChange = time;
    else if (time - this.#lastChange > SLEEP_AFTER_MS) this.game.loop.sleep();
  }

  // ---- building -------------------------------------------------------------------------------------------------

  #build(cssWidth: number): void {
    const options = this.#options;
    const board = this.#board;
    if (options === null || board === null) return;
    this.#options = { ...options, cssWidth };
    this.#clear();
    this.#layout = layoutOf(board.width, board.height, board.players);
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.max(64, Math.round(cssWidth * ratio));
    this.#unit = width / this.#layout.totalWidth;
    const height = Math.round(this.#layout.totalHeight * this.#unit);
    this.scale.resize(width, height);
    this.game.canvas.style.width = "100%";
    this.game.canvas.style.height = "100%";
    this.#draw(options.theme);
    this.#ground = this.add.image(0, 0, "ground").setOrigin(0, 0).setDepth(-1);
    this.#settle(board);
  }

  #clear(): void {
    this.#dropEffects();
    for (const gear of this.#gears.values()) destroyGear(gear);
    for (const mouse of this.#mice.values()) mouse.image.destroy();
    this.#gears.clear();
    this.#mice.clear();
    this.#ground?.destroy();
    this.#ground = null;
  }

  /** Every texture, drawn once for this size; old ones are given back first. */
  #draw(theme: BoardViewOptions["theme"]): void {
    const board = this.#board;
    if (board === null) return;
    const palette = PALETTES[theme];
    for (const { key, reach, draw } of pieces(palette)) {
      const scale = key.startsWith("mouse") || key === "orb" ? this.#unit * MOUSE_WAITING : this.#unit;
      const size = Math.ceil(2 * reach * scale);
      this.#texture(key, size, size, (ink) => {
        ink.translate(size / 2, size / 2);
        ink.scale(scale, scale);
        draw(ink);
      });
    }
    const { totalWidth, totalHeight } = this.#layout;
    this.#texture("ground", totalWidth * this.#unit, totalHeight * this.#unit, (ink) => {
      ink.scale(this.#unit, this.#unit);
      drawGround(ink, this.#layout, board, palette);
    });
    const spark = Math.max(4, Math.round(this.#unit * 0.16));
    this.#texture("spark", spark, spark, (ink) => {
      const glow = ink.createRadialGradient(spark / 2, spark / 2, 0, spark / 2, spark / 2, spark / 2);
      glow.addColorStop(0, "rgba(255,255,255,1)");
      glow.addColorStop(0.4, "rgba(255,240,200,.9)");
      glow.addColorStop(1, "rgba(255,230,160,0)");
      ink.fillStyle = glow;
      ink.fillRect(0, 0, spark, spark);
    });
    for (const points of [10, 5, -10]) this.#pointsTexture(points);
  }

  #pointsTexture(points: number): void {
    const h = Math.max(14, Math.round(this.#unit * 0.42));
    this.#texture(`points${points}`, h * 2.4, h * 1.4, (ink) => {
      ink.font = `800 ${h}px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif`;
      ink.textAlign = "center";
      ink.textBaseline = "middle";
      ink.lineJoin = "round";
      ink.lineWidth = h * 0.24;
      ink.strokeStyle = "rgba(10,12,16,.92)";
      const text = points > 0 ? `+${points}` : `−${-points}`;
      ink.strokeText(text, h * 1.2, h * 0.72);
      ink.fillStyle = points > 0 ? "#ffe08a" : "#ff9d8a";
      ink.fillText(text, h * 1.2, h * 0.72);
    });
  }

  #texture(key: string, width: number, height: number, draw: (ink: CanvasRenderingContext2D) => void): void {
    if (this.textures.exists(key)) this.textures.remove(key);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width));
    canvas.height = Math.max(1, Math.round(height));
    const ink = canvas.getContext("2d");
    if (ink === null) return;
    draw(ink);
    this.textures.addCanvas(key, canvas);
  }

  // ---- pieces ---------------------------------------------------------------------------------------------------

  #settle(board: BoardModel): void {
    const gears = new Set<TileLabel>();
    for (const tile of board.tiles.values()) {
      if (tile.gear === null) continue;
      gears.add(tile.label);
      const sprite = this.#gears.get(tile.label) ?? this.#addGear(tile);
      sprite.quarters = tile.gear.b;
      sprite.at = placeOf(this.#layout, tile.x, tile.y);
      this.#dress(sprite, tile.gear.type, tile.parity);
      sprite.hub.setTexture(`hub-${tile.gear.owner ?? "P1"}`);
      for (const image of [sprite.shadow, sprite.body, sprite.gloss, sprite.hub]) image.setScale(1).setAlpha(1);
    }
    for (const [label, sprite] of this.#gears) {
      if (gears.has(label)) continue;
      destroyGear(sprite);
      this.#gears.delete(label);
    }
    for (const [id, sprite] of this.#mice) {
      const state = board.mice.get(id);
      if (state !== undefined && state.status !== "ESCAPED") continue;
      sprite.image.destroy();
      this.#mice.delete(id);
    }
    for (const [id, state] of board.mice) {
      if (state.status === "ESCAPED" || state.x === null || state.y === null) continue;
      const sprite = this.#mice.get(id) ?? this.#addMouse(id, state.owner === null ? "orb" : `mouse-${state.owner}`);
      const gear = this.#gears.get(state.pos as TileLabel);
      sprite.ride = state.on_base !== null && gear ? { gear, base: state.on_base } : null;
      sprite.at = placeOf(this.#layout, state.x, state.y);
      sprite.quarters = state.facing ?? (state.owner ? FORWARD[state.owner] : 0);
      sprite.size = sprite.ride ? MOUSE_SEATED : MOUSE_WAITING;
      sprite.image.setAlpha(1);
    }
    this.#placeAll();
    this.#wake();
  }

  #addGear(tile: TileView): GearSprite {
    const layers = this.#layers;
    if (layers === null) throw new Error("scene not created");
    const at = placeOf(this.#layout, tile.x, tile.y);
    const make = (key: string, layer: Phaser.GameObjects.Layer) => {
      const image = new Phaser.GameObjects.Image(this, 0, 0, key);
      layer.add(image);
      return image;
    };
    const type = tile.gear?.type ?? "G1";
    const sprite: GearSprite = {
      shadow: make("shadow", layers.shadow),
      body: make(`gear-${type}-${tile.parity}`, layers.gear),
      gloss: make("gloss", layers.gloss),
      hub: make(`hub-${tile.gear?.owner ?? "P1"}`, layers.gloss),
      type,
      at,
      quarters: tile.gear?.b ?? 0,
    };
    this.#gears.set(tile.label, sprite);
    return sprite;
  }

  #dress(sprite: GearSprite, type: string, parity: Parity): void {
    sprite.type = type;
    sprite.body.setTexture(`gear-${type}-${parity}`);
  }

  #addMouse(id: MouseId, key: string): MouseSprite {
    const image = new Phaser.GameObjects.Image(this, 0, 0, key);
    this.#layers?.mouse.add(image);
    const sprite: MouseSprite = { image, orb: key === "orb", ride: null, at: { x: 0, y: 0 }, quarters: 0, size: 1 };
    this.#mice.set(id, sprite);
    return sprite;
  }

  /** Puts every picture where its numbers say. */
  #placeAll(): void {
    const u = this.#unit;
    for (const gear of this.#gears.values()) {
      const { x, y } = gear.at;
      gear.shadow.setPosition(x * u, y * u);
      gear.body.setPosition(x * u, y * u).setRotation(angleOf(gear.quarters));
      gear.gloss.setPosition(x * u, y * u);
      gear.hub.setPosition(x * u, y * u);
    }
    for (const mouse of this.#mice.values()) {
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

  // ---- playing --------------------------------------------------------------------------------------------------

  #startNext(time: number): void {
    const next = this.#queue.shift();
    if (next === undefined) return;
    const behind = this.#queue.length;
    if (behind > 4) {
      // Far behind (a tab that slept): what is old is shown as its result.
      const last = this.#queue[behind - 1];
      if (last) this.show(last.after);
      return;
    }
    this.#playing = {
      plan: planTurn(next.events, 1 + behind * 0.6),
      after: next.after,
      startedAt: time,
      begun: new Set(),
      done: new Set(),
    };
    this.#unlean();
  }

  #advance(playing: Playing, time: number): void {
    const ms = time - playing.startedAt;
    for (const clip of playing.plan.clips) {
      if (ms < clip.at || playing.done.has(clip)) continue;
      if (!playing.begun.has(clip)) {
        playing.begun.add(clip);
        this.#begin(clip, playing);
      }
      const t = progress(clip, ms);
      this.#pose(clip.event, t);
      if (t >= 1) playing.done.add(clip);
    }
    this.#placeAll();
    if (playing.done.size < playing.plan.clips.length) return;
    this.#playing = null;
    this.#board = playing.after;
    this.#settle(playing.after);
    if (this.#queue.length === 0) this.#options?.onBusy(false);
  }

  #finish(): void {
    const last = this.#queue.at(-1)?.after ?? this.#playing?.after;
    this.#queue = [];
    this.#playing = null;
    if (last) this.show(last);
  }

  /** Start values of a clip that pose needs, and what flashes up with it. */
  #begin(clip: Clip, playing: Playing): void {
    const { event } = clip;
    this.#options?.onEvent(event);
    switch (event.type) {
      case "placed": {
        const tile = playing.after.tiles.get(event.tile);
        if (tile) this.#addGear({ ...tile, gear: { type: event.gear, b: event.b, owner: event.player, bases: FREE } });
        return;
      }
      case "entered":
        this.#lift(event.mouse);
        return;
      case "jumped":
        this.#lift(event.mouse);
        this.#float(event.points, event.to.tile);
        return;
      case "escaped":
        this.#lift(event.mouse);
        this.#float(event.points, event.from.tile);
        this.#burst(event.from.tile, 14);
        return;
      case "orb": {
        const sprite = this.#addMouse(event.mouse, "orb");
        const gear = this.#gears.get(event.tile);
        sprite.ride = gear ? { gear, base: event.base } : null;
        sprite.size = 0;
        this.#burst(event.tile, 10);
        return;
      }
      case "entropy":
        this.cameras.main.shake(Math.max(120, clip.ms * 0.8), 0.004);
        for (const { from } of event.moves) this.#burst(from, 4);
        return;
      default:
        return;
    }
  }

  #pose(event: MatchEvent, t: number): void {
    switch (event.type) {
      case "placed": {
        const gear = this.#gears.get(event.tile);
        if (!gear) return;
        const s = 1 + (1 - ease.out(t)) * 0.5;
        for (const image of [gear.body, gear.gloss, gear.hub]) image.setScale(s).setAlpha(Math.min(1, t * 2));
        gear.shadow.setAlpha(t);
        return;
      }
      case "premoved": {
        const gear = this.#gears.get(event.tile);
        if (!gear) return;
        let by = event.to - event.from;
        if (by > 2) by -= 4;
        if (by < -2) by += 4;
        gear.quarters = event.from + by * ease.inOut(t);
        // It is lifted out of its neighbours' teeth while it turns alone.
        const s = 1 + 0.09 * Math.sin(Math.PI * t);
        gear.body.setScale(s);
        gear.gloss.setScale(s);
        return;
      }
      case "turned":
        for (const { tile, from, to } of event.gears) {
          const gear = this.#gears.get(tile);
          const by = ((to - from + 4) & 3) === 1 ? 1 : -1;
          if (gear) gear.quarters = from + by * ease.settle(t);
        }
        return;
      case "entropy": {
        if (t < 1) {
          for (const { from, to } of event.moves) {
            const gear = this.#gears.get(from);
            const a = this.#tilePlace(from);
            const b = this.#tilePlace(to);
            if (!gear || !a || !b) continue;
            const e = ease.inOut(t);
            gear.at = { x: a.x + (b.x - a.x) * e, y: a.y + (b.y - a.y) * e - Math.sin(Math.PI * e) * 0.5 };
            gear.quarters += 0.12;
          }
          return;
        }
        this.#shuffle(event.moves);
        return;
      }
      case "entered":
        this.#hop(event.mouse, t, { tile: event.tile, base: event.base }, 0.12);
        return;
      case "jumped":
        this.#hop(event.mouse, t, event.to, 0.22);
        return;
      case "escaped": {
        const mouse = this.#mice.get(event.mouse);
        if (!mouse) return;
        const forward = stepOf((Math.round(mouse.quarters) & 3) as 0 | 1 | 2 | 3);
        const start = polar(this.#tilePlace(event.from.tile) ?? mouse.at, SEAT, angleOf(mouse.quarters));
        const e = ease.inOut(t);
        mouse.at = { x: start.x + forward.x * 1.15 * e, y: start.y + forward.y * 1.15 * e };
        mouse.size = MOUSE_SEATED + (MOUSE_WAITING - MOUSE_SEATED) * Math.sin(Math.PI * Math.min(1, t * 1.2));
        mouse.image.setAlpha(t < 0.7 ? 1 : 1 - (t - 0.7) / 0.3);
        return;
      }
      case "orb": {
        const mouse = this.#mice.get(event.mouse);
        if (mouse) mouse.size = MOUSE_SEATED * (t < 0.7 ? (t / 0.7) * 1.5 : 1.5 - ((t - 0.7) / 0.3) * 0.5);
        return;
      }
      default:
        return;
    }
  }

  #tilePlace(tile: TileLabel): Point | null {
    const found = this.#board?.tiles.get(tile);
    return found ? placeOf(this.#layout, found.x, found.y) : null;
  }

  /** Takes a mouse off its base, so that it can move by itself from where it is. */
  #lift(id: MouseId): void {
    const mouse = this.#mice.get(id);
    if (!mouse) return;
    mouse.ride = null;
    this.#hopFrom.set(id, { at: mouse.at, quarters: mouse.quarters, size: mouse.size });
  }

  readonly #hopFrom = new Map<MouseId, { at: Point; quarters: number; size: number }>();

  /** From where it was lifted onto a base: an arc towards the viewer, turning as it flies. */
  #hop(id: MouseId, t: number, to: { tile: TileLabel; base: number }, height: number): void {
    const mouse = this.#mice.get(id);
    const gear = this.#gears.get(to.tile);
    const from = this.#hopFrom.get(id);
    if (!mouse || !gear || !from) return;
    const quarters = gear.quarters + to.base;
    const goal = polar(gear.at, SEAT, angleOf(quarters));
    const e = ease.inOut(t);
    let by = (((quarters - from.quarters) % 4) + 4) % 4;
    if (by > 2) by -= 4;
    mouse.at = { x: from.at.x + (goal.x - from.at.x) * e, y: from.at.y + (goal.y - from.at.y) * e };
    mouse.quarters = from.quarters + by * Math.max(0, (t - 0.45) / 0.55);
    mouse.size = from.size + (MOUSE_SEATED - from.size) * e + height * Math.sin(Math.PI * t);
    if (t >= 1) mouse.ride = { gear, base: to.base };
  }

  /** Gears of a row have changed places: they are named anew by the tile on which they now are (R7.1). */
  #shuffle(moves: readonly { from: TileLabel; to: TileLabel; b: number }[]): void {
    const moved = moves.map(({ from, to, b }) => ({ to, b, gear: this.#gears.get(from) }));
    for (const { from } of moves) this.#gears.delete(from);
    for (const { to, b, gear } of moved) {
      if (!gear) continue;
      gear.at = this.#tilePlace(to) ?? gear.at;
      gear.quarters = b;
      const parity = this.#board?.tiles.get(to)?.parity;
      if (parity) this.#dress(gear, gear.type, parity);
      this.#gears.set(to, gear);
    }
  }

  // ---- effects --------------------------------------------------------------------------------------------------

  #float(points: number, tile: TileLabel): void {
    const place = this.#tilePlace(tile);
    const key = `points${points}`;
    if (place === null || !this.textures.exists(key)) return;
    const image = new Phaser.GameObjects.Image(this, 0, 0, key);
    this.#layers?.effect.add(image);
    const u = this.#unit;
    this.#effect(
      560,
      (t) => {
        image.setPosition(place.x * u, (place.y - 0.15 - 0.5 * ease.out(t)) * u);
        image.setAlpha(t < 0.65 ? 1 : 1 - (t - 0.65) / 0.35).setScale(0.7 + 0.3 * ease.out(Math.min(1, t * 3)));
      },
      () => image.destroy(),
    );
  }

  #burst(tile: TileLabel, count: number): void {
    const place = this.#tilePlace(tile);
    if (place === null) return;
    const u = this.#unit;
    for (let i = 0; i < count; i++) {
      const image = new Phaser.GameObjects.Image(this, 0, 0, "spark");
      this.#layers?.effect.add(image);
      const angle = (i / count) * 2 * Math.PI + (i % 3) * 0.4;
      const reach = 0.45 + (i % 4) * 0.13;
      this.#effect(
        420,
        (t) => {
          const at = polar(place, 0.15 + reach * ease.out(t), angle);
          image
            .setPosition(at.x * u, at.y * u)
            .setAlpha(1 - t)
            .setScale(1.2 - t * 0.7);
        },
        () => image.destroy(),
      );
    }
  }

  #effect(ms: number, tick: (t: number) => void, end: () => void): void {
    tick(0);
    this.#effects.push({ begun: -1, ms, tick, end });
  }

  #runEffects(time: number): void {
    if (this.#effects.length === 0) return;
    this.#effects = this.#effects.filter((effect) => {
      if (effect.begun < 0) effect.begun = time;
      const t = Math.min(1, (time - effect.begun) / effect.ms);
      effect.tick(t);
      if (t >= 1) effect.end();
      return t < 1;
    });
  }

  #dropEffects(): void {
    for (const effect of this.#effects) effect.end();
    this.#effects = [];
  }

  /** Moves gears a little the way they would turn; true while they are still on their way. */
  #leanStep(): boolean {
    let moving = false;
    for (const [label, gear] of this.#gears) {
      const rest = this.#board?.tiles.get(label)?.gear?.b ?? 0;
      const goal = rest + (this.#lean.get(label) ?? 0) * LEAN_QUARTERS;
      const left = goal - gear.quarters;
      if (Math.abs(left) < 0.002) {
        gear.quarters = goal;
        continue;
      }
      gear.quarters += left * 0.22;
      moving = true;
    }
    this.#placeAll();
    return moving;
  }

  #unlean(): void {
    for (const [label, gear] of this.#gears) gear.quarters = this.#board?.tiles.get(label)?.gear?.b ?? gear.quarters;
  }

  #wake(): void {
    this.#lastChange = -1; // The loop's own time stood still while it slept.
    if (!this.game.loop.running) this.game.loop.wake();
  }
}

const FREE = ["absent", "absent", "absent", "absent"] as const;

function destroyGear(gear: GearSprite): void {
  gear.shadow.destroy();
  gear.body.destroy();
  gear.gloss.destroy();
  gear.hub.destroy();
}
