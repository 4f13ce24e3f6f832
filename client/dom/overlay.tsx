/** What a choice would do, drawn over the board: the gear to come, which way things turn, who jumps where. */
import type { GearType, MouseState, PlayerId, Quarter, TileLabel } from "../../shared/engine/types.ts";
import { angleOf, FORWARD, type Layout, type Point, placeOf, polar, stepOf } from "../board/layout.ts";
import type { BoardModel } from "../board/model.ts";
import { PLAYER_COLOURS } from "../board/palette.ts";
import { SEAT } from "../board/shape.ts";
import type { Preview } from "../store/preview.ts";
import { GearShapes } from "../ui/icons.tsx";
import { signed } from "./describe.ts";

export interface Ghost {
  readonly tile: TileLabel;
  readonly type: GearType;
  readonly b: Quarter;
  readonly owner: PlayerId;
}

/** A turn that has been played, with the board before it. */
export interface Trace {
  readonly events: Preview["events"];
  readonly before: BoardModel;
}

interface OverlayProps {
  board: BoardModel;
  layout: Layout;
  ghost: Ghost | null;
  /** A gear that is to be set first. */
  premove: { tile: TileLabel; b: Quarter } | null;
  preview: Preview | null;
  trace: Trace | null;
}

export function Overlay({ board, layout, ghost, premove, preview, trace }: OverlayProps) {
  const place = (tile: TileLabel): Point => {
    const found = board.tiles.get(tile);
    return found ? placeOf(layout, found.x, found.y) : { x: 0, y: 0 };
  };
  return (
    <svg class="overlay" viewBox={`0 0 ${layout.totalWidth} ${layout.totalHeight}`} aria-hidden="true">
      <defs>
        <marker id="tip" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="3.4" markerHeight="3.4" orient="auto">
          <path d="M0 0 10 5 0 10 2.5 5Z" fill="context-stroke" />
        </marker>
      </defs>
      {ghost && <GhostGear at={place(ghost.tile)} ghost={ghost} parity={board.tiles.get(ghost.tile)?.parity ?? "R"} />}
      {premove && <PremoveMark at={place(premove.tile)} premove={premove} board={board} />}
      {preview && <Turns preview={preview} place={place} />}
      {preview && <Jumps preview={preview} place={place} board={board} layout={layout} />}
      {trace && preview === null && ghost === null && (
        <g class="trace">
          <Turns preview={trace} place={place} />
          <Jumps preview={trace} place={place} board={trace.before} layout={layout} />
        </g>
      )}
    </svg>
  );
}

function GhostGear({ at, ghost, parity }: { at: Point; ghost: Ghost; parity: "R" | "L" }) {
  return (
    <g class="ghost" transform={`translate(${at.x} ${at.y})`}>
      <GearShapes type={ghost.type} b={ghost.b} parity={parity} owner={ghost.owner} />
    </g>
  );
}

function PremoveMark({
  at,
  premove,
  board,
}: {
  at: Point;
  premove: { tile: TileLabel; b: Quarter };
  board: BoardModel;
}) {
  const tile = board.tiles.get(premove.tile);
  if (!tile?.gear) return null;
  return (
    <g class="ghost premove-ghost" transform={`translate(${at.x} ${at.y})`}>
      <GearShapes
        type={tile.gear.type}
        b={premove.b}
        parity={tile.parity}
        {...(tile.gear.owner ? { owner: tile.gear.owner } : {})}
      />
      <circle r=".57" class="premove-ring" />
    </g>
  );
}

/** An arc on every gear that turns: counter-clockwise for +90. */
function Turns({ preview, place }: { preview: Pick<Preview, "events">; place: (tile: TileLabel) => Point }) {
  const turned = preview.events.find((e) => e.type === "turned");
  if (turned?.type !== "turned") return null;
  return (
    <g class="turns">
      {turned.gears.map(({ tile, from, to }) => {
        const left = ((to - from + 4) & 3) === 1;
        const c = place(tile);
        const a = polar(c, 0.4, left ? 0.75 : -0.75);
        const b = polar(c, 0.4, left ? -0.75 : 0.75);
        const d = `M${a.x} ${a.y}A.4 .4 0 0 ${left ? 0 : 1} ${b.x} ${b.y}`;
        return (
          <g key={tile} class={left ? "arc left" : "arc right"} data-turns={tile}>
            <path d={d} class="arc-under" />
            <path d={d} class="arc-line" marker-end="url(#tip)" />
          </g>
        );
      })}
    </g>
  );
}

interface JumpsProps {
  preview: Pick<Preview, "events">;
  place: (tile: TileLabel) => Point;
  board: BoardModel;
  layout: Layout;
}

