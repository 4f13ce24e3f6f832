/** What a command would do, computed here by the same engine, before anybody commits to it. */
import { type LegalFactors, legalFactors, type Match, restoreMatch, step } from "../../shared/engine/index.ts";
import type { MatchEvent, PerPlayer, PlayerId, Quarter, TileLabel } from "../../shared/engine/types.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { visibleIn } from "../../shared/protocol/visible.ts";
import { type BestAnswer, bestAnswer } from "./answer.ts";

/** Looking ahead draws from a generator of its own (R11.4); what it would draw is not shown. */
const SEARCH_SEED = "0123456789abcdef0123456789abcdef";

export interface Preview {
  readonly command: string;
  /** In order; nothing after a draw of the generator (entropy, Orb), which only the server knows. */
  readonly events: readonly MatchEvent[];
  /** Points gained, by player; players who gain nothing are left out. */
  readonly points: PerPlayer<number>;
  readonly entered: number;
  readonly jumped: number;
  readonly escaped: number;
  /** Entropy will strike: jumps cannot be foretold. */
  readonly entropy: boolean;
  /** Players whose gears become part of the mover's network by this placement: they may turn it too. */
  readonly merges: readonly PlayerId[];
  /** What the next player could make of it; null where that is our own side or nobody. */
  readonly answer: BestAnswer | null;
}

/** The engine's match behind a state, or null when it cannot be restored. */
export function matchOf(state: NativeState): Match | null {
  const restored = restoreMatch(visibleIn(state), SEARCH_SEED);
  return restored.ok ? restored.value : null;
}

export function factorsOf(match: Match): LegalFactors | null {
  return legalFactors(match);
}

/** What `command` of the player to move would do; null when it is not legal. */
export function previewOf(match: Match, state: NativeState, command: string): Preview | null {
  const player = match.currentPlayer;
  if (player === null) return null;
  const done = step(match, { type: "command", player, command });
  if (!done.ok) return null;
  const entropyAt = done.events.findIndex((e) => e.type === "entropy");
  const known = (entropyAt < 0 ? done.events : done.events.slice(0, entropyAt)).filter((e) => e.type !== "orb");
  const points: Partial<Record<PlayerId, number>> = {};
  for (const event of known) {
    if (event.type !== "jumped" && event.type !== "escaped") continue;
    const owner = state.data.mice[event.mouse]?.owner;
    if (owner) points[owner] = (points[owner] ?? 0) + event.points;
  }
  const number = (type: MatchEvent["type"]) => known.filter((e) => e.type === type).length;
  return {
    command,
    events: known,
    points,
    entered: number("entered"),
    jumped: number("jumped"),
    escaped: number("escaped"),
    entropy: entropyAt >= 0,
    merges: merges(state, player, known),
    answer: bestAnswer(done.match, player, SEARCH_SEED),
  };
}

/** Owners of gears in the block that turns who have no gear in it yet by the mover's own network. */
function merges(state: NativeState, player: PlayerId, events: readonly MatchEvent[]): PlayerId[] {
  if (!events.some((e) => e.type === "placed")) return [];
  const turned = events.find((e) => e.type === "turned");
  if (turned?.type !== "turned") return [];
  const owners = new Set(turned.gears.flatMap(({ tile }) => state.data.gear_owners[tile] ?? []));
  owners.delete(player);
  const mine = networkOwners(state, player);
  return [...owners].filter((owner) => !mine.has(owner));
}

/** Everybody with a gear in the blocks of a player (R2.6), before the move. */
function networkOwners(state: NativeState, player: PlayerId): Set<PlayerId> {
  const owners = new Set<PlayerId>();
  const open = (Object.keys(state.data.gear_owners) as TileLabel[]).filter((t) => state.data.gear_owners[t] === player);
  const done = new Set<TileLabel>(open);
  const size = Number(state.meta.dimensions.split("x")[0]);
  for (let tile = open.pop(); tile !== undefined; tile = open.pop()) {
    const owner = state.data.gear_owners[tile];
    if (owner) owners.add(owner);
    for (const next of neighbours(tile, size)) {
      if (state.data.gear_owners[next] === undefined || done.has(next)) continue;
      done.add(next);
      open.push(next);
    }
  }
  return owners;
}

/** Tiles that share a side, by label; labels are made, never taken apart (R1.1). */
export function neighbours(tile: TileLabel, size: number): TileLabel[] {
  for (let y = 1; y <= size; y++) {
    for (let x = 1; x <= size; x++) {
      if (`P${x}${y}` !== tile) continue;
      return [
        [x, y + 1],
        [x - 1, y],
        [x, y - 1],
        [x + 1, y],
      ].map(([nx, ny]) => `P${nx}${ny}` as TileLabel);
    }
  }
  return [];
}

/** Orientation of a gear in a state, 0 when there is none. */
export function orientationAt(state: NativeState, tile: TileLabel): Quarter {
  const found = /[RL]([0-3])B/.exec(state.data.board_encoding[tile] ?? "");
  return (found ? Number(found[1]) : 0) as Quarter;
}
