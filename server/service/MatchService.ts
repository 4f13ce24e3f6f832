/**
 * What every door does for its callers: the calls of PROTOCOL 6, with tokens, seats and limits looked at in one place.
 * A door reads bytes, calls here and writes the answer down; rules are the rooms' and the engine's.
 */
import type { RematchAnswer, VersionAnswer } from "../../rooms/contract.ts";
import type { LegalList } from "../../rooms/legal.ts";
import type { Format, MatchEvent, Phase, PlayerId } from "../../shared/engine/index.ts";
import type { Answer } from "../../shared/protocol/codes.ts";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import type { Kind } from "../../shared/protocol/log.ts";
import type { EventMessage, PresenceMessage } from "../../shared/protocol/messages.ts";
import type { CreateRoomRequest, JoinRoomRequest, MoveRequest } from "../../shared/protocol/requests.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Notice } from "../follow.ts";
import type { Bearer, Seated } from "../gateway.ts";
import type { ListStatus, RoomInfo, RoomList } from "../summary.ts";
import type { Door } from "./doors.ts";

export interface Caller extends Bearer {
  /** Where the call comes from, for limits. */
  readonly address: string;
  /** Which door it came through, for those who count; left out: HTTP. */
  readonly door?: Door;
}

/** The state as the caller's seat may see it; `waiting`: it is not the seat's turn, the wait was over. */
export type StateAnswer = Answer<{
  readonly state: NativeState;
  readonly waiting: boolean;
}>;

/** A refusal by the rules carries version and state too. */
export type MoveOutcome = Answer<{
  readonly version: number;
  readonly repeated?: true;
  readonly events: readonly MatchEvent[];
  readonly state: NativeState;
  readonly waiting: boolean;
}> & { readonly version?: number; readonly state?: NativeState };

/** The state with the end of its history only (PROTOCOL 6, stream). */
export type ShortState = Omit<NativeState, "data"> & {
  readonly data: Omit<NativeState["data"], "history"> & {
    readonly history_tail: readonly string[];
    readonly history_length: number;
  };
};

/** What a match tells those who follow it: the whole state first, then each event with the state that it left. */
export type MatchLine =
  | { readonly type: "state"; readonly state: NativeState }
  | { readonly type: "event"; readonly event: EventMessage; readonly state: ShortState }
  | { readonly type: "presence"; readonly presence: PresenceMessage };

export interface Follower {
  line(line: MatchLine): void;
  /** Nothing comes any more: the match is over, or whoever held it has let go; then following anew helps. */
  end(): void;
}

/** One seat of an identity. */
export interface SeatRow {
  readonly match_id: MatchId;
  readonly code: RoomCode;
  readonly seat: PlayerId;
  readonly name: string;
  readonly format: Format;
  readonly kind: Kind;
  readonly phase: Phase;
  readonly created_at_ms: number;
}

/**
 * `wait` of a call: it answers when it is the seat's turn or the match is over, at most after 50 s; the signal aborts
 * when the caller has gone.
 */
export interface MatchService {
  create(caller: Caller, request: CreateRoomRequest): Promise<Answer<Seated>>;
  /** The public rooms. */
  rooms(status?: ListStatus): Promise<RoomList>;
  room(caller: Caller, code: string): Promise<Answer<{ readonly room: RoomInfo }>>;
  join(caller: Caller, code: string, request: JoinRoomRequest): Promise<Answer<Seated>>;
  leave(caller: Caller, code: string): Promise<VersionAnswer>;
  state(caller: Caller, matchId: string, wait?: AbortSignal): Promise<StateAnswer>;
  legal(caller: Caller, matchId: string): Promise<Answer<LegalList>>;
  move(caller: Caller, matchId: string, request: MoveRequest, wait?: AbortSignal): Promise<MoveOutcome>;
  resign(caller: Caller, matchId: string): Promise<VersionAnswer>;
  rematch(caller: Caller, matchId: string): Promise<RematchAnswer>;
  /** The record (PROTOCOL 10): signed when the match is over, before that what the caller may see of it. */
  record(caller: Caller, matchId: string): Promise<Answer<{ readonly record: string }>>;
  /** The seats of the caller's identity in matches that wait, run or are just over, the newest first. */
  seats(caller: Caller): Promise<Answer<{ readonly seats: readonly SeatRow[] }>>;
  /** Tells what is current at all seats of the caller's identity, then what happens there. */
  followSeats(caller: Caller, tell: (notice: Notice) => void): Answer<{ readonly stop: () => void }>;
  /** Calls `follower` until the returned function is called. */
  follow(caller: Caller, matchId: string, follower: Follower): Promise<Answer<{ readonly stop: () => void }>>;
}
