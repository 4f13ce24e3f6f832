import { defineConfig } from "vite";

const server = "http://localhost:2567";

export default defineConfig({
  root: "client",
  publicDir: "../public",
  build: {
    outDir: "../dist/client",
    emptyOutDir: true,
    target: "es2023",
    // Phaser is one chunk of its own, loaded by the match screen alone.
    chunkSizeWarningLimit: 1_600,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: {
    proxy: {
      "/api": server,
      "/matchmake": server,
      // The socket of a room: /<process>/<code>. Pages under /room/ are the app's.
      "^/(?!room/|assets/)[\\w-]+/IXENT-": { target: server, ws: true },
    },
  },
});
