/**
 * The board as a real grid of the page, lying over the picture: it takes every tap and key, it is what a screen reader
 * reads, and it shows what is chosen and what may be chosen. One tab stop; arrows move within.
 */
import { useRef, useState } from "preact/hooks";
import type { PlayerId, TileLabel } from "../../shared/engine/types.ts";
import type { Layout } from "../board/layout.ts";
import { type BoardModel, tileLabel } from "../board/model.ts";
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

  const rows = [];
  for (let y = board.height; y >= 1; y--) {
    const cells = [];
    for (let x = 1; x <= board.width; x++) {
      const label = tileLabel(x, y);
      const tile = board.tiles.get(label);
      if (!tile) continue;
      const classes = ["cell"];
      if (legal.has(label)) classes.push("legal");
      if (chosen === label) classes.push("chosen");
      if (premove === label) classes.push("premove");
      cells.push(
        // biome-ignore lint/a11y/useSemanticElements: an ARIA grid over a picture, not a table.
        <div
          key={label}
          role="gridcell"
          class={classes.join(" ")}
          tabIndex={at.x === x && at.y === y ? 0 : -1}
          data-tile={label}
          data-legal={legal.has(label) ? "true" : "false"}
          data-gear={tile.gear?.type ?? ""}
          data-b={tile.gear ? String(tile.gear.b) : ""}
          data-owner={tile.gear?.owner ?? ""}
          aria-label={describeTile(tile, board, me)}
          aria-selected={chosen === label || premove === label}
          aria-disabled={!legal.has(label)}
          onClick={() => {
            setAt({ x, y });
            props.onPick(label);
          }}
          onPointerEnter={(event) => event.pointerType === "mouse" && props.onHover(label)}
          onPointerLeave={() => props.onHover(null)}
          onFocus={() => setAt({ x, y })}
          onKeyDown={(event) => keyDown(event, label)}
        />,
      );
    }
    rows.push(
      // biome-ignore lint/a11y/useSemanticElements: as above.
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
