/** Helpers of the tests beside the engine. */
import {
  createMatch,
  createRng,
  decodeMove,
  FORMATS,
  type Format,
  LEVELS,
  levelOf,
  type Match,
  type MatchResult,
  type MatchSetup,
  type MouseId,
  type MouseState,
  makeCommand,
  type PlayerId,
  type PlayerStatus,
  positionOf,
  randomMove,
  restoreMatch,
  step,
  visibleOf,
} from "../../../shared/engine/index.ts";

export const SEED = "5f3bedef890f10583eb6bfc54e50c924";

export interface Spot {
  readonly format: Format;
  readonly level: number;
}

/** Every format with every level. */
export function spots(): Spot[] {
  return FORMATS.flatMap((format) => LEVELS[format].map((level) => ({ format, level })));
}

/** A match that has started. */
export function playing(setup: Omit<MatchSetup, "seed"> & { readonly seed?: string }): Match {
  const created = createMatch({ seed: SEED, ...setup });
  if (!created.ok) throw new Error(created.message);
  return step(created.value, { type: "start" }).match;
}

/** Plays so many random legal commands, fewer when the match ends; `random` picks which. */
export function playRandom(match: Match, turns: number, random: number): Match {
  const rng = createRng(seedFrom(random));
  let now = match;
  for (let i = 0; i < turns && now.phase === "playing"; i++) now = play(now, randomCommand(now, rng));
  return now;
}

/** One random legal command of the player to move. */
export function randomCommand(match: Match, rng: ReturnType<typeof createRng>): string {
  const position = positionOf(match, SEED);
  return makeCommand(decodeMove(position, randomMove(position, rng)));
}

/** Plays a command that must be legal. */
export function play(match: Match, command: string): Match {
  const answer = step(match, { type: "command", player: match.currentPlayer!, command });
  if (!answer.ok) throw new Error(`${command}: ${answer.code}`);
  return answer.match;
}

export function seedFrom(random: number): string {
  return (BigInt(random) + 1n).toString(16).padStart(32, "1");
}

/** Numbers of a match of the first level (Solo: the second). */
export interface Case {
  readonly format: Format;
  /** By player in order. */
  readonly scores: readonly number[];
  readonly escaped: readonly number[];
  readonly turn?: number;
  readonly result?: MatchResult | null;
  readonly out?: Partial<Record<PlayerId, PlayerStatus>>;
  /** While it is being played; P1 when left out. */
  readonly mover?: PlayerId;
}

/** A match with these numbers, its board empty. */
export function matchWith({ format, scores, escaped, turn, result = "TIMEOUT", out = {}, mover = "P1" }: Case): Match {
  const level = levelOf(format, format === "solo" ? 2 : 1)!;
  const start = visibleOf(playing({ format, level: level.level, options: { orb: false } }));
  const mice: Record<MouseId, MouseState> = { ...start.mice };
  for (const [p, player] of level.players.entries()) {
    for (let i = 1; i <= escaped[p]!; i++) {
      const gone = { pos: "OUT", x: null, y: null, on_base: null, facing: null, status: "ESCAPED" } as const;
      mice[`M${i}_${player}`] = { owner: player, ...gone };
    }
  }
  const byPlayer = <T>(values: (p: number) => T) => Object.fromEntries(level.players.map((id, p) => [id, values(p)]));
  const nothing = { G1: 0, G2: 0, G3: 0, G4: 0 };
  const restored = restoreMatch(
    {
      ...start,
      mice,
      scores: byPlayer((p) => scores[p]!),
      statuses: { ...start.statuses, ...out },
      inventories: byPlayer((p) => (out[level.players[p]!] === undefined ? level.stock : nothing)),
      turn: turn ?? level.maxMoves,
      phase: result === null ? "playing" : "over",
      current_player: result === null ? mover : null,
      result,
    },
    SEED,
  );
  if (!restored.ok) throw new Error(restored.message);
  return restored.value;
}
