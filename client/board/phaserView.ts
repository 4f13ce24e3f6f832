/** The one Phaser.Game of a page's life (DESIGN, traps), lent to one match screen after the other. */
import * as Phaser from "phaser";
import { BoardScene } from "./scene.ts";
import type { BoardView, BoardViewOptions } from "./view.ts";

/** A context that has not come back by then does not come back. */
const GIVEN_UP_MS = 5_000;

let game: Phaser.Game | null = null;
let ready: Promise<BoardScene> | null = null;

/** Resolves when the picture can be drawn; rejects where there is no WebGL. */
export async function phaserView(options: BoardViewOptions): Promise<BoardView> {
  ready ??= boot();
  const scene = await ready;
  if (game === null) throw new Error("no game");
  const canvas = game.canvas;
  canvas.setAttribute("aria-hidden", "true");
  canvas.className = "board-canvas";
  options.host.append(canvas);
  scene.open(options);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const lost = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => options.onLost?.(), GIVEN_UP_MS);
  };
  const back = () => clearTimeout(waiting);
  canvas.addEventListener("webglcontextlost", lost);
  canvas.addEventListener("webglcontextrestored", back);
  return {
    show: (board) => scene.show(board),
    play: (events, after) => scene.play(events, after),
    lean: (gears) => scene.lean(gears),
    resize: (width) => scene.resize(width),
    setTheme: (theme) => scene.setTheme(theme),
    destroy() {
      clearTimeout(waiting);
      canvas.removeEventListener("webglcontextlost", lost);
      canvas.removeEventListener("webglcontextrestored", back);
      scene.close();
      canvas.remove();
    },
  };
}

function boot(): Promise<BoardScene> {
  return new Promise((resolve, reject) => {
    const scene = new BoardScene(() => resolve(scene));
    try {
      game = new Phaser.Game({
        type: Phaser.WEBGL,
        width: 16,
        height: 16,
        // The canvas is put where it is needed and sized by us: Phaser knows nothing of devicePixelRatio.
        scale: { mode: Phaser.Scale.NONE },
        // A detached host; keys, pointers and sound are not Phaser's business here.
        parent: document.createElement("div"),
        input: { keyboard: false, mouse: false, touch: false, gamepad: false },
        audio: { noAudio: true },
        banner: false,
        transparent: true,
        autoFocus: false,
        disablePreFX: true,
        render: {
          antialias: true,
          // Every edge lies within a picture's own transparency: samples within a pixel would show nothing more.
          antialiasGL: false,
          // Quads in one buffer, which is sent anew each frame; and no pixel has to ask which texture it is from.
          batchSize: 1_024,
          maxTextures: 1,
          powerPreference: "low-power",
        },
        scene: [scene],
      } as Phaser.Types.Core.GameConfig);
    } catch (error) {
      reject(error);
    }
  });
}
