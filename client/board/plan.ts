/**
 * When each event of a turn is shown, in the order of R5, all of it in under a second. Pure: the events in, clips out;
 * the scene plays them.
 */
import type { MatchEvent } from "../../shared/engine/types.ts";

/** A turn takes at most this long on screen. */
export const MAX_TURN_MS = 950;

export interface Clip {
  /** Milliseconds from the start of the turn. */
  readonly at: number;
  readonly ms: number;
  readonly event: MatchEvent;
}

export interface Plan {
  readonly clips: readonly Clip[];
  readonly totalMs: number;
}

/** Milliseconds that a group of like events takes; 0: nothing to see. */
const MS: Readonly<Record<MatchEvent["type"], number>> = {
  started: 0,
  placed: 150,
  premoved: 190,
  turned: 300,
  entered: 180,
  jumped: 230,
  escaped: 260,
  entropy: 360,
  orb: 260,
  locked: 0,
  refused: 0,
  turn_lost: 0,
  out: 0,
  over: 0,
};

/** Events of one group run side by side, each a little after the one before. */
const STAGGER_MS = 28;
const MAX_STAGGER_MS = 140;

const groupOf = (event: MatchEvent): string =>
  event.type === "jumped" || event.type === "escaped" ? "jumps" : event.type;

/** Plans the clips of one turn. `speed` 2 shows it in half the time, for spectators who lag behind. */
export function planTurn(events: readonly MatchEvent[], speed = 1): Plan {
  const clips: Clip[] = [];
  let clock = 0;
  let i = 0;
  while (i < events.length) {
    const first = events[i] as MatchEvent;
    const group: MatchEvent[] = [];
    while (i < events.length && groupOf(events[i] as MatchEvent) === groupOf(first))
      group.push(events[i++] as MatchEvent);
    const stagger = group.length < 2 ? 0 : Math.min(STAGGER_MS, MAX_STAGGER_MS / (group.length - 1));
    let end = clock;
    group.forEach((event, n) => {
      const ms = MS[event.type];
      const at = clock + n * stagger * (ms > 0 ? 1 : 0);
      clips.push({ at, ms, event });
      end = Math.max(end, at + ms);
    });
    clock = end;
  }
  const scale = Math.min(1, MAX_TURN_MS / Math.max(1, clock)) / speed;
  return {
    clips: clips.map((c) => ({ ...c, at: c.at * scale, ms: c.ms * scale })),
    totalMs: Math.min(clock * scale, MAX_TURN_MS),
  };
}

/** How far along a clip is at `ms` from the start of the turn: 0 before, 1 after. */
export function progress(clip: Clip, ms: number): number {
  // A hair's breadth before the end is the end: the times are sums and products of fractions.
  if (ms >= clip.at + clip.ms - 1e-6) return 1;
  return ms <= clip.at ? 0 : (ms - clip.at) / clip.ms;
}

/** Easings over 0..1. */
export const ease = {
  inOut: (t: number): number => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2),
  out: (t: number): number => 1 - (1 - t) ** 3,
  /** A gear that stops against its neighbours: a touch too far and back. */
  settle: (t: number): number => {
    const c = 1.2;
    return 1 + (c + 1) * (t - 1) ** 3 + c * (t - 1) ** 2;
  },
};
