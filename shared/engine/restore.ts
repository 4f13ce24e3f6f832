import { parseBoard } from "./board.ts";
import { geometryOf } from "./geometry.ts";
import { networkOf } from "./legal.ts";
import { LEVELS, levelOf } from "./levels.ts";
import { completeOptions, Match } from "./match.ts";
import { emptyPosition, lockOrb, putGear, putMouse } from "./pieces.ts";
import { drawWaits } from "./planes.ts";
import { ABSENT, ACTIVE, BASES, blockOf, ESCAPED, IN_PLAY, NONE, type Position } from "./position.ts";
import { isSeed } from "./rng.ts";
import { facingOf } from "./search.ts";
import { makeTile } from "./text.ts";
import { endOf, LOST_TURNS, REFUSALS_PER_TURN } from "./turn.ts";
import {
  FORMATS,
  GEAR_TYPES,
  type MouseState,
  PHASES,
  PLAYER_STATUSES,
  type PlayerId,
  RESULTS,
  type Result,
  type VisibleMatch,
} from "./types.ts";

class BadState extends Error {}

/**
 * A match from what a seat can see of it, under a seed of the caller's own (R11.4): as long as nothing is drawn it
 * goes on as the real one does. A state that no match could be in is refused; the message says which part.
 */
export function restoreMatch(visible: VisibleMatch, seed: string): Result<Match, "bad_state"> {
  try {
    return { ok: true, value: restore(visible, seed) };
  } catch (error) {
    if (error instanceof BadState) return { ok: false, code: "bad_state", message: error.message };
    throw error;
  }
}

function restore(visible: VisibleMatch, seed: string): Match {
  demand(isSeed(seed), "The seed is none.");
  const known = FORMATS.includes(visible.format) ? LEVELS[visible.format] : [];
  const level = levelOf(visible.format, known.find((each) => String(each) === visible.level_id) ?? 0);
  const options = completeOptions(visible.format, visible.options ?? {});
  if (level === null) throw new BadState(`There is no level ${visible.level_id} of format ${visible.format}.`);
  if (options === null) throw new BadState("The options are none.");
  const position = emptyPosition(geometryOf(level), options, seed);
  const history = [...(visible.history ?? [])];
  restoreBoard(position, visible);
  restorePlayers(position, visible);
  restoreMice(position, visible);
  restoreScores(position, visible);
  restoreTurn(position, visible);
  restoreLateTurns(position, history);
  return new Match(position, seed, options, history);
}

function restoreBoard(position: Position, visible: VisibleMatch): void {
  const { geometry } = position;
  const texts = geometry.labels.map((label) => visible.board_encoding?.[label] ?? "");
  const cells = parseBoard(texts, geometry.level);
  if (!cells.ok) throw new BadState(cells.message);
  demand(Object.keys(visible.board_encoding).length === texts.length, "The board has tiles that are not on it.");
  let gears = 0;
  for (const [tile, cell] of cells.value.entries()) {
    const label = geometry.labels[tile]!;
    demand((cell.type === "obstacle") === (geometry.isFree[tile] === 0), `Obstacles differ from the level: ${label}.`);
    if (cell.type !== "gear") continue;
    const owner = playerIndex(position, visible.gear_owners?.[label]);
    demand(owner >= 0, `The gear on ${label} has no owner.`);
    putGear(position, tile, GEAR_TYPES.indexOf(cell.gear) + 1, cell.b, owner);
    position.free[tile]! &= ~cell.taken;
    gears++;
  }
  demand(Object.keys(visible.gear_owners ?? {}).length === gears, "Gear owners and gears differ.");
  for (let tile = 0; tile < geometry.tileCount; tile++) {
    const owner = position.owner[tile]!;
    const parted = owner !== NONE && blockOf(position, tile) !== networkOf(position, owner);
    demand(!parted, `The gear on ${geometry.labels[tile]} is cut off from its owner's network.`); // R4.3
  }
}

