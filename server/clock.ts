/** The real clock. */
import type { Clock } from "../rooms/ports.ts";

/** setTimeout counts in 31 bits. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, then) {
    // A clock that waits must not keep a process alive that has nothing else to do.
    const timer = setTimeout(then, Math.min(ms, LONGEST_MS)).unref();
    return () => clearTimeout(timer);
  },
};
