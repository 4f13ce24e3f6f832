/** What flashes up and goes: points that float, sparks that fly. */

import { type Point, polar } from "./layout.ts";
import { ease } from "./plan.ts";
import type { Sprites } from "./sprites.ts";

interface Effect {
  begun: number;
  readonly ms: number;
  readonly tick: (t: number) => void;
  readonly end: () => void;
}

const FLOAT_MS = 560;
const BURST_MS = 420;
const LABELLED: readonly number[] = [10, 5, -10];

export class Effects {
  readonly #sprites: Sprites;
  #running: Effect[] = [];

  constructor(sprites: Sprites) {
    this.#sprites = sprites;
  }

  get busy(): boolean {
    return this.#running.length > 0;
  }

  /** Points gained or lost over a place. */
  float(points: number, place: Point): void {
    if (!LABELLED.includes(points)) return;
    const image = this.#sprites.image(`points${points}`, "effect");
    const u = this.#sprites.unit;
    this.#start(
      FLOAT_MS,
      (t) => {
        image.setPosition(place.x * u, (place.y - 0.15 - 0.5 * ease.out(t)) * u);
        image.setAlpha(t < 0.65 ? 1 : 1 - (t - 0.65) / 0.35).setScale(0.7 + 0.3 * ease.out(Math.min(1, t * 3)));
      },
      () => image.destroy(),
    );
  }

  /** Sparks out of a place. */
  burst(place: Point, count: number): void {
    const u = this.#sprites.unit;
    for (let i = 0; i < count; i++) {
      const image = this.#sprites.image("spark", "effect");
      const angle = (i / count) * 2 * Math.PI + (i % 3) * 0.4;
      const reach = 0.45 + (i % 4) * 0.13;
      this.#start(
        BURST_MS,
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

  /** Moves everything on to `time` (ms). */
  run(time: number): void {
    this.#running = this.#running.filter((effect) => {
      if (effect.begun < 0) effect.begun = time;
      const t = Math.min(1, (time - effect.begun) / effect.ms);
      effect.tick(t);
      if (t >= 1) effect.end();
      return t < 1;
    });
  }

  drop(): void {
    for (const effect of this.#running) effect.end();
    this.#running = [];
  }

  #start(ms: number, tick: (t: number) => void, end: () => void): void {
    tick(0);
    this.#running.push({ begun: -1, ms, tick, end });
  }
}
