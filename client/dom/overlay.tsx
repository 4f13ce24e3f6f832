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

interface OverlayProps {
  board: BoardModel;
  layout: Layout;
  ghost: Ghost | null;
  /** A gear that is to be set first. */
  premove: { tile: TileLabel; b: Quarter } | null;
  preview: Preview | null;
}

export function Overlay({ board, layout, ghost, premove, preview }: OverlayProps) {
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
function Turns({ preview, place }: { preview: Preview; place: (tile: TileLabel) => Point }) {
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
  preview: Preview;
  place: (tile: TileLabel) => Point;
  board: BoardModel;
  layout: Layout;
}

/** Arrows from where each mouse is after the turn to where it goes, with the points. */
function Jumps({ preview, place, board, layout }: JumpsProps) {
  const turned = new Map<TileLabel, Quarter>();
  for (const event of preview.events) {
    if (event.type === "placed") turned.set(event.tile, event.b);
    if (event.type === "premoved") turned.set(event.tile, event.to);
    if (event.type === "turned") for (const gear of event.gears) turned.set(gear.tile, gear.to);
  }
  const b = (tile: TileLabel) => turned.get(tile) ?? board.tiles.get(tile)?.gear?.b ?? 0;
  const seat = (tile: TileLabel, base: number) => polar(place(tile), SEAT, angleOf(b(tile) + base));
  const arrows: { key: string; from: Point; to: Point; owner: PlayerId | null; text: string }[] = [];
  for (const event of preview.events) {
    if (event.type !== "entered" && event.type !== "jumped" && event.type !== "escaped") continue;
    const mouse = board.mice.get(event.mouse);
    const owner = mouse?.owner ?? null;
    if (event.type === "entered") {
      arrows.push({
        key: `in-${event.mouse}`,
        from: waitingPlace(layout, mouse),
        to: seat(event.tile, event.base),
        owner,
        text: "",
      });
    } else if (event.type === "jumped") {
      arrows.push({
        key: `jump-${event.mouse}`,
        from: seat(event.from.tile, event.from.base),
        to: seat(event.to.tile, event.to.base),
        owner,
        text: owner === null ? "" : signed(event.points),
      });
    } else {
      const from = seat(event.from.tile, event.from.base);
      const way = stepOf(owner ? FORWARD[owner] : 0);
      arrows.push({
        key: `out-${event.mouse}`,
        from,
        to: { x: from.x + way.x * 0.85, y: from.y + way.y * 0.85 },
        owner,
        text: signed(event.points),
      });
    }
  }
  return (
    <g class="jumps">
      {arrows.map(({ key, from, to, owner, text }) => {
        const colour = owner ? PLAYER_COLOURS[owner] : "#48e7be";
        const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
        const mid = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
        return (
          <g key={key} data-arrow={key}>
            <circle cx={from.x} cy={from.y} r=".1" fill={colour} class="jump-dot" />
            <path d={d} class="jump-under" />
            <path d={d} class="jump-line" stroke={colour} marker-end="url(#tip)" />
            {text && (
              <g transform={`translate(${mid.x + 0.24} ${mid.y})`}>
                <rect x="-.21" y="-.13" width=".42" height=".26" rx=".13" class="jump-tag" />
                <text class="jump-text" text-anchor="middle" dominant-baseline="central" font-size=".2">
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

function waitingPlace(layout: Layout, mouse: MouseState | undefined): Point {
  return placeOf(layout, mouse?.x ?? 0, mouse?.y ?? 0);
}
