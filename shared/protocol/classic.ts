/** The classic dialect of the state (PROTOCOL 3): Solo with plain numbers, as the A2A door speaks it. */
import type { MouseState } from "../engine/index.ts";
import type { NativeState, Scoring, Status } from "./state.ts";

export interface ClassicState {
  readonly meta: NativeState["meta"] & { readonly agent_id: string; readonly available_levels: readonly string[] };
  readonly status: Omit<Status, "mice_rescued" | "completion_percent" | "total_mice_per_player"> & {
    readonly mice_rescued: number;
    readonly total_mice: number;
    /** 0..100 (R10.2). */
    readonly completion_percent: number;
  };
  readonly scoring: Omit<Scoring, "raw_points" | "benchmark_score"> & {
    readonly raw_points: number;
    /** R10.3; 0 until the match is over. */
    readonly benchmark_score: number;
  };
  /** Mice are `M1`, `M2` …; the Orb keeps its name. */
  readonly data: NativeState["data"];
}

/** `state` in the classic dialect. Throws RangeError when it is not a Solo match, which alone has one. */
export function classicState(
  state: NativeState,
  agent: { readonly id: string; readonly levels: readonly number[] },
): ClassicState {
  const { meta, scoring, data } = state;
  if (meta.format !== "solo") throw new RangeError(`the classic dialect is for solo, not ${meta.format}`);
  const { mice_rescued, completion_percent, total_mice_per_player, ...status } = state.status;
  return {
    meta: { ...meta, agent_id: agent.id, available_levels: agent.levels.map(String) },
    status: {
      ...status,
      mice_rescued: mice_rescued.P1 ?? 0,
      total_mice: total_mice_per_player,
      completion_percent: completion_percent.P1 ?? 0,
    },
    scoring: {
      ...scoring,
      raw_points: scoring.raw_points.P1 ?? 0,
      benchmark_score: scoring.benchmark_score.P1 ?? 0,
    },
    data: {
      ...data,
      mice: Object.fromEntries(
        Object.entries(data.mice).map(([id, mouse]): [string, MouseState] => [id.replace(/_P1$/, ""), mouse]),
      ),
    },
  };
}
