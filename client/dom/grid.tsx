/**
 * The board as a real grid of the page, lying over the picture: it takes every tap and key, it is what a screen reader
 * reads, and it shows what is chosen and what may be chosen. One tab stop; arrows move within.
 */
import { useMemo, useRef, useState } from "preact/hooks";
import type { PlayerId, TileLabel } from "../../shared/engine/types.ts";
import type { Layout } from "../board/layout.ts";
import { type BoardModel, tileLabel } from "../board/model.ts";
import { same } from "../ui/same.ts";
import { describeTile } from "./describe.ts";

export interface GridProps {
  board: BoardModel;
  layout: Layout;
  me: PlayerId | null;
  /** Tiles that may be chosen now. */
  legal: ReadonlySet<TileLabel>;
  chosen: TileLabel | null;
  premove: TileLabel | null;
  onPick: (tile: TileLabel) => void;
  onHover: (tile: TileLabel | null) => void;
  /** Keys other than the arrows; true when the key was used. */
  onKey: (key: string, tile: TileLabel) => boolean;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export function BoardGrid(props: GridProps) {
  const { board, layout, me, legal, chosen, premove } = props;
  const [at, setAt] = useState<{ x: number; y: number }>({ x: 1, y: 1 });
  const grid = useRef<HTMLDivElement>(null);
  const percent = (tiles: number, of: number) => `${(100 * tiles) / of}%`;

  const focus = (x: number, y: number) => {
    setAt({ x, y });
    grid.current?.querySelector<HTMLElement>(`[data-tile="${tileLabel(x, y)}"]`)?.focus();
  };

  const keyDown = (event: KeyboardEvent, tile: TileLabel) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      focus(Math.min(board.width, Math.max(1, at.x + arrow[0])), Math.min(board.height, Math.max(1, at.y + arrow[1])));
    } else if (event.key === "Home") focus(1, at.y);
    else if (event.key === "End") focus(board.width, at.y);
    else if (event.key === " " || event.key === "Enter") {
      if (!(event.key === "Enter" && props.onKey("Enter", tile))) props.onPick(tile);
    } else if (!props.onKey(event.key, tile)) return;
    event.preventDefault();
  };

  // The cells hold on to this one object, whose answers are those of the newest drawing.
  const now = useRef<CellHandlers>(null as unknown as CellHandlers);
  now.current = { pick: props.onPick, hover: props.onHover, at: (x, y) => setAt({ x, y }), keyDown };
  const on = useMemo<CellHandlers>(
    () => ({
      pick: (tile) => now.current.pick(tile),
      hover: (tile) => now.current.hover(tile),
      at: (x, y) => now.current.at(x, y),
      keyDown: (event, tile) => now.current.keyDown(event, tile),
    }),
    [],
  );
  const words = useMemo(() => {
    const all = new Map<TileLabel, string>();
    for (const tile of board.tiles.values()) all.set(tile.label, describeTile(tile, board, me));
    return all;
  }, [board, me]);

  const rows = [];
  for (let y = board.height; y >= 1; y--) {
    const cells = [];
    for (let x = 1; x <= board.width; x++) {
      const label = tileLabel(x, y);
      const tile = board.tiles.get(label);
      if (!tile) continue;
      cells.push(
        <Cell
          key={label}
          label={label}
          x={x}
          y={y}
          legal={legal.has(label)}
          chosen={chosen === label}
          premove={premove === label}
          focusable={at.x === x && at.y === y}
          gear={tile.gear?.type ?? ""}
          b={tile.gear ? String(tile.gear.b) : ""}
          owner={tile.gear?.owner ?? ""}
          words={words.get(label) ?? label}
          on={on}
        />,
      );
    }
    rows.push(
      // biome-ignore lint/a11y/useSemanticElements: an ARIA grid over a picture, not a table.
      <div key={y} role="row" tabIndex={-1} class="grid-row">
        {cells}
      </div>,
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div
      ref={grid}
      role="grid"
      class="board-grid"
      aria-label={`Board, ${board.width} by ${board.height}`}
      aria-rowcount={board.height}
      aria-colcount={board.width}
      style={{
        left: percent(layout.left, layout.totalWidth),
        top: percent(layout.top, layout.totalHeight),
        width: percent(layout.width, layout.totalWidth),
        height: percent(layout.height, layout.totalHeight),
      }}
    >
      {rows}
    </div>
  );
}

interface CellHandlers {
  pick(tile: TileLabel): void;
  hover(tile: TileLabel | null): void;
  at(x: number, y: number): void;
  keyDown(event: KeyboardEvent, tile: TileLabel): void;
}

interface CellProps {
  label: TileLabel;
  x: number;
  y: number;
  legal: boolean;
  chosen: boolean;
  premove: boolean;
  /** The one tab stop of the grid. */
  focusable: boolean;
  gear: string;
  b: string;
  owner: string;
  words: string;
  on: CellHandlers;
}

const Cell = same(({ label, x, y, legal, chosen, premove, focusable, gear, b, owner, words, on }: CellProps) => {
  const classes = ["cell", legal && "legal", chosen && "chosen", premove && "premove"].filter(Boolean).join(" ");
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div
      role="gridcell"
      class={classes}
      tabIndex={focusable ? 0 : -1}
      data-tile={label}
      data-legal={legal ? "true" : "false"}
      data-gear={gear}
      data-b={b}
      data-owner={owner}
      aria-label={words}
      aria-selected={chosen || premove}
      aria-disabled={!legal}
      onClick={() => {
        on.at(x, y);
        on.pick(label);
      }}
      onPointerEnter={(event) => event.pointerType === "mouse" && on.hover(label)}
      onPointerLeave={() => on.hover(null)}
      onFocus={() => on.at(x, y)}
      onKeyDown={(event) => on.keyDown(event, label)}
    />
  );
});
