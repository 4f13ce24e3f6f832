/** Draws the board with Phaser and plays turns on it. It holds pictures, no rules: what it shows is handed in. */
import * as Phaser from "phaser";
import type { MatchEvent } from "../../shared/engine/types.ts";
import { Actor } from "./actor.ts";
import { Effects } from "./effects.ts";
import { Floor } from "./floor.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { lightInsteadOfTint } from "./light.ts";
import type { BoardModel } from "./model.ts";
import { type Clip, type Plan, planTurn, progress } from "./plan.ts";
import { drawSheet } from "./sheet.ts";
import { Sprites } from "./sprites.ts";
import type { BoardViewOptions } from "./view.ts";

interface Turn {
  readonly events: readonly MatchEvent[];
  readonly after: BoardModel;
}

interface Playing {
  readonly plan: Plan;
  readonly actor: Actor;
  readonly after: BoardModel;
  readonly startedAt: number;
  readonly begun: Set<Clip>;
  readonly done: Set<Clip>;
}

/** How far a gear leans the way it would turn. */
const LEAN_QUARTERS = 0.13;
/** After this long without change the loop sleeps: an idle board costs nothing. */
const SLEEP_AFTER_MS = 80;
/** More turns than this in the queue, and the oldest are shown as their result. */
const MAX_BEHIND = 4;

export class BoardScene extends Phaser.Scene {
  readonly #onReady: () => void;
  #options: BoardViewOptions | null = null;
  #board: BoardModel | null = null;
  #sprites: Sprites | null = null;
  #effects: Effects | null = null;
  #floor: Floor | null = null;
  #queue: Turn[] = [];
  #playing: Playing | null = null;
  #lean: ReadonlyMap<string, number> = new Map();
  /** Scene time of the last change; below zero: the next frame is one. */
  #lastChange = -1;

  constructor(onReady: () => void) {
    super({ key: "board" });
    this.#onReady = onReady;
  }

