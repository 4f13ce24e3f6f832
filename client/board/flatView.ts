import { drawFlat } from "./flat.ts";
import type { BoardView, BoardViewOptions } from "./view.ts";

/** The still board, for browsers without WebGL: every turn is simply its result. */
export function flatView(options: BoardViewOptions): BoardView {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.className = "board-canvas";
  options.host.append(canvas);
  let { board, cssWidth, theme } = options;
  const draw = () => drawFlat(canvas, board, cssWidth, theme);
  draw();
  return {
    show(next) {
      board = next;
      draw();
    },
    play(events, after) {
      for (const event of events) options.onEvent(event);
      board = after;
      draw();
    },
    lean() {},
    resize(width) {
      cssWidth = width;
      draw();
    },
    setTheme(next) {
      theme = next;
      draw();
    },
    destroy: () => canvas.remove(),
  };
}
