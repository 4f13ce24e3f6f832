/** Drives a brain as a client of the Colyseus door (PROTOCOL 5): it gets a seat's view, a clock, and no more. */

import { setTimeout as sleep } from "node:timers/promises";
import { Client, CloseCode, type Room } from "@colyseus/sdk";
import type { PlayerId } from "../../shared/engine/index.ts";
import { advance, withPresence } from "../../shared/protocol/advance.ts";
import type { ErrorCode } from "../../shared/protocol/codes.ts";
import type { EventMessage, PresenceMessage, SyncAnswer } from "../../shared/protocol/messages.ts";
import type { MoveRequest } from "../../shared/protocol/requests.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Assignment } from "../assignment.ts";
import type { Brain, Choice, TurnClock } from "../brains/brain.ts";
import { backoffMs, COMES_BACK, HOPELESS, joinFailure } from "./reconnect.ts";

/** What of the clock a brain may not use, so that its answer is in time. */
const CLOCK_MARGIN_MS = 1_500;
/** Without news for this long, a bot that waits asks for them. */
const ASK_AFTER_MS = 15_000;
/** Before asking again after a refusal, times the refusals so far; ten refusals lose a turn (R8.3). */
const AFTER_REFUSAL_MS = 500;
/** Refused commands in one turn after which something must be wrong with the brain. */
const MAX_REFUSALS = 3;

/** Joins that find no room before it is taken for gone. */
const NOT_FOUND_TRIES = 6;

export interface DriverOptions {
  readonly url: string;
  readonly assignment: Omit<Assignment, "brain">;
  readonly brain: Brain;
  /**
   * A brain that only needs the rules, for when the first one fails. Null: the first one answers for itself, and where it
   * fails the empty command is played, which the rules refuse.
   */
  readonly fallback: Brain | null;
  readonly signal: AbortSignal;
  /** Told when the brain failed and the other one plays the turn. */
  readonly onBrainFailure?: (reason: string) => void;
}

interface MoveAnswer {
  readonly ok: boolean;
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly retry_after_s?: number;
}

/** What a brain thinks about. It outlives the connection in which it began: a lost one costs no thought. */
interface Thought {
  readonly turn: number;
  readonly refusals: number;
  readonly choice: Promise<Choice>;
  /** Aborts when the turn is over. */
  readonly over: AbortController;
}

interface Mind {
  thought: Thought | null;
}

/**
 * Plays one seat until its match is over, its room is gone or `signal` aborts. Comes back after a lost connection.
 * Rejects when it cannot go on; whoever started it may start it again.
 */
export async function driveSeat(options: DriverOptions): Promise<void> {
  const { url } = options;
  const client = new Client(url);
  const mind: Mind = { thought: null };
  try {
    await comeAgain(client, options, mind);
  } finally {
    mind.thought?.over.abort();
  }
}

async function comeAgain(client: Client, options: DriverOptions, mind: Mind): Promise<void> {
  const { assignment, signal } = options;
  for (let failures = 0; !signal.aborted; ) {
    let room: Room;
    try {
      room = await client.joinById(assignment.code, { seatToken: assignment.seat_token });
    } catch (error) {
      const { code } = joinFailure(error);
      if (code !== null && HOPELESS.has(code)) return;
      if (code === "not_found" && failures >= NOT_FOUND_TRIES) return;
      await pause(backoffMs(failures), signal);
      failures += 1;
      continue;
    }
    failures = 0;
    const closed = await new Seat(room, options, mind).play();
    if (closed === "done" || signal.aborted) return;
    if (closed === CloseCode.CONSENTED) return; // The room has closed.
    if (!COMES_BACK.has(closed)) throw new Error(`the connection was closed with ${closed}`);
    await pause(backoffMs(0), signal);
  }
}

/** One connection. */
class Seat {
  readonly #room: Room;
  readonly #options: DriverOptions;
  readonly #seat: PlayerId;
  #state: NativeState | null = null;
  /** `performance.now()` at which the state's clock was read. */
  #stateAtMs = 0;
  /** Events that came before the state they follow. */
  #early: EventMessage[] = [];
  /** Wakes the loop. */
  #wake: () => void = () => {};
  #closed: number | "done" | null = null;
  /** Aborts thinking pauses when the connection goes. */
  readonly #gone = new AbortController();
  #refusals = 0;
  #refusedTurn = -1;
  readonly #mind: Mind;
  /** Resolves with null when the connection has gone. */
  readonly #left: Promise<null>;

