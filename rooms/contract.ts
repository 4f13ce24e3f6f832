/** What a held match answers, and what it tells those who follow it. */
import type { MatchEvent, PlayerId } from "../shared/engine/index.ts";
import type { Answer } from "../shared/protocol/codes.ts";
import type { EventMessage, PresenceMessage, SeatMessage } from "../shared/protocol/messages.ts";
import type { RematchOpened, RematchPlan } from "./rematch.ts";
import type { Newcomer } from "./seating.ts";

/** What follows a match. Called after the entry is durable; what it throws is reported and harms nobody. */
export interface MatchListener {
  event?(message: EventMessage): void;
  presence?(message: PresenceMessage): void;
  rematch?(opened: RematchOpened): void;
  /** The holder lets go of the match: its room closes. `moved`: another process goes on with it. */
  retired?(moved: boolean): void;
}

/** What a holder asks of whoever keeps the rooms. */
export interface HolderHooks<Holder> {
  /** Opens the room of a rematch and seats its players. Throws RefusalError when it cannot. */
  openRematch(plan: RematchPlan): Promise<RematchOpened>;
  /** Whether the match is surely still ours; when not, nothing may be said of it. Left out: always. */
  sure?(): boolean;
  /** The match needs no room any more (closed, or long over). */
  retired(holder: Holder): void;
}

export interface Guest extends Newcomer {
  readonly name: string;
  readonly model?: string | undefined;
}

export type MoveAnswer = { readonly version: number } & Answer<{
  /** PROTOCOL 2: the seat's last accepted move once more. */
  readonly repeated?: true;
  readonly events: readonly MatchEvent[];
}>;
export type VersionAnswer = Answer<{ readonly version: number }>;
export type JoinAnswer = Answer<{ readonly seat: PlayerId; readonly seat_token: string; readonly version: number }>;
export type RematchAnswer = Answer<{
  /** Seats that have asked. */
  readonly asked: readonly PlayerId[];
  /** The asker's seat in the new room, once it is open. */
  readonly opened: SeatMessage | null;
}>;
