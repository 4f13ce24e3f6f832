import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const server = "http://localhost:2567";
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path("client"),
  publicDir: path("public"),
  resolve: {
    alias: [
      // The board uses a tenth of Phaser; the rest would be most of what a match has to load.
      { find: /^phaser$/, replacement: path("client/board/phaser-slim.cjs") },
      { find: /^phaser-src\//, replacement: `${path("node_modules/phaser/src")}/` },
    ],
  },
  // What Phaser's own build defines.
  define: {
    "typeof CANVAS_RENDERER": "false",
    "typeof WEBGL_RENDERER": "true",
    "typeof WEBGL_DEBUG": "false",
    "typeof EXPERIMENTAL": "false",
    "typeof FEATURE_SOUND": "false",
    "typeof PLUGIN_CAMERA3D": "false",
    "typeof PLUGIN_FBINSTANT": "false",
  },
  build: {
    outDir: path("dist/client"),
    emptyOutDir: true,
    target: "es2023",
    chunkSizeWarningLimit: 1_000,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: {
    proxy: {
      // The host stays the page's own: the server takes no calls from pages of other origins.
      "/api": { target: server, changeOrigin: false },
      "/matchmake": { target: server, changeOrigin: false },
      // The socket of a room: /<process>/<code>. Pages under /room/ are the app's.
      "^/(?!room/|assets/)[\\w-]+/IXENT-": { target: server, ws: true },
    },
  },
});
