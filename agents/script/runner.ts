/** How a script is run, and how it is ended with everything that it has started. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { extname, resolve } from "node:path";

const running = new Set<ChildProcessWithoutNullStreams>();
process.once("exit", () => running.forEach(endProgram));

/** `.ts`, `.js`, `.mjs`, `.cjs`: this Node; `.py`: python3; anything else is executed. */
export function startProgram(file: string): ChildProcessWithoutNullStreams {
  const { command, args } = programOf(resolve(file));
  // A group of its own, so that what it starts ends with it.
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], detached: process.platform !== "win32" });
  running.add(child);
  child.once("close", () => running.delete(child));
  child.once("error", () => running.delete(child));
  // A program that does not read is judged by what it answers.
  child.stdin.on("error", () => {});
  return child;
}

/** Nothing more is heard of it. */
export function endProgram(child: ChildProcessWithoutNullStreams): void {
  running.delete(child);
  child.stdout.destroy();
  child.stderr.destroy();
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function programOf(path: string): { readonly command: string; readonly args: readonly string[] } {
  switch (extname(path).toLowerCase()) {
    case ".ts":
    case ".mts":
    case ".js":
    case ".mjs":
    case ".cjs":
      return { command: process.execPath, args: [path] };
    case ".py":
      return { command: process.platform === "win32" ? "python" : "python3", args: ["-u", path] };
    default:
      return { command: path, args: [] };
  }
}
