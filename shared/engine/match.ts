import { type Geometry, geometryOf } from "./geometry.ts";
import { levelOf } from "./levels.ts";
import { emptyPosition } from "./pieces.ts";
import { ACTIVE, clonePosition, type Position } from "./position.ts";
import { isSeed, seedRng } from "./rng.ts";
import {
  FORMATS,
  type Format,
  INVALID_POLICIES,
  type MatchOptions,
  type MatchResult,
  type MatchSetup,
  type PerPlayer,
  PHASES,
  type Phase,
  PLAYER_STATUSES,
  type PlayerId,
  type PlayerStatus,
  RESULTS,
  type Result,
} from "./types.ts";

let positionInside: (match: Match) => Position;

/**
 * A match at one instant: an immutable value. Board and generator stay inside; `step` makes the next one, the
 * readers tell what anybody may see. The seed is readable for the match's holder, who gives it to nobody (R11.2).
 */
export class Match {
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
  /** R5.7 */
  readonly turn: number;
  readonly phase: Phase;
  readonly result: MatchResult | null;
  /** Null unless playing. */
  readonly currentPlayer: PlayerId | null;
  readonly statuses: PerPlayer<PlayerStatus>;
  /** R13.2 */
  readonly history: readonly string[];
  readonly refusalsThisTurn: number;
  /** Turns lost to ten refusals (R8.3). */
  readonly lostTurns: PerPlayer<number>;
  readonly #geometry: Geometry;
  /** Null before the start: nothing has happened yet, and thousands of rooms may wait. */
  readonly #position: Position | null;

  static {
    positionInside = (match) => match.#position ?? emptyPosition(match.#geometry, match.options, match.seed);
  }

  /** The position belongs to the match from now on and is never changed again. */
  constructor(position: Position, seed: string, options: MatchOptions, history: readonly string[]) {
    const { level } = position.geometry;
    this.format = level.format;
    this.level = level.level;
    this.seed = seed;
    this.options = options;
    this.width = level.width;
    this.height = level.height;
    this.maxMoves = level.maxMoves;
    this.idealMoves = level.idealMoves;
    this.players = level.players;
    this.turn = position.turn;
    this.phase = PHASES[position.phase]!;
    this.result = RESULTS[position.result - 1] ?? null;
    this.currentPlayer = this.phase === "playing" ? level.players[position.current]! : null;
    this.statuses = byPlayer(position, (p) => PLAYER_STATUSES[position.status[p] ?? ACTIVE]!);
    this.history = history;
    this.refusalsThisTurn = position.refusals;
    this.lostTurns = byPlayer(position, (p) => position.lostTurns[p]!);
    this.#geometry = position.geometry;
    this.#position = this.phase === "waiting" ? null : position;
  }
}

/** The position inside; whoever changes it must clone it first. */
export { positionInside };

/** A match that waits for its start, or what is wrong with the setup by name (R11.1, R11.2). */
export function createMatch(setup: MatchSetup): Result<Match, "bad_options" | "bad_seed"> {
  const level = FORMATS.includes(setup.format) ? levelOf(setup.format, setup.level) : null;
  if (level === null) {
    return { ok: false, code: "bad_options", message: `There is no level ${setup.level} of format ${setup.format}.` };
  }
  const options = completeOptions(setup.format, setup.options ?? {});
  if (options === null) {
    return {
      ok: false,
      code: "bad_options",
      message: "invalid is lose_turn or retry, orb and entropy are true or false.",
    };
  }
  if (!isSeed(setup.seed)) return badSeed;
  return { ok: true, value: new Match(emptyPosition(geometryOf(level), options, setup.seed), setup.seed, options, []) };
}

/** The same match with a generator that starts at another seed: what a search may look ahead in (R11.4). */
export function reseed(match: Match, seed: string): Result<Match, "bad_seed"> {
  if (!isSeed(seed)) return badSeed;
  const position = clonePosition(positionInside(match));
  seedRng(position.rng, seed);
  return { ok: true, value: new Match(position, seed, match.options, match.history) };
}

const badSeed = {
  ok: false,
  code: "bad_seed",
  message: "A seed is 32 lower-case hex digits, not all of them 0.",
} as const;

/** What the rules say where nobody says anything (R8.2, R8.3, R7.4). */
export function defaultOptions(format: Format): MatchOptions {
  return { invalid: format === "solo" ? "lose_turn" : "retry", orb: true, entropy: true };
}

/** R7.4: without Orb or entropy a match is never ranked. */
export function mayBeRanked({ orb, entropy }: Pick<MatchOptions, "orb" | "entropy">): boolean {
  return orb && entropy;
}

/** Defaults filled in, or null when a value is none of those allowed. */
export function completeOptions(format: Format, given: Partial<MatchOptions>): MatchOptions | null {
  const defaults = defaultOptions(format);
  const invalid = given.invalid ?? defaults.invalid;
  const orb = given.orb ?? defaults.orb;
  const entropy = given.entropy ?? defaults.entropy;
  if (!INVALID_POLICIES.includes(invalid) || typeof orb !== "boolean" || typeof entropy !== "boolean") return null;
  return { invalid, orb, entropy };
}

/** One value for each player of the match, in order. */
export function byPlayer<T>(position: Position, value: (player: number) => T): PerPlayer<T> {
  const all: Partial<Record<PlayerId, T>> = {};
  for (const [p, player] of position.geometry.level.players.entries()) all[player] = value(p);
  return all;
}
