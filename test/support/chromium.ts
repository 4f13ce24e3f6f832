/** The Chromium of the end-to-end tests: Debian's, installed when it is missing and we may. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** WebGL by software; no calls home. */
export const CHROMIUM_ARGS: readonly string[] = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Null when Chromium is there (now); else one line that says what to install. */
export async function ensureChromium(): Promise<string | null> {
  if (existsSync(CHROMIUM)) return null;
  const advice = `Chromium is missing at ${CHROMIUM}: run "apt-get install chromium", or set CHROMIUM_PATH.`;
  if (process.env.CHROMIUM_PATH !== undefined || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    return advice;
  }
  console.log("installing Debian's chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const done = spawnSync("apt-get", ["-qq", ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
    if (done.status !== 0) return advice;
  }
  return existsSync(CHROMIUM) ? null : advice;
}
