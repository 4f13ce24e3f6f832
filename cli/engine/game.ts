/** One match of the engine process: how it begins and what is told of it (PROTOCOL 9). */
import { v7 as uuid } from "uuid";
import { type Format, type InvalidPolicy, LEVELS, levelOf, type Match, scores } from "../../shared/engine/index.ts";
import type { EngineCode, ErrorCode } from "../../shared/protocol/codes.ts";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import { type LiveMatch, openMatch } from "../../shared/protocol/match.ts";
import { view } from "../../shared/protocol/view.ts";

export type Code = ErrorCode | EngineCode;
export type Body = Readonly<Record<string, unknown>>;

/** A position with those before it, as far as `undo` reaches; copies share what they have in common. */
export interface Position {
  readonly engine: Match;
  readonly version: number;
  readonly before: Position | null;
  /** How many games and later positions hold this one. */
  holders: number;
}

export interface Game {
  /** Everything but the position. */
  readonly frame: LiveMatch;
  now: Position;
}

/** A request that is answered with a code and changes nothing. */
export class Refused extends Error {
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** A match that has no room: everything PROTOCOL 3 shows of one, with players named after their seats. */
export function openFrame(
  format: Format,
  level: number,
  seed: string,
  rules: { invalid: InvalidPolicy; orb: boolean; entropy: boolean },
): LiveMatch {
  if (levelOf(format, level) === null) {
    throw new Refused("bad_options", `${format} has the levels ${LEVELS[format].join(", ")}`);
  }
  const frame = openMatch({
    type: "created",
    at_ms: Date.now(),
    match_id: uuid() as MatchId,
    room_code: "" as RoomCode,
    rules: 1,
    format,
    level,
    kind: "casual",
    seed,
    options: { ...rules, turn_seconds: null, legal_list: true, private: true },
    seats: [],
    host: null,
    preset: null,
    rematch_of: null,
  });
  return { ...frame, seats: frame.seats.map((seat) => ({ ...seat, taken: true, name: seat.seat })) };
}

/** PROTOCOL 9: the whole state, with the seed that the caller owns, or the few numbers that a search needs. */
export function told(game: Game, request: { reply?: "state" | "brief" | undefined }): Body {
  const { engine, version } = game.now;
  if (request.reply === "brief") {
    return {
      turn: engine.turn,
      current_player: engine.currentPlayer,
      game_over: engine.phase === "over",
      result: engine.result,
      scores: scores(engine),
    };
  }
  const around = { now: Date.now(), deadline: null, connected: new Set<never>(), spectators: 0 };
  const state = view({ ...game.frame, engine, version }, null, around);
  return { state: { ...state, meta: { ...state.meta, seed: engine.seed } } };
}
