import { teamOf } from "./levels.ts";
import { byPlayer, type Match, positionInside } from "./match.ts";
import { ACTIVE } from "./position.ts";
import type { PerPlayer, PlayerId, Standings, StandingsInput } from "./types.ts";

/** A player, or a team of two (R3.1), as R10.5 compares them. */
interface Side {
  readonly players: readonly PlayerId[];
  readonly isIn: boolean;
  /** Exact integer; over the same divisor for all sides, so it orders as the efficiency does. */
  readonly product: number;
  readonly score: number;
  readonly tokens: number;
}

/** The order of the sides and the numbers behind it, as if the match ended now (R10.2–R10.6). */
export function standings(match: Match, input: StandingsInput): Standings {
  const position = positionInside(match);
  const { scores, escaped } = position;
  const mice = position.geometry.micePerPlayer;
  const sides = sidesOf(match).map((players): Side => {
    const indices = players.map((player) => match.players.indexOf(player));
    const sum = (value: (p: number) => number) => indices.reduce((total, p) => total + value(p), 0);
    return {
      players,
      isIn: indices.some((p) => position.status[p] === ACTIVE),
      product: sum((p) => scores[p]!) * sum((p) => escaped[p]!),
      score: sum((p) => scores[p]!),
      tokens: sum((p) => input.tokens[match.players[p]!] ?? 0),
    };
  });
  const team = (side: Side) => side.product / (4 * mice); // R10.4
  const ranked = match.result === null || match.result === "ABANDONED" ? {} : placesOf(sides, input.kind);
  return {
    places: ranked,
    winner: winnerOf(match, ranked),
    efficiency: byPlayer(position, (p) => {
      const product = scores[p]! * escaped[p]!;
      if (match.idealMoves === null) return product / mice; // R10.4
      return match.turn === 0 ? 0 : (product * match.idealMoves) / (match.turn * mice); // R10.3
    }),
    team_efficiency: match.format === "2v2" ? { A: team(sides[0]!), B: team(sides[1]!) } : null,
    rescued: byPlayer(position, (p) => (100 * escaped[p]!) / mice),
  };
}

function sidesOf(match: Match): readonly (readonly PlayerId[])[] {
  return match.format === "2v2"
    ? (["A", "B"] as const).map((team) => match.players.filter((player) => teamOf(player) === team))
    : match.players.map((player) => [player]);
}

/** R10.5: a side's place is 1 + the number of sides ahead of it. */
function placesOf(sides: readonly Side[], kind: string): PerPlayer<number> {
  const places: Partial<Record<PlayerId, number>> = {};
  for (const side of sides) {
    const tied = sides.filter((other) => compare(other, side) === 0);
    const byTokens = kind === "benchmark" && tied.every((other) => other.tokens > 0);
    const ahead = sides.filter((other) => {
      const order = compare(other, side);
      return order < 0 || (order === 0 && byTokens && other.tokens < side.tokens);
    });
    for (const player of side.players) places[player] = 1 + ahead.length;
  }
  return places;
}

/** Negative when a is ahead of b by R10.5 without tokens. */
function compare(a: Side, b: Side): number {
  if (a.isIn !== b.isIn) return a.isIn ? -1 : 1;
  return b.product - a.product || b.score - a.score;
}

function winnerOf(match: Match, places: PerPlayer<number>): readonly PlayerId[] {
  if (match.format === "solo" && match.result !== "VICTORY") return [];
  return match.players.filter((player) => places[player] === 1);
}
