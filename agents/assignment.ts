import type { PlayerId } from "../shared/engine/index.ts";

/** A seat that a bot of the house shall play: what `rooms/ports.ts` calls a house seat. */
export interface Assignment {
  readonly match_id: string;
  readonly code: string;
  readonly seat: PlayerId;
  readonly seat_token: string;
  readonly brain: string;
  /** A text for a model, the name of a preset for the others. */
  readonly style?: string | null;
  /** Milliseconds a move is held back at least, so that people can watch; 0 for none. */
  readonly pace_ms: number;
}
