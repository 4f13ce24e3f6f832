/** What a brain is: from what a seat sees to a command. */
import type { PlayerId } from "../../shared/engine/index.ts";
import { sha256Hex } from "../../shared/protocol/hash.ts";
import type { TokenUsage } from "../../shared/protocol/log.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Temper } from "./styles.ts";

/** What is left of the seat's turn; Infinity without a clock. */
export interface TurnClock {
  readonly remainingMs: number;
  /** Aborts when the turn is over before the brain is done: nobody wants its answer any more. */
  readonly signal?: AbortSignal;
}

export interface Choice {
  /** In canonical form (R4.1). */
  readonly command: string;
  readonly reasoning?: string;
  readonly usage?: TokenUsage;
}

export interface Brain {
  /** A command for `seat`, which is to move in `view`. Rejects or throws when it has none. */
  choose(view: NativeState, seat: PlayerId, clock: TurnClock): Choice | Promise<Choice>;
}

/** One kind of brain. Its brains are deterministic given the view and the search seed. */
export interface BrainKind {
  readonly name: string;
  /** `searchSeed`: 32 lower-case hex digits, not all zero; no match's seed (R11.4). */
  create(searchSeed: string, temper?: Temper): Brain;
}

/** A generator seed of its own for one turn of one seat, from the brain's search seed. */
export function turnSeed(searchSeed: string, view: NativeState, seat: PlayerId): string {
  const { meta, data } = view;
  return sha256Hex(`${searchSeed} ${meta.match_id} ${seat} ${meta.turn} ${data.refusals_this_turn}`).slice(0, 32);
}
