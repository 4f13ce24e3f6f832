/** `npm start`: builds the web client when it is missing or older than its sources, then serves. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUILT = join(ROOT, "dist", "client", "index.html");
const SOURCES = ["client", "shared", "public", "vite.config.ts", "package-lock.json"];

/** The newest modification time of a file or of anything below a folder, in ms; 0 when there is nothing. */
export function newestMs(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), stat.mtimeMs);
}

/** Whether what was built from `sources` is missing or older than one of them. */
export function isStale(built: string, sources: readonly string[]): boolean {
  const builtMs = newestMs(built);
  return builtMs === 0 || sources.some((source) => newestMs(source) > builtMs);
}

function buildClient(): boolean {
  process.stdout.write("Building the web client (only after its sources changed) ...\n");
  const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
  const built = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: ROOT, stdio: "inherit" });
  return built.status === 0;
}

if (import.meta.main) {
  const stale = isStale(
    BUILT,
    SOURCES.map((name) => join(ROOT, name)),
  );
  if (stale && !buildClient()) {
    process.stderr.write("gearmice: the web client could not be built; see above.\n");
    process.exitCode = 1;
  } else {
    process.argv.splice(2, 0, "serve");
    await import("./main.ts");
  }
}
