/** The board of the match screen: a picture (Phaser, or plain where that is not to be had), overlay and grid. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MatchEvent, Quarter, TileLabel } from "../../shared/engine/types.ts";
import { type Layout, layoutOf } from "../board/layout.ts";
import type { BoardModel } from "../board/model.ts";
import type { BoardFeed, BoardView } from "../board/view.ts";
import type { Preview } from "../store/preview.ts";
import { theme } from "../store/theme.ts";
import { BoardGrid, type GridProps } from "./grid.tsx";
import { type Ghost, Overlay, type Trace } from "./overlay.tsx";

interface BoardProps extends Pick<GridProps, "me" | "legal" | "chosen" | "premove" | "onPick" | "onHover" | "onKey"> {
  feed: BoardFeed;
  board: BoardModel;
  ghost: Ghost | null;
  premoveTo: { tile: TileLabel; b: Quarter } | null;
  preview: Preview | null;
  /** A turn already played that is to be seen as arrows. */
  trace?: Trace | null;
  /** Draw it plainly even where there is WebGL: there is one Phaser board a page. */
  plain?: boolean;
  /** At most so many CSS pixels wide, however high its place is. */
  maxWidth?: number;
  onBusy: (busy: boolean) => void;
  onEvent: (event: MatchEvent) => void;
}

export function Board(props: BoardProps) {
  const { feed, board, preview } = props;
  const layout = useMemo(
    () => layoutOf(board.width, board.height, board.players),
    [board.width, board.height, board.players.length],
  );
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<BoardView | null>(null);
  const [width, setWidth] = useState(0);
  const [drawn, setDrawn] = useState<"" | "webgl" | "flat">("");
  const handlers = useRef(props);
  handlers.current = props;

  // The board is as wide as its place allows; the picture follows.
  useEffect(() => {
    const place = frame.current;
    if (!place) return;
    const measure = () =>
      setWidth(props.maxWidth ? Math.min(props.maxWidth, place.clientWidth) : widthThatFits(place, layout));
    const watch = new ResizeObserver(measure);
    watch.observe(place);
    measure();
    return () => watch.disconnect();
  }, [layout]);

  const sized = width > 0;
  useEffect(() => {
    const element = host.current;
    if (!element || !sized) return;
    let gone = false;
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    const options = {
      host: element,
      board: feed.current() ?? board,
      cssWidth: width,
      theme: theme.value,
      reducedMotion: () => still.matches,
      onBusy: (busy: boolean) => handlers.current.onBusy(busy),
      onEvent: (event: MatchEvent) => handlers.current.onEvent(event),
      onLost: () => {
        webgl = false;
        view.current?.destroy();
        view.current = null;
        make();
      },
    };
    const make = () =>
      void makeView(options, props.plain ?? false).then(([made, kind]) => {
        if (gone) {
          made.destroy();
          return;
        }
        view.current = made;
        const now = feed.current();
        if (now) made.show(now);
        setDrawn(kind);
      });
    make();
    const unbind = feed.onChange((after, events) => {
      if (events === null) view.current?.show(after);
      else view.current?.play(events, after);
    });
    return () => {
      gone = true;
      unbind();
      view.current?.destroy();
      view.current = null;
    };
  }, [feed, sized, layout]);

  useEffect(() => {
    if (width > 0) view.current?.resize(width);
  }, [width]);
  const dark = theme.value;
  useEffect(() => view.current?.setTheme(dark), [dark]);
  useEffect(() => view.current?.lean(leanOf(preview)), [preview]);

  return (
    <div class="board-place" ref={frame}>
      <div
        class="board"
        data-drawn={drawn}
        style={{ width: `${width}px`, height: `${(width * layout.totalHeight) / layout.totalWidth}px` }}
      >
        <div class="board-host" ref={host} />
        <Overlay
          board={board}
          layout={layout}
          ghost={props.ghost}
          premove={props.premoveTo}
          preview={preview}
          trace={props.trace ?? null}
        />
        <BoardGrid {...props} layout={layout} />
      </div>
    </div>
  );
}

type Options = Parameters<typeof import("../board/phaserView.ts").phaserView>[0];

async function makeView(options: Options, plain: boolean): Promise<[BoardView, "webgl" | "flat"]> {
  if (!plain && hasWebGL()) {
    try {
      const { phaserView } = await import("../board/phaserView.ts");
      return [await phaserView(options), "webgl"];
    } catch {
      // No context after all, or the chunk did not come: the plain board plays just as well.
    }
  }
  const { flatView } = await import("../board/flatView.ts");
  return [flatView(options), "flat"];
}

let webgl: boolean | null = null;

/** Asked once a page; the context of the question is given back. */
function hasWebGL(): boolean {
  if (webgl === null) {
    try {
      const gl = document.createElement("canvas").getContext("webgl");
      webgl = gl !== null;
      gl?.getExtension("WEBGL_lose_context")?.loseContext();
    } catch {
      webgl = false;
    }
  }
  return webgl;
}

/** As in match.css. */
const SIDEWAYS = "(orientation: landscape) and (max-height: 520px)";

/** Of the window's height, on a phone: the rest is for the panel below. */
const PHONE_SHARE = 0.44;

/** Width in CSS pixels of a board that fits into its place. */
function widthThatFits(place: HTMLElement, layout: Layout): number {
  // On its side a phone has the panels beside the board, which then takes all the height there is.
  const phone = matchMedia("(max-width: 720px)").matches && !matchMedia(SIDEWAYS).matches;
  const height = phone ? innerHeight * PHONE_SHARE : place.clientHeight;
  return Math.floor(Math.min(place.clientWidth, (height * layout.totalWidth) / layout.totalHeight));
}

/** Which gears lean which way while a choice is looked at. */
function leanOf(preview: Preview | null): ReadonlyMap<string, number> {
  const turned = preview?.events.find((e) => e.type === "turned");
  const lean = new Map<string, number>();
  if (turned?.type === "turned") {
    for (const { tile, from, to } of turned.gears) lean.set(tile, ((to - from + 4) & 3) === 1 ? 1 : -1);
  }
  return lean;
}
