/**
 * The vocabulary of the rules: ids, unions and the plain values that enter and leave the engine.
 * Names that RULES.md and PROTOCOL.md give in snake_case keep that form here, so that a value
 * travels from the engine to the wire without being renamed.
 */

export const PLAYERS = ["P1", "P2", "P3", "P4"] as const;
export type PlayerId = (typeof PLAYERS)[number];

export const FORMATS = ["solo", "1v1", "2v2", "ffa4"] as const;
export type Format = (typeof FORMATS)[number];

export const GEAR_TYPES = ["G1", "G2", "G3", "G4"] as const;
export type GearType = (typeof GEAR_TYPES)[number];

export const MOUSE_STATUSES = ["WAITING", "IN_PLAY", "ESCAPED"] as const;
export type MouseStatus = (typeof MOUSE_STATUSES)[number];

export const PLAYER_STATUSES = ["ACTIVE", "TIMEOUT", "RESIGNED", "FORFEITED"] as const;
export type PlayerStatus = (typeof PLAYER_STATUSES)[number];

/** How a player goes out (R9.2, R8.3). */
export type Departure = Exclude<PlayerStatus, "ACTIVE">;

/** R10.1 */
export const RESULTS = ["ABANDONED", "FORFEIT", "TIMEOUT", "VICTORY"] as const;
export type MatchResult = (typeof RESULTS)[number];

export const PHASES = ["waiting", "playing", "over"] as const;
export type Phase = (typeof PHASES)[number];

/** R8.2, R8.3: what a refused command costs. */
export const INVALID_POLICIES = ["lose_turn", "retry"] as const;
export type InvalidPolicy = (typeof INVALID_POLICIES)[number];

/** R4.5, in the order in which they are checked (the last three belong to rotations). */
export const REFUSAL_CODES = [
  "match_not_started",
  "too_late",
  "match_over",
  "player_out",
  "stale_turn",
  "not_your_turn",
  "syntax",
  "wrong_phase",
  "no_such_tile",
  "obstacle",
  "occupied",
  "not_in_stock",
  "not_on_start_edge",
  "not_adjacent",
  "not_a_gear",
  "not_your_network",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A direction or an orientation: 0 = N, 1 = W, 2 = S, 3 = E (R1.3, R2.2). */
export type Quarter = 0 | 1 | 2 | 3;

/** +90 is counter-clockwise (R2.3). */
export type Turn = 90 | -90;

/** A tile label such as `P13`; `P110` is (1,10) on a 10×10 board (R1.1). */
export type TileLabel = `P${number}`;

/** A mouse label: `M2_P1`, or `Orb_1` (R3.3, R7.2). */
export type MouseId = string;

export type Result<T, E extends string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: E; readonly message: string };

export interface MatchOptions {
  readonly invalid: InvalidPolicy;
  /** Solo only; false leaves the Orb out (R7.4). */
  readonly orb: boolean;
  /** Solo only; false leaves entropy out (R7.4). */
  readonly entropy: boolean;
}

export interface MatchSetup {
  readonly format: Format;
  readonly level: number;
  /** 32 lower-case hex digits, not all zero (R11.2). */
  readonly seed: string;
  readonly options?: Partial<MatchOptions>;
}

/** A parsed command (R4.1). Tiles are labels of this board. */
export type Command =
  | {
      readonly type: "place";
      readonly gear: GearType;
      readonly tile: TileLabel;
      readonly b: Quarter;
      readonly turn: Turn;
    }
  | {
      readonly type: "rotate";
      readonly tile: TileLabel;
      readonly turn: Turn;
      readonly premove: { readonly tile: TileLabel; readonly b: Quarter } | null;
    };

/** What may happen to a match (R11.1). `turn` is the turn counter the command answers (R4.1). */
export type Action =
  | { readonly type: "start" }
  | { readonly type: "command"; readonly player: PlayerId; readonly command: string; readonly turn?: number }
  | { readonly type: "out"; readonly player: PlayerId; readonly reason: "TIMEOUT" | "RESIGNED" }
  | { readonly type: "abandon" };

/** A place on a base: tile label and gear-relative base index (R3.5). */
export interface BasePlace {
  readonly tile: TileLabel;
  readonly base: Quarter;
}

/**
 * What happened, in the order in which it happened (R5): all that an animation needs.
 * `points` are those gained by the mouse's owner (R6.5).
 */