  create(): void {
    const layers = {
      shadow: this.add.layer(),
      gear: this.add.layer(),
      hub: this.add.layer(),
      mouse: this.add.layer(),
      effect: this.add.layer(),
    };
    this.#sprites = new Sprites(this, layers, layoutOf(1, 1, ["P1"]));
    this.#effects = new Effects(this.#sprites);
    lightInsteadOfTint(this.game.renderer as Phaser.Renderer.WebGL.WebGLRenderer);
    // The card has forgotten every texture: they are drawn anew.
    this.game.renderer.on("restorewebgl", () => this.#rebuild());
    this.#onReady();
  }

  open(options: BoardViewOptions): void {
    this.#options = options;
    this.#board = options.board;
    this.#lean = new Map();
    this.#build();
  }

  close(): void {
    this.#queue = [];
    this.#playing = null;
    this.#options = null;
    this.#board = null;
    this.#clear();
    this.game.loop.sleep();
  }

  show(board: BoardModel): void {
    this.#queue = [];
    this.#playing = null;
    this.#effects?.drop();
    this.#board = board;
    this.#settle(board);
    this.#wake();
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
    this.#lean = this.#options?.reducedMotion() ? new Map() : gears;
    this.#wake();
  }

  resize(cssWidth: number): void {
    if (this.#options === null || this.#options.cssWidth === cssWidth) return;
    this.#options = { ...this.#options, cssWidth };
    this.#rebuild();
  }

  setTheme(theme: BoardViewOptions["theme"]): void {
    if (this.#options === null || this.#options.theme === theme) return;
    this.#options = { ...this.#options, theme };
    this.#rebuild();
  }

  override update(time: number): void {
    if (this.#playing === null) this.#startNext(time);
    if (this.#playing !== null) this.#advance(this.#playing, time);
    this.#effects?.run(time);
    const leaning = this.#playing === null && this.#leanStep();
    const busy = this.#playing !== null || this.#queue.length > 0 || this.#effects?.busy || leaning;
    if (busy || this.#lastChange < 0) this.#lastChange = time;
    else if (time - this.#lastChange > SLEEP_AFTER_MS) this.game.loop.sleep();
  }

  // ---- size -----------------------------------------------------------------------------------------------------

  /** A new size or theme while a turn is played shows its result at once. */
  #rebuild(): void {
    const last = this.#queue.at(-1)?.after ?? this.#playing?.after;
    if (last) this.show(last);
    this.#build();
  }

  #build(): void {
    const [options, board, sprites] = [this.#options, this.#board, this.#sprites];
    if (options === null || board === null || sprites === null) return;
    this.#clear();
    const layout: Layout = layoutOf(board.width, board.height, board.players);
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.max(64, Math.round(options.cssWidth * ratio));
    const unit = width / layout.totalWidth;
    this.scale.resize(width, Math.round(layout.totalHeight * unit));
    this.game.canvas.style.width = "100%";
    this.game.canvas.style.height = "100%";
    drawSheet(this.textures, unit, options.theme);
    this.#floor = new Floor(this, { unit, layout, board, theme: options.theme });
    sprites.layout = layout;
    sprites.unit = unit;
    this.#settle(board);
    this.#wake();
  }

  #clear(): void {
    this.#effects?.drop();
    this.#sprites?.clear();
    this.#floor?.destroy();
    this.#floor = null;
  }

  #settle(board: BoardModel): void {
    this.#sprites?.settle(board);
    this.#floor?.shade(board);
  }

  // ---- turns ----------------------------------------------------------------------------------------------------

  #startNext(time: number): void {
    const [sprites, effects] = [this.#sprites, this.#effects];
    if (this.#queue.length > MAX_BEHIND) {
      const skipped = this.#queue.splice(0, this.#queue.length - 1).at(-1);
      if (skipped) this.#settle(skipped.after);
    }
    const next = this.#queue.shift();
    if (next === undefined || sprites === null || effects === null) return;
    for (const [label, gear] of sprites.gears) gear.quarters = this.#board?.tiles.get(label)?.gear?.b ?? gear.quarters;
    const plan = planTurn(next.events, 1 + this.#queue.length * 0.6);
    const shake = () => this.cameras.main.shake(260, 0.004);
    this.#playing = {
      plan,
      actor: new Actor(sprites, effects, next.after, shake),
      after: next.after,
      startedAt: time,
      begun: new Set(),
      done: new Set(),
    };
  }

  #advance(playing: Playing, time: number): void {
    const ms = time - playing.startedAt;
    for (const clip of playing.plan.clips) {
      if (ms < clip.at || playing.done.has(clip)) continue;
      if (!playing.begun.has(clip)) {
        playing.begun.add(clip);
        playing.actor.begin(clip.event);
        this.#options?.onEvent(clip.event);
      }
      const t = progress(clip, ms);
      playing.actor.pose(clip.event, t);
      if (t >= 1) playing.done.add(clip);
    }
    this.#sprites?.place();
    if (playing.done.size < playing.plan.clips.length) return;
    this.#playing = null;
    this.#board = playing.after;
    this.#settle(playing.after);
    if (this.#queue.length === 0) this.#options?.onBusy(false);
  }

  /** Moves gears a little the way they would turn; true while they are still on their way. */
  #leanStep(): boolean {
    let moving = false;
    for (const [label, gear] of this.#sprites?.gears ?? []) {
      const rest = this.#board?.tiles.get(label)?.gear?.b ?? 0;
      const left = rest + (this.#lean.get(label) ?? 0) * LEAN_QUARTERS - gear.quarters;
      if (Math.abs(left) > 0.002) moving = true;
      gear.quarters += Math.abs(left) > 0.002 ? left * 0.22 : left;
    }
    this.#sprites?.place();
    return moving;
  }

  #wake(): void {
    this.#lastChange = -1; // The loop's own time stood still while it slept.
    if (!this.game.loop.running) this.game.loop.wake();
  }
}
