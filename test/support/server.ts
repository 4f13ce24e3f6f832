/** A real server process on a free port with a data folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly dataDir: string;
  readonly child: ChildProcess;
  /** What the process printed so far, both streams. */
  output(): string;
  /** Stops it and resolves when it has gone; the data folder stays unless it was made here. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const ADDRESS = /https?:\/\/[\w.:[\]-]+:(\d+)/;

/**
 * Starts `gearmice serve`. Rejects with its output when it exits before it has named its address.
 * A `dataDir` that is given is kept, so that a second process can be started on it.
 */
export async function startServerProcess(
  env: Readonly<Record<string, string>> = {},
  dataDir?: string,
): Promise<RunningServer> {
  const dir = dataDir ?? (await mkdtemp(join(tmpdir(), "gearmice-data-")));
  const child = spawn(process.execPath, ["cli/gearmice.js", "serve"], {
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", DATA_DIR: dir, SHOWCASE: "off", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let output = "";
  const port = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = ADDRESS.exec(output);
      if (found?.[1]) resolve(found[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir: dir,
    child,
    output: () => output,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
      if (dataDir === undefined) await rm(dir, { recursive: true, force: true });
    },
  };
}