export type MatchEvent =
  | { readonly type: "started"; readonly current_player: PlayerId }
  | {
      readonly type: "placed";
      readonly player: PlayerId;
      readonly gear: GearType;
      readonly tile: TileLabel;
      readonly b: Quarter;
    }
  | { readonly type: "premoved"; readonly tile: TileLabel; readonly from: Quarter; readonly to: Quarter }
  /** The block turned (R2.5): every gear of it with its orientation before and after. */
  | {
      readonly type: "turned";
      readonly tile: TileLabel;
      readonly turn: Turn;
      readonly gears: readonly { readonly tile: TileLabel; readonly from: Quarter; readonly to: Quarter }[];
    }
  | { readonly type: "entered"; readonly mouse: MouseId; readonly tile: TileLabel; readonly base: Quarter }
  | {
      readonly type: "jumped";
      readonly mouse: MouseId;
      readonly from: BasePlace;
      readonly to: BasePlace;
      readonly points: number;
    }
  | { readonly type: "escaped"; readonly mouse: MouseId; readonly from: BasePlace; readonly points: number }
  /** R7.1, in order of the destination tiles, left to right; b is the new orientation. */
  | {
      readonly type: "entropy";
      readonly moves: readonly { readonly from: TileLabel; readonly to: TileLabel; readonly b: Quarter }[];
    }
  /** R7.2: the Orb appears; `facing` is its absolute direction. */
  | {
      readonly type: "orb";
      readonly mouse: MouseId;
      readonly tile: TileLabel;
      readonly base: Quarter;
      readonly facing: Quarter;
    }
  | { readonly type: "locked"; readonly mouse: MouseId }
  /** A refusal that counts (R8.1). */
  | {
      readonly type: "refused";
      readonly player: PlayerId;
      readonly code: RefusalCode;
      readonly refusals_this_turn: number;
    }
  /** The turn was lost (R8.2); `text` is the cleaned command of the history line. */
  | { readonly type: "turn_lost"; readonly player: PlayerId; readonly text: string }
  | { readonly type: "out"; readonly player: PlayerId; readonly reason: Departure }
  | { readonly type: "over"; readonly result: MatchResult };

/** One mouse as it is reported everywhere (R3.4, R3.5, R7.2). `x`, `y` are null when ESCAPED. */
export interface MouseState {
  readonly owner: PlayerId | null;
  readonly pos: string;
  readonly x: number | null;
  readonly y: number | null;
  readonly on_base: Quarter | null;
  readonly facing: Quarter | null;
  readonly status: MouseStatus;
  readonly is_decoy?: true;
  readonly is_locked?: boolean;
}

export type Stock = Readonly<Record<GearType, number>>;
export type PerPlayer<T> = Readonly<Partial<Record<PlayerId, T>>>;

/** The legal commands by their factors (R4.6). `count` is the number of canonical commands. */
export type LegalFactors =
  | {
      readonly stage: "placement";
      readonly count: number;
      readonly tiles: readonly TileLabel[];
      readonly types: readonly GearType[];
    }
  | { readonly stage: "rotation"; readonly count: number; readonly tiles: readonly TileLabel[] };

/** Width and height of a board in tiles. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * What every seat can see of a match: all of its state but the seed and the generator, under the names of the
 * view (PROTOCOL 3), as it arrives from outside. `restoreMatch` is the door from here to a `Match`.
 */
export interface VisibleMatch {
  readonly format: Format;
  readonly level_id: string;
  readonly options: MatchOptions;
  readonly turn: number;
  readonly phase: Phase;
  readonly result: MatchResult | null;
  readonly current_player: PlayerId | null;
  readonly statuses: PerPlayer<PlayerStatus>;
  readonly scores: PerPlayer<number>;
  readonly inventories: PerPlayer<Stock>;
  /** R13.1, by tile label; every tile of the board. */
  readonly board_encoding: Readonly<Record<TileLabel, string>>;
  readonly gear_owners: Readonly<Record<TileLabel, PlayerId>>;
  readonly mice: Readonly<Record<MouseId, MouseState>>;
  readonly refusals_this_turn: number;
  readonly lost_turns: PerPlayer<number>;
  /** Left out: empty. It only tells in which turn a clock ran out (`too_late`). */
  readonly history?: readonly string[];
}

/** Who is ahead (R10.5) and by what numbers (R10.2–R10.4). */
export interface Standings {
  readonly places: PerPlayer<number>;
  readonly winner: readonly PlayerId[];
  /** R10.3 in Solo, R10.4 player efficiency in Arena; as if the match ended now. */
  readonly efficiency: PerPlayer<number>;
  /** 2v2 only (R10.4). */
  readonly team_efficiency: { readonly A: number; readonly B: number } | null;
  /** Percent, 0..100 (R10.2). */
  readonly rescued: PerPlayer<number>;
}

export interface StandingsInput {
  /** Only kind `benchmark` breaks ties by tokens (R10.5). */
  readonly kind: string;
  /** Last reported total of each player; absent = 0. */
  readonly tokens: PerPlayer<number>;
}
