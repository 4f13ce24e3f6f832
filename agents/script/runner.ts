/** How a script is run: by what its name says, else as a program of its own. */
import { extname, resolve } from "node:path";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** `.ts`, `.js`, `.mjs`, `.cjs`: this Node; `.py`: python3; anything else is executed. */
export function programOf(file: string): Program {
  const path = resolve(file);
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
