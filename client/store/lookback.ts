/** Looking back in a match while it goes on: which turn is shown, and what the board has to draw for it. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { NativeState } from "../../shared/protocol/state.ts";
import { boardModel } from "../board/model.ts";
import type { BoardFeed } from "../board/view.ts";
import type { Session } from "./session.ts";
import { type Frame, isWhole } from "./timeline.ts";

export interface Lookback {
  /** The turn counter looked at; null: the match as it is now. */
  readonly at: ReadonlySignal<number | null>;
  /** The frame looked at; null when live. */
  readonly frame: ReadonlySignal<Frame | null>;
  /** What is to be shown: the state at `at`, or as it is now. */
  readonly shown: ReadonlySignal<NativeState | null>;
  /** Why an earlier turn could not be had. */
  readonly problem: ReadonlySignal<string | null>;
  readonly feed: BoardFeed;
  /** Shows that turn; the newest one, or null, is the match as it is now. */
  go(turn: number | null): Promise<void>;
  step(by: number): Promise<void>;
  close(): void;
}

export function openLookback(session: Session): Lookback {
  const at = signal<number | null>(null);
  const problem = signal<string | null>(null);
  const frame = computed(() => (at.value === null ? null : (session.frames.value.get(at.value) ?? null)));
  const shown = computed(() => frame.value?.state ?? session.state.value);
  const listeners = new Set<Parameters<BoardFeed["onChange"]>[0]>();
  let wanted = 0;

  const unbind = session.onChange(({ before, after, message }) => {
    // What arrives while somebody looks back throws nobody out: the live board is caught up with on return.
    if (at.value !== null) return;
    const events = before === null || message === null ? null : message.events;
    if (events?.length !== 0) for (const listener of listeners) listener(boardModel(after), events);
  });

  function show(turn: number | null): void {
    const from = at.value ?? session.state.value?.meta.turn ?? 0;
    at.value = turn;
    const state = shown.value;
    if (state === null) return;
    const to = state.meta.turn;
    const events = to === from + 1 ? (session.frames.value.get(to)?.events ?? null) : null;
    for (const listener of listeners) listener(boardModel(state), events);
  }

  async function go(turn: number | null): Promise<void> {
    const now = session.state.value?.meta.turn ?? 0;
    const goal = turn === null || turn >= now ? null : Math.max(0, turn);
    if (goal === at.value) return;
    const call = ++wanted;
    if (goal !== null && lacks(session, goal)) {
      const asked = session.recall().catch((error: unknown) => {
        problem.value = error instanceof Error ? error.message : String(error);
      });
      // Reasoning may come after the board.
      if (!isWhole(session.frames.value, now)) await asked;
      if (call !== wanted) return;
    }
    if (goal !== null && !session.frames.value.has(goal)) return;
    problem.value = null;
    show(goal);
  }

  return {
    at,
    frame,
    shown,
    problem,
    feed: {
      current: () => (shown.value === null ? null : boardModel(shown.value)),
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    go,
    step: (by) => go((at.value ?? session.state.value?.meta.turn ?? 0) + by),
    close() {
      unbind();
      listeners.clear();
    },
  };
}

/** Whether the record can tell something of `turn` that this page does not know. */
function lacks(session: Session, turn: number): boolean {
  const [state, frames, seat] = [session.state.value, session.frames.value, session.seat.value];
  if (state === null) return false;
  if (!isWhole(frames, state.meta.turn)) return true;
  if (state.meta.phase === "over") return !session.told.value;
  // Before the end only one's own is told (PROTOCOL 3), and people give none.
  const frame = frames.get(turn);
  const own = seat !== null && frame?.player === seat && state.status.players[seat]?.kind === "ai";
  return own && frame.reasoning === null;
}
