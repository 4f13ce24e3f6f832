/** The Chromium of the end-to-end tests: Debian's, installed when it is missing and we may. */
import { existsSync } from "node:fs";
import { ensureInstalled } from "./debian.ts";

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
export function ensureChromium(): string | null {
  return ensureInstalled({
    packageName: "chromium",
    isThere: () => existsSync(CHROMIUM),
    advice: `Chromium is missing at ${CHROMIUM}: run "apt-get install chromium", or set CHROMIUM_PATH.`,
    chosen: process.env.CHROMIUM_PATH,
  });
}