interface Arrow {
  readonly key: string;
  readonly owner: PlayerId | null;
  readonly from: Point;
  readonly to: Point;
  readonly text: string;
  /** How the mouse rides there first: an arc of its gear; empty when it does not ride. */
  readonly ride: string;
}

/** Arrows from where each mouse is carried by the turn to where it goes from there, with the points. */
function Jumps({ preview, place, board, layout }: JumpsProps) {
  const arrows = arrowsOf(preview, place, board, layout);
  return (
    <g class="jumps">
      {arrows.map(({ key, from, to, owner, text, ride }) => {
        const colour = owner ? PLAYER_COLOURS[owner] : "#48e7be";
        const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
        const upright = Math.abs(to.y - from.y) > Math.abs(to.x - from.x);
        const tag = { x: (from.x + to.x) / 2 + (upright ? 0.38 : 0), y: (from.y + to.y) / 2 - (upright ? 0 : 0.25) };
        return (
          <g key={key} data-arrow={key}>
            {ride && <path d={ride} class="ride-under" />}
            {ride && <path d={ride} class="ride-line" stroke={colour} />}
            <circle cx={from.x} cy={from.y} r=".1" fill={colour} class="jump-dot" />
            <path d={d} class="jump-under" />
            <path d={d} class="jump-line" stroke={colour} marker-end="url(#tip)" />
            {text && (
              <g transform={`translate(${tag.x} ${tag.y})`}>
                <rect x="-.27" y="-.14" width=".54" height=".28" rx=".14" class="jump-tag" />
                <text class="jump-text" text-anchor="middle" dominant-baseline="central" font-size=".21">
                  {text}
                </text>
              </g>
            )}
          </g>
        );
      })}
    </g>
  );
}

function arrowsOf(
  preview: Pick<Preview, "events">,
  place: (tile: TileLabel) => Point,
  board: BoardModel,
  layout: Layout,
): Arrow[] {
  const turned = new Map<TileLabel, Quarter>();
  for (const event of preview.events) {
    if (event.type === "placed") turned.set(event.tile, event.b);
    if (event.type === "premoved") turned.set(event.tile, event.to);
    if (event.type === "turned") for (const gear of event.gears) turned.set(gear.tile, gear.to);
  }
  const b = (tile: TileLabel) => turned.get(tile) ?? board.tiles.get(tile)?.gear?.b ?? 0;
  const seat = (tile: TileLabel, base: number) => polar(place(tile), SEAT, angleOf(b(tile) + base));
  const arrows: Arrow[] = [];
  for (const event of preview.events) {
    if (event.type !== "entered" && event.type !== "jumped" && event.type !== "escaped") continue;
    const mouse = board.mice.get(event.mouse);
    const owner = mouse?.owner ?? null;
    if (event.type === "entered") {
      const from = waitingPlace(layout, mouse);
      arrows.push({ key: `in-${event.mouse}`, from, to: seat(event.tile, event.base), owner, text: "", ride: "" });
      continue;
    }
    const from = seat(event.from.tile, event.from.base);
    const ride = rideOf(mouse, event.from.tile, place(event.from.tile), b(event.from.tile) + event.from.base);
    if (event.type === "jumped") {
      const text = owner === null ? "" : signed(event.points);
      arrows.push({ key: `jump-${event.mouse}`, from, to: seat(event.to.tile, event.to.base), owner, text, ride });
    } else {
      const way = stepOf(owner ? FORWARD[owner] : 0);
      const to = { x: from.x + way.x * 0.85, y: from.y + way.y * 0.85 };
      arrows.push({ key: `out-${event.mouse}`, from, to, owner, text: signed(event.points), ride });
    }
  }
  return arrows;
}

/** The arc on which a mouse is carried from its facing to `facing`; empty for one that was not on this gear before. */
function rideOf(mouse: MouseState | undefined, tile: TileLabel, centre: Point, facing: number): string {
  if (mouse?.facing == null || mouse.pos !== tile || ((facing - mouse.facing) & 3) === 0) return "";
  const start = polar(centre, SEAT, angleOf(mouse.facing));
  const end = polar(centre, SEAT, angleOf(facing));
  const clockwise = ((facing - mouse.facing) & 3) === 3 ? 1 : 0;
  return `M${start.x} ${start.y}A${SEAT} ${SEAT} 0 0 ${clockwise} ${end.x} ${end.y}`;
}

function waitingPlace(layout: Layout, mouse: MouseState | undefined): Point {
  return placeOf(layout, mouse?.x ?? 0, mouse?.y ?? 0);
}
