/** A disk that takes its time, for one process: strace holds its syncs back. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { ensureInstalled } from "./debian.ts";

/** Whether a process may be traced here: some containers forbid it, and then no disk can be made slow. */
export async function canTrace(): Promise<boolean> {
  const isThere = () => spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;
  const advice = 'strace is missing: run "apt-get install strace"';
  if (ensureInstalled({ packageName: "strace", isThere, advice }) !== null) return false;
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  try {
    await (await slowDisk(child.pid as number, 1)).end();
    return true;
  } catch {
    return false;
  } finally {
    child.kill("SIGKILL");
  }
}

export interface SlowDisk {
  /** Syncs take as long as they take again. */
  end(): Promise<void>;
}

/** From now on every sync of a process's files begins `ms` late. Rejects when the process cannot be traced. */
export async function slowDisk(pid: number, ms: number): Promise<SlowDisk> {
  const inject = `inject=fsync,fdatasync:delay_enter=${ms * 1_000}`;
  const child = spawn("strace", ["-f", "-p", String(pid), "-o", "/dev/null", "-e", inject], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = once(child, "exit");
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes("attached")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`strace cannot trace ${pid}: ${said}`)));
  });
  return {
    async end() {
      // Told in order it would wait out its delays first; killed, it lets go of the process at once.
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await gone;
    },
  };
}
