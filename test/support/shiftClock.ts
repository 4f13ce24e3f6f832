/** The real clock, which can be put forward: what falls due by that runs at once. */
import type { Clock } from "../../rooms/ports.ts";

export interface ShiftClock extends Clock {
  /** Lets `ms` pass. */
  skip(ms: number): void;
}

export function shiftClock(): ShiftClock {
  let shiftMs = 0;
  const timers = new Map<() => void, { readonly at: number; readonly cancel: () => void }>();
  const now = () => performance.now() + shiftMs;
  return {
    wallMs: () => Date.now() + shiftMs,
    monotonicMs: now,
    after(ms, then) {
      const run = () => {
        if (timers.delete(run)) then();
      };
      const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1)).unref();
      timers.set(run, { at: now() + ms, cancel: () => clearTimeout(timer) });
      return () => {
        timers.get(run)?.cancel();
        timers.delete(run);
      };
    },
    skip(ms) {
      const until = now() + ms;
      // In their order, each at its own instant.
      for (;;) {
        const [next] = [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at);
        if (next === undefined) break;
        const [run, { at, cancel }] = next;
        shiftMs += Math.max(0, at - now());
        cancel();
        run();
      }
      shiftMs += Math.max(0, until - now());
    },
  };
}
