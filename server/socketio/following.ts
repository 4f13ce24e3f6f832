/** Matches that one socket follows: their events, turns and ends, also over the death of the process that holds one. */
import type { PlayerId } from "../../shared/engine/index.ts";
import type { Answer } from "../../shared/protocol/codes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Caller, MatchLine, MatchService } from "../service/MatchService.ts";

/** Before a match is followed anew whose holder has let go of it. */
const AGAIN_MS = 1_000;
/** Matches that one socket can follow. */
const MAX_FOLLOWED = 64;

export interface Told {
  /** A match is followed anew: its state, since events may have been missed. */
  anew(matchId: string, state: NativeState): void;
  event(matchId: string, line: Extract<MatchLine, { type: "event" }>): void;
  yourTurn(matchId: string, seat: PlayerId, state: NativeState): void;
  matchOver(matchId: string, seat: PlayerId, state: NativeState): void;
}

export class Following {
  readonly #service: MatchService;
  readonly #told: Told;
  readonly #stops = new Map<string, () => void>();
  #closed = false;

  constructor(service: MatchService, told: Told) {
    this.#service = service;
    this.#told = told;
  }

  follows(matchId: string): boolean {
    return this.#stops.has(matchId);
  }

  /**
   * Follows a match from now on; the answer has its whole state. `seat`: whose turns and end are told too; null: nobody's,
   * because they are told already or the caller only watches.
   */
  async follow(
    caller: Caller,
    matchId: string,
    seat: PlayerId | null,
  ): Promise<Answer<{ readonly state: NativeState }>> {
    if (this.#stops.has(matchId) || this.#stops.size >= MAX_FOLLOWED) return this.#service.state(caller, matchId);
    let first: NativeState | null = null;
    let over = false;
    let toldTurn = -1;
    const look = (phase: string, mover: PlayerId | null, turn: number) => {
      if (seat === null) return;
      if (phase === "over") {
        if (!over) void this.#whole(caller, matchId, (state) => this.#told.matchOver(matchId, seat, state));
      } else if (mover === seat && toldTurn !== turn) {
        toldTurn = turn;
        void this.#whole(caller, matchId, (state) => this.#told.yourTurn(matchId, seat, state));
      }
      over ||= phase === "over";
    };
    const open = () =>
      this.#service.follow(caller, matchId, {
        line: (line) => {
          if (line.type === "state") {
            if (first !== null) this.#told.anew(matchId, line.state);
            first ??= line.state;
            look(line.state.meta.phase, line.state.meta.current_player, line.state.meta.turn);
          } else if (line.type === "event") {
            this.#told.event(matchId, line);
            look(line.event.phase, line.event.current_player, line.event.turn);
            over ||= line.event.phase === "over" || line.event.type === "closed";
          }
        },
        end: () => {
          if (this.#closed || over || first?.meta.phase === "over") return void this.#stops.delete(matchId);
          const timer = setTimeout(() => void again(), AGAIN_MS);
          this.#stops.set(matchId, () => clearTimeout(timer));
        },
      });
    const again = async () => {
      const answer = await open();
      if (answer.ok && this.#stops.has(matchId)) this.#stops.set(matchId, answer.stop);
      else if (answer.ok) answer.stop();
      else if (answer.code === "unavailable") {
        const timer = setTimeout(() => void again(), AGAIN_MS);
        this.#stops.set(matchId, () => clearTimeout(timer));
      } else this.#stops.delete(matchId);
    };
    this.#stops.set(matchId, () => {});
    const answer = await open();
    if (!answer.ok) {
      this.#stops.delete(matchId);
      return answer;
    }
    if (this.#closed) answer.stop();
    else if (this.#stops.has(matchId)) this.#stops.set(matchId, answer.stop);
    return first === null ? this.#service.state(caller, matchId) : { ok: true, state: first };
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }

  async #whole(caller: Caller, matchId: string, then: (state: NativeState) => void): Promise<void> {
    const answer = await this.#service.state(caller, matchId);
    if (answer.ok && !this.#closed) then(answer.state);
  }
}
