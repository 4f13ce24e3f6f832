/** For the tests of the prompts: matches that were really played, and the rules read off them once more, naively. */
import { randomCommand, seedFrom } from "../../../test/unit/engine/helpers.ts";
import {
  board,
  createMatch,
  createRng,
  type Format,
  gearOwners,
  type Match,
  type MatchEvent,
  type MouseState,
  mice,
  type PlayerId,
  parseTile,
  step,
  tiles,
} from "../../engine/index.ts";

export interface Played {
  readonly before: Match;
  readonly after: Match;
  readonly player: PlayerId;
  readonly command: string;
  readonly events: readonly MatchEvent[];
}

export interface Gear {
  readonly tile: string;
  readonly type: string;
  readonly kind: "R" | "L";
  readonly b: number;
  /** Taken or not, by base; null: no such base. */
  readonly taken: readonly (boolean | null)[];
}

/** N, W, S, E. */
export const STEPS = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
] as const;
export const FORWARD: Readonly<Record<PlayerId, number>> = { P1: 0, P2: 2, P3: 1, P4: 3 };

/** A started match in which these commands were played by whoever was to move; each must be legal. */
export function played(format: Format, level: number, commands: readonly string[]): Played[] {
  const created = createMatch({ format, level, seed: seedFrom(7) });
  if (!created.ok) throw new Error(created.message);
  let match = step(created.value, { type: "start" }).match;
  return commands.map((command) => {
    const before = match;
    const player = before.currentPlayer as PlayerId;
    const result = step(before, { type: "command", player, command });
    if (!result.ok) throw new Error(`${command}: ${result.message}`);
    match = result.match;
    return { before, after: match, player, command, events: result.events };
  });
}

/** Whole matches of random legal commands. */
export function playAtRandom(format: Format, level: number, seed: number): Played[] {
  const rng = createRng(seedFrom(seed));
  const created = createMatch({ format, level, seed: seedFrom(seed + 1_000) });
  if (!created.ok) throw new Error(created.message);
  const all: Played[] = [];
  let match = step(created.value, { type: "start" }).match;
  while (match.currentPlayer !== null) {
    const before = match;
    const player = before.currentPlayer as PlayerId;
    const command = randomCommand(before, rng);
    const result = step(before, { type: "command", player, command });
    if (!result.ok) throw new Error(`${command}: ${result.message}`);
    match = result.match;
    all.push({ before, after: match, player, command, events: result.events });
  }
  return all;
}

export function placeOf(match: Match, tile: string): { readonly x: number; readonly y: number } {
  const place = parseTile(tile, match);
  if (!place.ok) throw new Error(`${tile} is no tile`);
  return place.value;
}

/** The label of the tile next to `tile` in a direction; null off the board. */
export function next(match: Match, tile: string, direction: number): string | null {
  const { x, y } = placeOf(match, tile);
  const [dx, dy] = STEPS[direction & 3] ?? [0, 0];
  const inside = x + dx >= 1 && x + dx <= match.width && y + dy >= 1 && y + dy <= match.height;
  return inside ? `P${x + dx}${y + dy}` : null;
}

const gearsRead = new WeakMap<Match, Map<string, Gear>>();

/** Read off the board's text alone (R13.1). */
export function gearsOf(match: Match): Map<string, Gear> {
  const known = gearsRead.get(match);
  if (known) return known;
  const texts = board(match);
  const read = new Map(
    tiles(match).flatMap((tile, i): [string, Gear][] => {
      const found = /^(G[1-4])P\d+([RL])([0-3])B([012]{4})$/.exec(texts[i] ?? "");
      if (found === null) return [];
      const [, type = "", kind, b, bases = ""] = found;
      const taken = [...bases].map((digit) => (digit === "2" ? null : digit === "1"));
      return [[tile, { tile, type, kind: kind as "R" | "L", b: Number(b), taken }]];
    }),
  );
  gearsRead.set(match, read);
  return read;
}

/** All gears connected with that of `tile`, by tile. */
export function blockOf(match: Match, gears: ReadonlyMap<string, unknown>, tile: string): Set<string> {
  const found = new Set([tile]);
  for (const one of found) {
    for (const direction of [0, 1, 2, 3]) {
      const there = next(match, one, direction);
      if (there !== null && gears.has(there)) found.add(there);
    }
  }
  return found;
}

/** Tiles of all blocks that hold a gear of the player. */
export function networkOf(match: Match, player: PlayerId): Set<string> {
  const gears = gearsOf(match);
  const own = Object.entries(gearOwners(match)).filter(([, owner]) => owner === player);
  return new Set(own.flatMap(([tile]) => [...blockOf(match, gears, tile)]));
}

export interface Looking {
  readonly mouse: string;
  readonly state: MouseState;
  readonly tile: string;
  readonly base: number;
  readonly facing: number;
}

/** The mice in play as they stood when it was their time to jump: the end of the turn with its jumps taken back. */
export function beforeJumps({ after, events }: Played): Looking[] {
  const gears = gearsOf(after);
  const from = new Map<string, { tile: string; base: number }>();
  for (const event of events)
    if (event.type === "jumped" || event.type === "escaped") from.set(event.mouse, event.from);
  const appeared = events.find((event) => event.type === "orb");
  return Object.entries(mice(after)).flatMap(([mouse, state]): Looking[] => {
    if (appeared?.mouse === mouse) return [];
    const place = from.get(mouse) ?? (state.on_base === null ? null : { tile: state.pos, base: state.on_base });
    if (place === null) return [];
    const facing = ((gears.get(place.tile)?.b ?? 0) + place.base) & 3;
    return [{ mouse, state, ...place, facing }];
  });
}

export const ownerOf = (mouse: string) => mouse.split("_")[1] as PlayerId;
