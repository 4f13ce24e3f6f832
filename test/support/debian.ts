/** What tests need of the system, installed from Debian when it is missing and we may. */
import { spawnSync } from "node:child_process";

interface Need {
  readonly packageName: string;
  isThere(): boolean;
  /** One line that says what to do. */
  readonly advice: string;
  /** Somebody has said where it is: then nothing is installed. */
  readonly chosen?: string | undefined;
}

/** Null when it is there (now); else the advice. */
export function ensureInstalled({ packageName, isThere, advice, chosen }: Need): string | null {
  if (isThere()) return null;
  if (chosen !== undefined || process.getuid?.() !== 0 || !runs("apt-get")) return advice;
  console.log(`installing Debian's ${packageName} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", packageName]]) {
    const done = spawnSync("apt-get", ["-qq", ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
    if (done.status !== 0) return advice;
  }
  return isThere() ? null : advice;
}

/** Whether a command of that name is there and knows `--version`. */
export function runs(command: string): boolean {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}

/** What the agents of the tests are run with, beside Node. */
export function ensureRunners(): string | null {
  for (const command of ["python3", "curl"]) {
    const advice = `${command} is missing: run "apt-get install ${command}".`;
    const problem = ensureInstalled({ packageName: command, isThere: () => runs(command), advice });
    if (problem !== null) return problem;
  }
  return null;
}
