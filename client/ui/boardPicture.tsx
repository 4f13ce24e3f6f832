import { useEffect, useRef } from "preact/hooks";
import { drawFlat } from "../board/flat.ts";
import type { BoardModel } from "../board/model.ts";
import { theme } from "../store/theme.ts";

/** A still board `width` CSS pixels wide, drawn only once it comes into view. */
export function BoardPicture({ board, width, label }: { board: BoardModel; width: number; label: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const dark = theme.value;
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const draw = () => {
      drawFlat(canvas, board, width, dark);
      canvas.dataset.drawn = "true";
    };
    if (typeof IntersectionObserver === "undefined") {
      draw();
      return;
    }
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seen.disconnect();
        draw();
      },
      { rootMargin: "600px" },
    );
    seen.observe(canvas);
    return () => seen.disconnect();
  }, [board, width, dark]);
  const named = label === "" ? { "aria-hidden": true as const } : { role: "img" as const, "aria-label": label };
  return <canvas ref={ref} class="board-picture" {...named} style={{ width: `${width}px` }} />;
}
