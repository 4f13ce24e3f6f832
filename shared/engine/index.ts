import type {
  Action,
  Command,
  Format,
  LegalFactors,
  MatchEvent,
  MatchOptions,
  MatchResult,
  MatchSetup,
  MouseId,
  MouseState,
  PerPlayer,
  Phase,
  PlayerId,
  PlayerStatus,
  RefusalCode,
  Result,
  Size,
  Standings,
  StandingsInput,
  Stock,
  TileLabel,
  VisibleMatch,
} from "./types.ts";

export { LEVELS, type Level, levelOf } from "./levels.ts";
export * from "./types.ts";

declare const opaque: unique symbol;

/** A match at one instant: an immutable value. The generator and the board stay inside. */
export interface Match {
  readonly [opaque]: true;
  readonly format: Format;
  readonly level: number;
  readonly seed: string;
  readonly options: MatchOptions;
  readonly width: number;
  readonly height: number;
  readonly maxMoves: number;
  /** Null in Arena. */
  readonly idealMoves: number | null;
  readonly players: readonly PlayerId[];
  readonly turn: number;
  readonly phase: Phase;
  readonly result: MatchResult | null;
  /** Null unless playing. */
  readonly currentPlayer: PlayerId | null;
  readonly statuses: PerPlayer<PlayerStatus>;
  readonly history: readonly string[];
  readonly refusalsThisTurn: number;
  readonly lostTurns: PerPlayer<number>;
}

export type Step =
  /** `command` is the canonical form after a command, null after every other action. */
  | {
      readonly ok: true;
      readonly match: Match;
      readonly events: readonly MatchEvent[];
      readonly command: string | null;
    }
  /** `counted`: R8.1; otherwise `match` is the very object that was given and `events` is empty. */
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      readonly message: string;
      readonly counted: boolean;
      readonly match: Match;
      readonly events: readonly MatchEvent[];
    };

const soon = (): never => {
  throw new Error("not written yet");
};

export const createMatch = (_setup: MatchSetup): Result<Match, "bad_options" | "bad_seed"> => soon();
export const step = (_match: Match, _action: Action): Step => soon();
export const replay = (_setup: MatchSetup, _actions: Iterable<Action>): Result<Match, "bad_options" | "bad_seed"> =>
  soon();
export const restoreMatch = (_visible: VisibleMatch, _seed: string): Result<Match, "bad_state"> => soon();

export const scores = (_match: Match): PerPlayer<number> => soon();
export const inventories = (_match: Match): PerPlayer<Stock> => soon();
export const mice = (_match: Match): Record<MouseId, MouseState> => soon();
export const board = (_match: Match): string[] => soon();
export const tiles = (_match: Match): TileLabel[] => soon();
export const gearOwners = (_match: Match): Record<TileLabel, PlayerId> => soon();
export const escaped = (_match: Match): PerPlayer<number> => soon();
export const micePerPlayer = (_match: Match): number => soon();
export const standings = (_match: Match, _input: StandingsInput): Standings => soon();

/** For the player to move; null unless playing. */
export const legalFactors = (_match: Match): LegalFactors | null => soon();
/** As if it were that player's turn; null unless playing with that player in. */
export const legalFactorsFor = (_match: Match, _player: PlayerId): LegalFactors | null => soon();
/** All canonical commands of the player to move; empty unless playing. */
export const legalMoves = (_match: Match): string[] => soon();

export const parseCommand = (_text: string, _size: Size): Result<Command, "syntax" | "no_such_tile"> => soon();
export const makeCommand = (_command: Command): string => soon();
export const parseTile = (
  _text: string,
  _size: Size,
): Result<{ readonly x: number; readonly y: number }, "syntax" | "no_such_tile"> => soon();
export const makeTile = (_x: number, _y: number): TileLabel => soon();
