/**
 * Drives a brain over the HTTP door (PROTOCOL 6): waits for its turn, asks the brain, plays what it says. The brain may
 * think as long as the clock allows; a lost answer is asked for again, and a command that counted is not played twice.
 */
import type { PlayerId } from "../../shared/engine/index.ts";
import { type Refusal, RefusalError } from "../../shared/protocol/codes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Brain, Choice } from "../brains/brain.ts";
import type { Api } from "./api.ts";

/** What of the clock a brain may not use, so that its answer is in time. */
const CLOCK_MARGIN_MS = 2_000;

export interface HttpSeat {
  readonly match_id: string;
  readonly seat: PlayerId;
  readonly seat_token: string;
}

export interface HttpDriverOptions {
  readonly api: Api;
  readonly seat: HttpSeat;
  readonly brain: Brain;
  readonly signal?: AbortSignal;
  /** Every state that is seen, the last included. */
  onState?(state: NativeState): void;
  /** What is about to be played, and how long it took to find. */
  onChoice?(choice: Choice, thinkingMs: number): void;
  /** A command that the rules refused. */
  onRefused?(command: string, refusal: Refusal): void;
  /** The brain had no answer; the empty command is played, which the rules refuse (PROTOCOL 11). */
  onFailure?(reason: string): void;
}

/** Plays until the match is over; resolves with its last state. Rejects with RefusalError when the seat is lost. */
export async function playSeat(options: HttpDriverOptions): Promise<NativeState> {
  const { api, seat, brain, signal } = options;
  const path = `/matches/${seat.match_id}`;
  const auth = { token: seat.seat_token, ...(signal ? { signal } : {}) };
  const see = (state: NativeState) => {
    options.onState?.(state);
    return state;
  };
  const look = async () => {
    const answer = await api.insist<NativeState>(`${path}/state?wait=turn`, auth);
    if (!answer.ok) throw new RefusalError(answer);
    return see(answer);
  };

  let state = await look();
  while (!isOver(state, seat.seat)) {
    if (state.meta.current_player !== seat.seat) {
      state = await look();
      continue;
    }
    const choice = await chosen(options, state, brain);
    const { command, reasoning, usage } = choice;
    const body = {
      turn: state.meta.turn,
      command,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(usage === undefined ? {} : { token_usage: { total: usage.total, ...thinkingOf(usage) } }),
    };
    const answer = await api.insist<{ readonly state: NativeState }>(`${path}/moves?wait=turn`, { ...auth, body });
    if (answer.ok) {
      state = see(answer.state);
      continue;
    }
    const { state: left, ...refusal } = answer as Refusal & { state?: NativeState };
    if (left === undefined) throw new RefusalError(refusal);
    options.onRefused?.(command, refusal);
    state = see(left);
  }
  return state;
}

function thinkingOf({ thinking }: { thinking?: number | undefined }): { thinking?: number } {
  return thinking === undefined ? {} : { thinking };
}

function isOver({ meta, status }: NativeState, seat: PlayerId): boolean {
  const own = status.players[seat];
  return meta.phase === "over" || (own !== undefined && own.status !== "ACTIVE");
}

async function chosen(options: HttpDriverOptions, state: NativeState, brain: Brain): Promise<Choice> {
  const { deadline_ms, server_time_ms } = state.meta;
  const remainingMs =
    deadline_ms === null ? Number.POSITIVE_INFINITY : Math.max(0, deadline_ms - server_time_ms - CLOCK_MARGIN_MS);
  const startedMs = performance.now();
  let choice: Choice;
  try {
    choice = await brain.choose(state, options.seat.seat, { remainingMs });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    options.onFailure?.(error instanceof Error ? error.message : String(error));
    choice = { command: "" };
  }
  options.onChoice?.(choice, performance.now() - startedMs);
  return choice;
}
