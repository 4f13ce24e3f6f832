/** What the claims are held against: matches played by the engine, and the rules read off them naively. */
import { expect } from "vitest";
import {
  createMatch,
  type Format,
  legalFactors,
  type Match,
  PLAYERS,
  PLAYERS_OF,
  type PlayerId,
  step,
} from "../../engine/index.ts";
import { openMatch } from "../../protocol/match.ts";
import { view } from "../../protocol/view.ts";
import { type Fragment, fragments, type Module, PROMPT_MODES } from "../index.ts";
import { beforeJumps, blockOf, FORWARD, gearsOf, next, ownerOf, type Played, playAtRandom } from "./play.ts";

export const GAMES: readonly (readonly [Format, number])[] = [
  ["solo", 1],
  ["solo", 2],
  ["solo", 3],
  ["1v1", 1],
  ["2v2", 1],
  ["ffa4", 1],
];
export const turns: readonly Played[] = GAMES.flatMap(([format, level]) =>
  [1, 2, 3, 4].flatMap((seed) => playAtRandom(format, level, seed)),
);
export const soloTurns = turns.filter(({ before }) => before.format === "solo");
export const arenaTurns = turns.filter(({ before }) => before.format !== "solo");
/** At least one of the turns played shows it. */
export const witness = (found: readonly unknown[] | boolean) =>
  expect(found === true || (found !== false && found.length > 0)).toBe(true);
export const jumpsOf = ({ events }: Played) => events.filter((event) => event.type === "jumped");
export const delta = (from: number, to: number) => (to - from + 4) & 3;
export const start = (format: Format, level: number): Match => {
  const created = createMatch({ format, level, seed: "5f3bedef890f10583eb6bfc54e50c924" });
  if (!created.ok) throw new Error(created.message);
  return step(created.value, { type: "start" }).match;
};
export const refusalOf = (match: Match, command: string) => {
  const result = step(match, { type: "command", player: match.currentPlayer as PlayerId, command });
  return result.ok ? null : result.code;
};

/** R6.2, R6.3 worked out naively for every mouse that may jump, and compared with what happened. */
export function expectJumps(turn: Played): void {
  const { after, events } = turn;
  const gears = gearsOf(after);
  const looking = beforeJumps(turn);
  const stands = new Set(looking.map(({ tile, base }) => `${tile} ${base}`));
  const locked = events.flatMap((event) => (event.type === "locked" ? [event.mouse] : []));
  for (const { mouse, state, tile, base, facing } of looking) {
    const moved = events.find((e) => (e.type === "jumped" || e.type === "escaped") && e.mouse === mouse);
    const there = next(after, tile, facing);
    const isDecoy = state.is_decoy === true;
    if (isDecoy && (state.is_locked || locked.includes(mouse))) {
      expect(moved).toBeUndefined();
      continue;
    }
    if (there === null) {
      const leaves = !isDecoy && facing === FORWARD[ownerOf(mouse)];
      expect([mouse, moved?.type]).toEqual([mouse, leaves ? "escaped" : undefined]);
      continue;
    }
    const gear = gears.get(there);
    const back = gear === undefined ? -1 : delta(gear.b, facing + 2);
    const free = gear !== undefined && gear.taken[back] !== null && !stands.has(`${there} ${back}`);
    expect([mouse, moved ?? null]).toEqual([
      mouse,
      free ? expect.objectContaining({ type: "jumped", from: { tile, base }, to: { tile: there, base: back } }) : null,
    ]);
  }
}

/** R2.5 for the turned block, with the gear just placed in it. */
export function expectTurned({ before, after, events }: Played): void {
  const turned = events.find((event) => event.type === "turned");
  const placed = events.find((event) => event.type === "placed");
  if (turned === undefined) throw new Error("nothing was turned");
  const gears = gearsOf(after);
  const block = blockOf(after, gears, turned.tile);
  expect(turned.gears.map(({ tile }) => tile).sort()).toEqual([...block].sort());
  const kind = gears.get(turned.tile)?.kind;
  for (const { tile, from, to } of turned.gears) {
    const way = gears.get(tile)?.kind === kind ? turned.turn : -turned.turn;
    expect([tile, delta(from, to)]).toEqual([tile, way === 90 ? 1 : 3]);
  }
  if (events.some((event) => event.type === "entropy")) return;
  for (const [tile, { b }] of gearsOf(before)) {
    if (!block.has(tile) && tile !== placed?.tile) expect(gears.get(tile)?.b).toBe(b);
  }
}

export const viewOf = (match: Match, viewer: PlayerId) => {
  const { format, level, seed } = match;
  const live = openMatch({
    type: "created",
    at_ms: 0,
    match_id: "00000000-0000-7000-8000-000000000000" as never,
    room_code: "" as never,
    rules: 1,
    format,
    level,
    kind: "casual",
    seed,
    options: { invalid: "retry", orb: true, entropy: true, turn_seconds: null, legal_list: true, private: false },
    seats: [],
    host: null,
    preset: null,
    rematch_of: null,
  });
  return view({ ...live, engine: match }, viewer, { now: 0, deadline: null, connected: new Set(), spectators: 0 });
};
export type Row = readonly [module: Module, phrase: string, check: () => void];

export const jumpsAreRight = () => turns.forEach(expectJumps);
export const rotationStage = turns.filter(({ before }) => legalFactors(before)?.stage === "rotation");

/** Forward, backward or sideways, for the mouse's owner. */
export function wayOf(
  match: Match,
  jump: { readonly mouse: string; readonly from: { readonly tile: string }; readonly to: { readonly tile: string } },
) {
  const direction = [0, 1, 2, 3].find((d) => next(match, jump.from.tile, d) === jump.to.tile) ?? 0;
  return (["forward", "sideways", "backward", "sideways"] as const)[delta(FORWARD[ownerOf(jump.mouse)], direction)];
}

export function isOnEdge(match: Match, tile: string, player: PlayerId): boolean {
  return next(match, tile, FORWARD[player] + 2) === null;
}

/** Every fragment there is, of every prompt. */
export const ALL: readonly Fragment[] = PROMPT_MODES.flatMap((mode) => {
  const players = mode === "arena" ? PLAYERS : PLAYERS_OF[mode];
  return players.flatMap((player) => fragments(mode, player));
});

export function linesOf(module: Module): string[] {
  const lines = ALL.filter((f) => f.module === module).flatMap(({ text }) =>
    text
      .split("\n")
      .slice(1)
      .map((l) => l.slice(2)),
  );
  return [...new Set(lines)];
}