function restorePlayers(position: Position, visible: VisibleMatch): void {
  const { geometry, gear, owner } = position;
  for (const [p, player] of geometry.level.players.entries()) {
    const told = visible.statuses?.[player];
    const status = told === undefined ? -1 : PLAYER_STATUSES.indexOf(told);
    demand(status >= 0, `${player} has no status.`);
    position.status[p] = status;
    let left = 0;
    for (const [i, type] of GEAR_TYPES.entries()) {
      const stock = visible.inventories?.[player]?.[type];
      const placed = gear.reduce((n, each, tile) => n + (each === i + 1 && owner[tile] === p ? 1 : 0), 0);
      const all = geometry.stock[i]!;
      const right = status === ACTIVE ? stock === all - placed : stock === 0 && placed <= all; // R9.3
      demand(right, `${player}'s stock of ${type} does not fit the board.`);
      position.stock[4 * p + i] = stock!;
      left += stock!;
    }
    position.stockLeft[p] = left;
    const lost = visible.lost_turns?.[player];
    demand(isCount(lost, position.invalid === "retry" ? LOST_TURNS : 0), `${player}'s lost turns are out of bounds.`);
    demand(visible.statuses[player] !== "FORFEITED" || lost === LOST_TURNS, `${player} cannot be FORFEITED.`); // R8.3
    demand(lost! < LOST_TURNS || status !== ACTIVE || visible.phase === "over", `${player} must be FORFEITED.`);
    position.lostTurns[p] = lost!;
  }
}

function restoreMice(position: Position, visible: VisibleMatch): void {
  const { geometry } = position;
  let known = 0;
  let riding = 0;
  for (let mouse = 0; mouse <= geometry.orb; mouse++) {
    const id = geometry.mouseIds[mouse]!;
    const state = visible.mice?.[id];
    if (state === undefined && mouse === geometry.orb) continue;
    if (state === undefined) throw new BadState(`${id} is missing.`);
    known++;
    if (mouse === geometry.orb) restoreOrb(position, state);
    else demand(state.owner === geometry.level.players[geometry.mouseOwner[mouse]!], `${id} has another owner.`);
    restoreMouse(position, mouse, state);
    if (position.mouseStatus[mouse] === IN_PLAY) riding++;
  }
  demand(Object.keys(visible.mice).length === known, "There are mice that this level has not.");
  let taken = 0;
  for (let tile = 0; tile < geometry.tileCount; tile++) {
    for (let base = 0; base < 4; base++) if (isTaken(position, tile, base)) taken++;
  }
  demand(taken === riding, "Mice and taken bases differ."); // R3.6: no base twice
  drawWaits(position);
  for (let mouse = 0; mouse <= geometry.orb; mouse++) {
    if (position.mouseStatus[mouse] !== IN_PLAY) continue;
    putMouse(position, mouse, position.mouseTile[mouse]!, position.mouseBase[mouse]!);
  }
  if (position.orbLocked) {
    const ahead = geometry.neighbour[4 * position.mouseTile[geometry.orb]!]!; // it leaves to the north, as P1's mice
    demand(ahead < 0, "The Orb is locked away from the exit."); // R7.2
    lockOrb(position);
  }
}

function restoreOrb(position: Position, state: MouseState): void {
  const right = position.orb && state.owner === null && state.is_decoy === true && state.status === "IN_PLAY";
  demand(right && typeof state.is_locked === "boolean", "This cannot be the Orb.");
  position.orbLocked = state.is_locked === true;
}

function restoreMouse(position: Position, mouse: number, state: MouseState): void {
  const { geometry } = position;
  const id = geometry.mouseIds[mouse]!;
  switch (state.status) {
    case "WAITING": {
      const { x, y } = geometry.mouseOutside[mouse]!;
      demand(state.pos === makeTile(x, y) && state.x === x && state.y === y, `${id} waits at the wrong place.`);
      return;
    }
    case "ESCAPED":
      demand(state.pos === "OUT", `${id} is ESCAPED and not OUT.`);
      position.mouseStatus[mouse] = ESCAPED;
      position.escaped[geometry.mouseOwner[mouse]!]! += 1;
      position.waiting -= 1;
      return;
    case "IN_PLAY": {
      const tile = geometry.tileOf.get(state.pos);
      const base = state.on_base;
      if (tile === undefined || base === null) throw new BadState(`${id} is on no tile.`);
      const inPlace = state.x === (tile % geometry.width) + 1 && state.y === Math.floor(tile / geometry.width) + 1;
      demand(inPlace && position.gear[tile] !== 0 && isCount(base, 3), `${id} is not on a gear.`);
      position.mouseStatus[mouse] = IN_PLAY;
      position.mouseTile[mouse] = tile;
      position.mouseBase[mouse] = base;
      if (mouse !== geometry.orb) position.waiting -= 1;
      demand(facingOf(position, mouse) === state.facing, `${id} faces another way.`);
      for (let other = 0; other < mouse; other++) {
        const same = position.mouseTile[other] === tile && position.mouseBase[other] === base;
        demand(!same || position.mouseStatus[other] !== IN_PLAY, `${id} shares its base.`); // R3.6
      }
      demand(isTaken(position, tile, base), `The base of ${id} is not taken.`);
      return;
    }
    default:
      throw new BadState(`${id} has no status.`);
  }
}

