/** The Redis of the tests and benchmarks: Debian's server, installed when it is missing and we may. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, runs } from "./debian.ts";
import { freePort } from "./ports.ts";

export const REDIS_SERVER = process.env.REDIS_SERVER_PATH ?? "redis-server";

export const isRedisThere = () => runs(REDIS_SERVER);

/** Null when redis-server is there (now); else one line that says what to install. */
export function ensureRedis(): string | null {
  return ensureInstalled({
    packageName: "redis-server",
    isThere: isRedisThere,
    advice: `${REDIS_SERVER} is missing: run "apt-get install redis-server", or set REDIS_SERVER_PATH.`,
    chosen: process.env.REDIS_SERVER_PATH,
  });
}

export interface RedisSettings {
  /** "no": nothing outlives the process; the other values are those of `appendfsync`. */
  readonly appendonly?: "no" | "everysec" | "always";
  /** Left out, a folder is made and removed with the server. */
  readonly dir?: string;
}

export interface RunningRedis {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  readonly pid: number;
  /** Ends the process and resolves when it has gone; what it stored stays. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Ends it and removes the folder that was made here. */
  stop(): Promise<void>;
}

/** Starts a server on a free port, bound to loopback. Rejects with what it printed when it ends before it is ready. */
export async function startRedis({ appendonly = "no", dir }: RedisSettings = {}): Promise<RunningRedis> {
  const missing = isRedisThere() ? null : await ensureRedis();
  if (missing !== null) throw new Error(missing);
  const home = dir ?? (await mkdtemp(join(tmpdir(), "gearmice-redis-")));
  const persistence =
    appendonly === "no" ? ["--appendonly", "no"] : ["--appendonly", "yes", "--appendfsync", appendonly];
  const start = (port: number) =>
    launch(["--port", String(port), "--bind", "127.0.0.1", "--dir", home, "--save", "", ...persistence]);

  let port = await freePort();
  let child = await start(port).catch(async (error: Error) => {
    // Somebody else was quicker to take the port.
    if (!error.message.includes("Address already in use")) throw error;
    port = await freePort();
    return start(port);
  });
  const kill = async (signal: NodeJS.Signals = "SIGKILL") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir: home,
    get pid() {
      return child.pid as number;
    },
    kill,
    async restart() {
      await kill();
      child = await start(port);
    },
    async stop() {
      await kill();
      if (dir === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

function launch(args: readonly string[]): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(REDIS_SERVER, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Ready to accept connections")) resolve(child);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}:\n${output}`)));
  });
}
