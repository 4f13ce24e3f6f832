/** The course of a match as numbers by turn: what the charts and their table show. */
import type { PlayerId } from "../../shared/engine/types.ts";
import type { Frames } from "./timeline.ts";

export interface Course {
  readonly players: readonly PlayerId[];
  /** Turn counters in order, from 0. */
  readonly turns: readonly number[];
  /** By player, in the order of `players`; as long as `turns`. */
  readonly scores: readonly (readonly number[])[];
  readonly rescued: readonly (readonly number[])[];
}

/** The numbers of every turn for which there is a frame. */
export function courseOf(frames: Frames, players: readonly PlayerId[]): Course {
  const turns = [...frames.keys()].sort((a, b) => a - b);
  const states = turns.flatMap((turn) => frames.get(turn)?.state ?? []);
  return {
    players,
    turns,
    scores: players.map((p) => states.map((s) => s.scoring.scores[p] ?? 0)),
    rescued: players.map((p) => states.map((s) => s.status.mice_rescued[p] ?? 0)),
  };
}
