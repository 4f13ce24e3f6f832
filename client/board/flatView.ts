import type { MatchEvent } from "../../shared/engine/types.ts";
import { drawFlat, type FlatPicture } from "./flat.ts";
import { planTurn } from "./plan.ts";
import { poseAt } from "./pose.ts";
import type { BoardView, BoardViewOptions } from "./view.ts";

/** When drawing one frame takes longer than this, the turn is shown as its result: its frames would come late. */
const SLOW_FRAME_MS = 40;
/** The first frame draws what the others then only put in place. */
const WARM_FRAMES = 2;

/** The plain board: for browsers without WebGL, and for small boards of which there are several on one page. */
export function flatView(options: BoardViewOptions): BoardView {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.className = "board-canvas";
  options.host.append(canvas);
  let { board, cssWidth, theme } = options;
  let frame = 0;
  let picture: FlatPicture = drawFlat(canvas, board, cssWidth, theme);
  const draw = () => {
    cancelAnimationFrame(frame);
    if (frame !== 0) options.onBusy(false);
    frame = 0;
    picture = drawFlat(canvas, board, cssWidth, theme);
  };

  function animate(events: readonly MatchEvent[], after: typeof board): void {
    const plan = planTurn(events);
    const before = board;
    const begun = new Set<MatchEvent>();
    const start = performance.now();
    let drawn = 0;
    let tooSlow = false;
    board = after;
    options.onBusy(true);
    const step = (now: number) => {
      const ms = now - start;
      for (const clip of plan.clips) {
        if (ms < clip.at || begun.has(clip.event)) continue;
        begun.add(clip.event);
        options.onEvent(clip.event);
      }
      if (ms >= plan.totalMs || tooSlow) {
        for (const { event } of plan.clips) if (!begun.has(event)) options.onEvent(event);
        draw();
        return;
      }
      const from = performance.now();
      picture.pose(poseAt(before, picture.layout, plan, ms));
      tooSlow = ++drawn > WARM_FRAMES && performance.now() - from > SLOW_FRAME_MS;
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }

  return {
    show(next) {
      board = next;
      draw();
    },
    play(events, after) {
      if (frame !== 0) draw();
      if (options.reducedMotion() || document.hidden) {
        for (const event of events) options.onEvent(event);
        board = after;
        draw();
      } else animate(events, after);
    },
    lean() {},
    resize(width) {
      if (width === cssWidth) return;
      cssWidth = width;
      draw();
    },
    setTheme(next) {
      if (next === theme) return;
      theme = next;
      draw();
    },
    destroy() {
      cancelAnimationFrame(frame);
      canvas.remove();
    },
  };
}
