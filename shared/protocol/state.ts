/** The native state (PROTOCOL 3): what every door sends. Field names are those of the wire. */
import type {
  Format,
  InvalidPolicy,
  MatchResult,
  MouseId,
  MouseState,
  PerPlayer,
  Phase,
  PlayerId,
  PlayerStatus,
  Stock,
  TileLabel,
} from "../engine/index.ts";
import type { MatchId, RoomCode } from "./ids.ts";
import type { Kind, SeatKind } from "./log.ts";

export interface PublicOptions {
  readonly invalid: InvalidPolicy;
  readonly orb: boolean;
  readonly entropy: boolean;
  readonly turn_seconds: number | null;
  readonly legal_list: boolean;
  readonly private: boolean;
}

export interface Meta {
  readonly match_id: MatchId;
  readonly room_code: RoomCode;
  /** Rules version. */
  readonly rules: 1;
  readonly format: Format;
  readonly kind: Kind;
  /** The level as text: "1". */
  readonly level_id: string;
  /** "4x4" */
  readonly dimensions: string;
  /** R5.7 */
  readonly turn: number;
  readonly max_moves: number;
  readonly turns_left: number;
  /** Solo only (R12). */
  readonly ideal_moves?: number;
  readonly current_player: PlayerId | null;
  readonly phase: Phase;
  /** Unix milliseconds of the holder's clock at which the mover is out; null without a clock. */
  readonly deadline_ms: number | null;
  readonly server_time_ms: number;
  readonly seed_commitment: string;
  /** Only when the match is over (R11.2). */
  readonly seed?: string;
  readonly live_game_id: MatchId;
  /** Stored events so far. */
  readonly version: number;
  readonly options: PublicOptions;
}

export interface PlayerInfo {
  readonly kind: SeatKind;
  readonly name: string | null;
  readonly brain: string | null;
  readonly model: string | null;
  readonly status: PlayerStatus;
  readonly connected: boolean;
  readonly taken: boolean;
}

export interface Status {
  readonly game_over: boolean;
  readonly result: MatchResult | null;
  readonly players: PerPlayer<PlayerInfo>;
  readonly mice_rescued: PerPlayer<number>;
  readonly total_mice_per_player: number;
  /** Percent, 0..100 (R10.2). */
  readonly completion_percent: PerPlayer<number>;
  /** Empty while the match runs and after ABANDONED (R10.5). */
  readonly places: PerPlayer<number>;
  readonly winner: readonly PlayerId[];
  readonly spectators: number;
}

export interface Scoring {
  readonly scores: PerPlayer<number>;
  readonly raw_points: PerPlayer<number>;
  /** R10.3, R10.4; 0 until the match is over. */
  readonly benchmark_score: PerPlayer<number>;
  /** 2v2 only. */
  readonly team_efficiency?: { readonly A: number; readonly B: number };
  readonly tokens_used: PerPlayer<number>;
  readonly thinking_tokens: PerPlayer<number>;
}

export interface StateData {
  /** The viewer's own stock, else the mover's. */
  readonly inventory: Stock;
  readonly inventories: PerPlayer<Stock>;
  readonly mice: Readonly<Record<MouseId, MouseState>>;
  /** Tile label → its encoding (R13.1), order y, then x. */
  readonly board_encoding: Readonly<Record<TileLabel, string>>;
  readonly gear_owners: Readonly<Record<TileLabel, PlayerId>>;
  readonly history: readonly string[];
  /** The viewer's own; empty when there is none. */
  readonly last_reasoning: string;
  readonly refusals_this_turn: number;
  /** R8.3 */
  readonly lost_turns: PerPlayer<number>;
}

export interface NativeState {
  readonly meta: Meta;
  readonly status: Status;
  readonly scoring: Scoring;
  readonly data: StateData;
}

/** Who looks: a seat, or null for a spectator. */
export type Viewer = PlayerId | null;
