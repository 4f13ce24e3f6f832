/** Helpers of the tests beside the engine. */
import {
  createMatch,
  createRng,
  decodeMove,
  FORMATS,
  type Format,
  LEVELS,
  type Match,
  type MatchSetup,
  makeCommand,
  positionOf,
  randomMove,
  step,
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
