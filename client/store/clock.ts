/** Server time: the holder's clock as our own plus an offset, and a tick for those who show it. */
import { signal } from "@preact/signals";

let offsetMs = Number.NEGATIVE_INFINITY;

/** Notes a `server_time_ms`. A message can only be late, so the greatest difference is the best. */
export function noteServerTime(serverTimeMs: number, nowMs: number = Date.now()): void {
  offsetMs = Math.max(offsetMs, serverTimeMs - nowMs);
}

/** Unix milliseconds of the holder's clock. */
export function serverNow(nowMs: number = Date.now()): number {
  return nowMs + (Number.isFinite(offsetMs) ? offsetMs : 0);
}

/** Grows four times a second while somebody watches a clock. */
export const tick = signal(0);
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Starts the tick; returns its unbind. */
export function watchClock(): () => void {
  watchers += 1;
  timer ??= setInterval(() => {
    tick.value += 1;
  }, 250);
  return () => {
    watchers -= 1;
    if (watchers > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The last of the warnings (seconds) that a clock with `ms` left has come to; null: none yet. */
export function warningOf(ms: number): 60 | 30 | 10 | null {
  return ms <= 10_000 ? 10 : ms <= 30_000 ? 30 : ms <= 60_000 ? 60 : null;
}

/** "9:59", "1:02:03"; below ten seconds with tenths. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.ceil(left / 100) / 10).toFixed(1);
  const s = Math.ceil(left / 1000);
  const pad = (n: number) => String(n).padStart(2, "0");
  return s >= 3600
    ? `${Math.floor(s / 3600)}:${pad(Math.floor((s % 3600) / 60))}:${pad(s % 60)}`
    : `${Math.floor(s / 60)}:${pad(s % 60)}`;
}
