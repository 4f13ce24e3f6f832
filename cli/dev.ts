/** `npm run dev`: the server, restarted when its sources change, and Vite's page server in front of it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const children = [
  ["--watch", join(ROOT, "cli", "gearmice.js"), "serve"],
  [join(ROOT, "node_modules", "vite", "bin", "vite.js")],
].map((args) => spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" }));

// One without the other is of no use.
for (const child of children) {
  child.on("exit", (code) => {
    for (const other of children) other.kill();
    process.exitCode = code ?? 0;
  });
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}
