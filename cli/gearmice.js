#!/usr/bin/env node
// Starts the command with a Node that runs TypeScript as it is (>= 22.18): the running one, or the one that was
// installed beside the package, on machines whose own Node is older (DESIGN 5). Plain JavaScript for that reason.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  // Compiling takes half of a start, and a start after a crash is time in which nobody plays. Beside the package, not in
  // the folder for everybody's temporary files: nobody else shall leave code there. Without the right to write it is off.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/gearmice", import.meta.url)));
  await import("./main.ts");
} else {
  const node = nodeBeside(dirname(fileURLToPath(import.meta.url)));
  if (node === null || process.env.GEARMICE_REEXEC) {
    process.stderr.write(`gearmice needs Node 22.18 or newer; this is ${process.versions.node}\n`);
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, GEARMICE_REEXEC: "1" },
  });
  // A terminal signals the child itself; a service manager signals this process alone.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`gearmice: cannot run ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 15)));
}

/** The `node` of the nearest node_modules/.bin at or above `from`; null when there is none. */
function nodeBeside(from) {
  for (let at = from; ; at = dirname(at)) {
    const node = join(at, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
    if (existsSync(node)) return node;
    if (dirname(at) === at) return null;
  }
}