  constructor(room: Room, options: DriverOptions, mind: Mind) {
    this.#room = room;
    this.#mind = mind;
    this.#left = new Promise((resolve) => {
      this.#gone.signal.addEventListener("abort", () => resolve(null), { once: true });
    });
    this.#options = options;
    this.#seat = options.assignment.seat;
    // A seat token outlives what the SDK would reconnect with (PROTOCOL 1).
    room.reconnection.enabled = false;
    room.onMessage("event", (message: EventMessage) => this.#follow(message));
    room.onMessage("presence", (message: PresenceMessage) => {
      if (this.#state !== null) this.#see(withPresence(this.#state, message));
    });
    room.onMessage("*", () => {});
    room.onLeave((code) => this.#end(code));
    room.onError(() => {}); // A close follows.
    options.signal.addEventListener("abort", this.#stop, { once: true });
    if (options.signal.aborted) this.#stop(); // It came while the room was being joined.
  }

  /** Resolves with the close code of the connection, or "done" when there is nothing left to do. */
  async play(): Promise<number | "done"> {
    try {
      while (this.#closed === null) {
        const changed = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        try {
          if (this.#state === null) await this.#sync();
          const state = this.#state;
          if (state?.meta.phase === "over") this.#end("done");
          else if (state?.meta.current_player === this.#seat) await this.#move(state);
          else if (state !== null) await this.#watch(changed);
        } catch (error) {
          if (this.#closed !== null) break;
          if (error instanceof BrainFailure) throw error;
          // A request that was not answered in time: whether it counted is seen by asking.
          this.#state = null;
          await this.#wait(AFTER_REFUSAL_MS);
        }
      }
      return this.#closed ?? "done";
    } finally {
      this.#options.signal.removeEventListener("abort", this.#stop);
      this.#gone.abort();
      void this.#room.leave().catch(() => undefined);
    }
  }

  /** Waits for news; asks when there was none for long, lest a lost one stop the match. */
  async #watch(changed: Promise<void>): Promise<void> {
    const quiet = new AbortController();
    const asked = await Promise.race([
      changed.then(() => false),
      pause(ASK_AFTER_MS, AbortSignal.any([quiet.signal, this.#gone.signal])).then(() => true),
    ]);
    quiet.abort();
    if (asked && this.#closed === null) await this.#sync();
  }

  /** One turn: think, keep the pace, ask, and see what came of it. */
  async #move(state: NativeState): Promise<void> {
    const { turn } = state.meta;
    const { assignment } = this.#options;
    if (this.#refusedTurn !== turn) {
      this.#refusedTurn = turn;
      this.#refusals = 0;
    }
    const startedMs = performance.now();
    const request = await this.#choose(state);
    if (request === null) return;
    await this.#wait(assignment.pace_ms - (performance.now() - startedMs));
    // While it thought the turn may have passed: out of time, resigned, closed. What others did meanwhile does no harm.
    const now = this.#state?.meta;
    if (this.#closed !== null || now?.turn !== turn || now.current_player !== this.#seat) return;
    const { version } = now;
    const answer: MoveAnswer = await this.#room.request("move", request);
    if (answer.ok) {
      // The event comes before the answer; were it lost, the state would stand still.
      if (this.#state?.meta.version === version) await this.#sync();
      return;
    }
    await this.#refused(answer);
  }

  /** Null when the connection has gone meanwhile. */
  async #choose(state: NativeState): Promise<MoveRequest | null> {
    const { fallback } = this.#options;
    let choice: Choice | null = null;
    if (this.#refusals === 0 || fallback === null) {
      try {
        choice = await Promise.race([this.#think(state), this.#left]);
        if (choice === null) return null;
      } catch (error) {
        this.#options.onBrainFailure?.(reasonOf(error));
        if (fallback === null) choice = { command: "" };
      }
    }
    try {
      choice ??= (await fallback?.choose(state, this.#seat, this.#clock(state))) ?? { command: "" };
    } catch (error) {
      throw new BrainFailure(reasonOf(error));
    }
    return {
      turn: state.meta.turn,
      command: choice.command,
      ...(choice.reasoning === undefined ? {} : { reasoning: choice.reasoning }),
      ...(choice.usage === undefined ? {} : { token_usage: choice.usage }),
    };
  }

  /** The brain's choice in this turn; one that is thought of already, or was not taken, is not thought of again. */
  #think(state: NativeState): Promise<Choice> {
    const { turn } = state.meta;
    const { refusals_this_turn: refusals } = state.data;
    const known = this.#mind.thought;
    if (known?.turn === turn && known.refusals === refusals) return known.choice;
    known?.over.abort();
    const over = new AbortController();
    const clock = { ...this.#clock(state), signal: AbortSignal.any([over.signal, this.#options.signal]) };
    const choice = (async () => this.#options.brain.choose(state, this.#seat, clock))();
    choice.catch(() => {}); // It is looked at by whoever is connected then.
    this.#mind.thought = { turn, refusals, choice, over };
    return choice;
  }

  #clock(state: NativeState): TurnClock {
    return { remainingMs: this.#remainingMs(state) };
  }

  async #refused({ code, message, retry_after_s }: MoveAnswer): Promise<void> {
    this.#refusals += 1;
    switch (code) {
      case "stale_turn":
      case "not_your_turn":
      case "match_not_started":
      case "match_over":
      case "player_out":
      case "too_late":
        break; // The state here is behind: asking brings it up.
      case "rate_limited":
      case "unavailable":
      case "internal":
        await this.#wait((retry_after_s ?? 1) * 1_000);
        break;
      case "unauthorized":
      case "forbidden":
      case "not_found":
      case "room_closed":
        this.#end("done");
        return;
      default:
        // By R8.3 a turn is lost by refusals, and not the seat's connection.
        if (this.#options.fallback === null) {
          this.#mind.thought = null;
          break;
        }
        if (this.#refusals >= MAX_REFUSALS) throw new BrainFailure(`${code}: ${message}`);
        if (this.#refusals === 1) this.#options.onBrainFailure?.(`${code}: ${message}`);
    }
    await this.#wait(AFTER_REFUSAL_MS * Math.min(this.#refusals, 10));
    if (this.#closed === null) await this.#sync();
  }

  #remainingMs({ meta }: NativeState): number {
    if (meta.deadline_ms === null) return Number.POSITIVE_INFINITY;
    const passedMs = performance.now() - this.#stateAtMs;
    return Math.max(0, meta.deadline_ms - meta.server_time_ms - passedMs - CLOCK_MARGIN_MS);
  }

  #follow(message: EventMessage): void {
    const state = this.#state;
    if (state === null) {
      this.#early.push(message);
      return;
    }
    const { version } = state.meta;
    if (message.version < version || (message.version === version && message.type !== "over")) return;
    if (message.version > version + 1) {
      this.#state = null;
      this.#early = [message];
      this.#wake();
      return;
    }
    this.#see(advance(state, message, this.#seat));
  }

  async #sync(): Promise<void> {
    const version = this.#state?.meta.version ?? 0;
    const answer: SyncAnswer = await this.#room.request("sync", { version });
    if (answer.kind === "state") {
      if (answer.seat !== this.#seat) throw new BrainFailure(`this seat token opens ${answer.seat}`);
      this.#see(answer.state);
      for (const message of this.#early.splice(0)) this.#follow(message);
    } else if (answer.kind === "events") {
      for (const message of answer.events) this.#follow(message);
      if (this.#state !== null) this.#see(withPresence(this.#state, answer.presence));
    }
  }

  #see(state: NativeState): void {
    this.#state = state;
    this.#stateAtMs = performance.now();
    const { turn, current_player } = state.meta;
    const { thought } = this.#mind;
    if (thought?.turn !== turn || current_player !== this.#seat) thought?.over.abort();
    this.#wake();
  }

  #end(code: number | "done"): void {
    this.#closed ??= code;
    this.#gone.abort();
    this.#wake();
  }

  readonly #stop = () => this.#end("done");

  #wait(ms: number): Promise<void> {
    return pause(ms, this.#gone.signal);
  }
}

/** The brain, not the connection, is at fault. */
export class BrainFailure extends Error {
  override readonly name = "BrainFailure";
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits, or returns at once when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
