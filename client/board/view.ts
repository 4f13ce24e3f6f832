/** What the match screen needs of a board, whoever draws it: Phaser, or a plain canvas where WebGL is missing. */
import type { MatchEvent } from "../../shared/engine/types.ts";
import type { BoardModel } from "./model.ts";
import type { Theme } from "./palette.ts";

export interface BoardView {
  /** Shows a position at once. */
  show(board: BoardModel): void;
  /** Plays the events that lead to `after`, then shows `after`. */
  play(events: readonly MatchEvent[], after: BoardModel): void;
  /** Gears that lean the way they would turn, in quarter turns; empty: none. */
  lean(gears: ReadonlyMap<string, number>): void;
  resize(cssWidth: number): void;
  setTheme(theme: Theme): void;
  /** Takes the picture off the page; the view is not used afterwards. */
  destroy(): void;
}

export interface BoardViewOptions {
  readonly host: HTMLElement;
  readonly board: BoardModel;
  readonly cssWidth: number;
  readonly theme: Theme;
  readonly reducedMotion: () => boolean;
  /** True while something moves. */
  readonly onBusy: (busy: boolean) => void;
  /** The picture is lost for good: whoever shows it draws it otherwise. */
  readonly onLost?: () => void;
  /** Told at the instant at which an event begins to be seen. */
  readonly onEvent: (event: MatchEvent) => void;
}

/** Where a board on the page gets what it shows. */
export interface BoardFeed {
  /** What is to be seen now; null while nothing is known. */
  current(): BoardModel | null;
  /** Told of every change; `events` null: it is shown at once. Returns its unbind. */
  onChange(listener: (after: BoardModel, events: readonly MatchEvent[] | null) => void): () => void;
}