/** R6.5: the score is what the places of the mice and some number of sideways jumps make. */
function restoreScores(position: Position, visible: VisibleMatch): void {
  const { geometry } = position;
  const base = new Array<number>(geometry.playerCount).fill(0);
  for (let mouse = 0; mouse < geometry.mouseCount; mouse++) {
    const owner = geometry.mouseOwner[mouse]!;
    const status = position.mouseStatus[mouse]!;
    if (status === ESCAPED) base[owner]! += 10 * lane(position, mouse);
    if (status === IN_PLAY) base[owner]! += 10 * gained(position, mouse);
  }
  for (const [p, player] of geometry.level.players.entries()) {
    const score = visible.scores?.[player];
    const sideways = (score ?? -1) - base[p]!;
    demand(sideways >= 0 && sideways % 5 === 0, `${player}'s score does not fit the mice.`);
    position.scores[p] = score!;
  }
}

/** Rows of the mouse's way, the exit counted: what an escaped mouse brought, in tens. */
function lane(position: Position, mouse: number): number {
  const { width, height, mouseForward } = position.geometry;
  return mouseForward[mouse]! % 2 === 0 ? height : width;
}

/** Rows from the start edge to where the mouse is. */
function gained(position: Position, mouse: number): number {
  const { width, mouseForward, mouseStart } = position.geometry;
  const [tile, start] = [position.mouseTile[mouse]!, mouseStart[mouse]!];
  const vertical = mouseForward[mouse]! % 2 === 0;
  return Math.abs(vertical ? Math.floor(tile / width) - Math.floor(start / width) : (tile % width) - (start % width));
}

function restoreTurn(position: Position, visible: VisibleMatch): void {
  const { geometry } = position;
  const gears = position.gear.reduce((n, type) => n + (type === 0 ? 0 : 1), 0);
  demand(isCount(visible.turn, geometry.level.maxMoves) && visible.turn >= gears, "The turn counter is out of bounds.");
  demand(PHASES.includes(visible.phase), "The phase is none.");
  demand(isCount(visible.refusals_this_turn, REFUSALS_PER_TURN - 1), "The refusals are out of bounds.");
  position.turn = visible.turn;
  position.phase = PHASES.indexOf(visible.phase);
  position.refusals = visible.refusals_this_turn;
  const current = playerIndex(position, visible.current_player);
  switch (visible.phase) {
    case "waiting":
      demand(visible.turn === 0 && current < 0 && visible.result === null, "A match that waits has no turns.");
      demand(visible.refusals_this_turn === 0 && !position.status.some((status) => status !== ACTIVE), "Not begun.");
      break;
    case "playing":
      demand(current >= 0 && position.status[current] === ACTIVE, "The player to move is not in the match.");
      demand(visible.result === null && endOf(position) === null, "The match would be over.");
      position.current = current;
      break;
    case "over": {
      const result = RESULTS.indexOf(visible.result!);
      const right = visible.result === "ABANDONED" || visible.result === endOf(position);
      demand(result >= 0 && right && visible.current_player === null, "The result does not fit.");
      position.result = result + 1;
      break;
    }
  }
  if (!position.orb) return;
  const due = position.turn >= geometry.orbTurn && position.free.some((bases) => bases !== 0);
  const absent = position.mouseStatus[geometry.orb] === ABSENT;
  demand(absent ? !due : position.turn >= geometry.orbTurn, "The Orb is there too early or too late."); // R7.2
}

/** The turn in which a clock ran out stands in the history alone (R9.3). */
function restoreLateTurns(position: Position, history: readonly string[]): void {
  for (const line of history) {
    const match = /^Turn ([0-9]+) \[(P[1-4])\]: \[TIMEOUT\]$/.exec(line);
    const player = match === null ? -1 : playerIndex(position, match[2] as PlayerId);
    if (player >= 0) position.lateTurn[player] = Number(match![1]) - 1;
  }
}

function isTaken(position: Position, tile: number, base: number): boolean {
  return (((BASES[position.gear[tile]!]! & ~position.free[tile]!) >> base) & 1) === 1;
}

function playerIndex(position: Position, player: PlayerId | null | undefined): number {
  return player == null ? -1 : position.geometry.level.players.indexOf(player);
}

function isCount(value: number | undefined, max: number): boolean {
  return Number.isInteger(value) && value! >= 0 && value! <= max;
}

function demand(holds: boolean, message: string): void {
  if (!holds) throw new BadState(message);
}
