/** Where every piece is at an instant of a turn: pure numbers, for whoever draws without sprites. */
import type { GearType, MouseId, PlayerId, TileLabel } from "../../shared/engine/types.ts";
import { MOUSE_SEATED, MOUSE_WAITING } from "./art.ts";
import { angleOf, FORWARD, type Layout, type Point, placeOf, polar, stepOf } from "./layout.ts";
import type { BoardModel } from "./model.ts";
import { ease, type Plan, progress } from "./plan.ts";
import { type Parity, SEAT } from "./shape.ts";

export interface GearPose {
  readonly at: Point;
  readonly type: GearType;
  readonly parity: Parity;
  readonly owner: PlayerId | null;
  /** Counter-clockwise quarter turns, fractions while it turns. */
  quarters: number;
  size: number;
}

export interface MousePose {
  at: Point;
  readonly owner: PlayerId | null;
  quarters: number;
  size: number;
  alpha: number;
}

export interface Pose {
  readonly gears: ReadonlyMap<TileLabel, GearPose>;
  readonly mice: readonly MousePose[];
}

interface Rider extends MousePose {
  seat: { readonly tile: TileLabel; readonly base: number } | null;
}

/** A position at rest. */
export function poseOf(board: BoardModel, layout: Layout): Pose {
  const { gears, mice } = open(board, layout);
  for (const mouse of mice.values()) settle(mouse, gears);
  return { gears, mice: [...mice.values()].filter((m) => m.alpha > 0) };
}

/** `ms` into the turn that `plan` shows, which began at `before`. */
export function poseAt(before: BoardModel, layout: Layout, plan: Plan, ms: number): Pose {
  const { gears, mice } = open(before, layout);
  const place = (tile: TileLabel): Point => {
    const found = before.tiles.get(tile);
    return found ? placeOf(layout, found.x, found.y) : { x: 0, y: 0 };
  };
  const seatAt = (tile: TileLabel, base: number): { at: Point; quarters: number } => {
    const quarters = (gears.get(tile)?.quarters ?? 0) + base;
    return { at: polar(place(tile), SEAT, angleOf(quarters)), quarters };
  };
  for (const mouse of mice.values()) settle(mouse, gears);
  for (const clip of plan.clips) {
    if (ms < clip.at) continue;
    const t = progress(clip, ms);
    const { event } = clip;
    switch (event.type) {
      case "placed": {
        const tile = before.tiles.get(event.tile);
        gears.set(event.tile, {
          at: place(event.tile),
          type: event.gear,
          parity: tile?.parity ?? "R",
          owner: event.player,
          quarters: event.b,
          size: 1 + (1 - ease.out(t)) * 0.4,
        });
        break;
      }
      case "premoved":
        turn(gears, event.tile, event.from, shortest(event.to - event.from) * ease.inOut(t));
        break;
      case "turned":
        for (const { tile, from, to } of event.gears) {
          turn(gears, tile, from, (((to - from + 4) & 3) === 1 ? 1 : -1) * ease.settle(t));
        }
        break;
      case "entered":
      case "jumped": {
        const mouse = mice.get(event.mouse);
        if (!mouse) break;
        const goal = event.type === "entered" ? event : event.to;
        settle(mouse, gears);
        const to = seatAt(goal.tile, goal.base);
        const e = ease.inOut(t);
        mouse.at = { x: mix(mouse.at.x, to.at.x, e), y: mix(mouse.at.y, to.at.y, e) };
        mouse.quarters += shortest(to.quarters - mouse.quarters) * Math.max(0, (t - 0.45) / 0.55);
        mouse.size = mix(mouse.size, MOUSE_SEATED, e) + 0.2 * Math.sin(Math.PI * t);
        if (t >= 1) mouse.seat = { tile: goal.tile, base: goal.base };
        continue;
      }
      case "escaped": {
        const mouse = mice.get(event.mouse);
        if (!mouse) break;
        settle(mouse, gears);
        const way = stepOf(mouse.owner === null ? 0 : FORWARD[mouse.owner]);
        const e = ease.inOut(t);
        mouse.at = { x: mouse.at.x + way.x * 1.15 * e, y: mouse.at.y + way.y * 1.15 * e };
        mouse.alpha = t < 0.7 ? 1 : 1 - (t - 0.7) / 0.3;
        mouse.seat = t >= 1 ? null : mouse.seat;
        continue;
      }
      default:
        break;
    }
    for (const mouse of mice.values()) settle(mouse, gears);
  }
  return { gears, mice: [...mice.values()].filter((m) => m.alpha > 0) };
}

function open(board: BoardModel, layout: Layout): { gears: Map<TileLabel, GearPose>; mice: Map<MouseId, Rider> } {
  const gears = new Map<TileLabel, GearPose>();
  for (const { label, x, y, parity, gear } of board.tiles.values()) {
    if (gear === null) continue;
    const { type, owner, b } = gear;
    gears.set(label, { at: placeOf(layout, x, y), type, parity, owner, quarters: b, size: 1 });
  }
  const mice = new Map<MouseId, Rider>();
  for (const [id, { owner, status, pos, on_base, x, y }] of board.mice) {
    if (status === "ESCAPED" || x === null || y === null) continue;
    const seated = status === "IN_PLAY" && on_base !== null;
    mice.set(id, {
      owner,
      at: placeOf(layout, x, y),
      quarters: owner === null ? 0 : FORWARD[owner],
      size: seated ? MOUSE_SEATED : MOUSE_WAITING,
      alpha: 1,
      seat: seated ? { tile: pos as TileLabel, base: on_base } : null,
    });
  }
  return { gears, mice };
}

/** Mice ride on their base (R2.5). */
function settle(mouse: Rider, gears: ReadonlyMap<TileLabel, GearPose>): void {
  const gear = mouse.seat && gears.get(mouse.seat.tile);
  if (!mouse.seat || !gear) return;
  mouse.quarters = gear.quarters + mouse.seat.base;
  mouse.at = polar(gear.at, SEAT, angleOf(mouse.quarters));
  mouse.size = MOUSE_SEATED;
}

function turn(gears: ReadonlyMap<TileLabel, GearPose>, tile: TileLabel, from: number, by: number): void {
  const gear = gears.get(tile);
  if (gear) gear.quarters = from + by;
}

const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

/** The same turn within half a circle. */
function shortest(quarters: number): number {
  const by = ((quarters % 4) + 4) % 4;
  return by > 2 ? by - 4 : by;
}
