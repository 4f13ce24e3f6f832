/** How good a position is for each player, in the units of R10.4: a guess at the efficiency that is still to come. */
import { ACTIVE, ESCAPED, orientation, PHASES, type Position, WAITING } from "../../shared/engine/index.ts";

const OVER = PHASES.indexOf("over");

/** How likely a mouse will escape, by what is known of it. Tuned by matches of the brains against each other. */
export interface Weights {
  /** A mouse outside whose start tile has no gear that could take it within one turn of it. */
  readonly outside: number;
  /** One that a single turn of the block would let in. */
  readonly atTheDoor: number;
  /** On its start row. */
  readonly inPlay: number;
  /** Added on the way from the first to the last row. */
  readonly advance: number;
  /** Added when a single turn of the block carries it forward or out. */
  readonly canAdvance: number;
  /** Added when a single turn carries it sideways only. */
  readonly canSidestep: number;
  /** What a point is worth beside the efficiency. */
  readonly point: number;
  /** How much the own side's worth counts, and how much that of the sides against it. */
  readonly own: number;
  readonly rivals: number;
}

export const WEIGHTS: Weights = {
  outside: 0.02,
  atTheDoor: 0.08,
  inPlay: 0.15,
  advance: 0.5,
  canAdvance: 0.12,
  canSidestep: 0.03,
  point: 0.05,
  own: 1,
  rivals: 1,
};

/** Added to the worth of a side that has won, and taken from one that has lost. */
const DECIDED = 200;

const expected = new Float64Array(4);
const points = new Float64Array(4);
const worth = new Float64Array(4);

/**
 * Fills `into[player]` with how far the player's side is ahead of the others: higher is better for that player.
 * A finished match counts by its result (R10.5).
 */
export function evaluate(position: Position, weights: Weights, into: Float64Array): void {
  const { geometry } = position;
  const players = geometry.playerCount;
  expected.fill(0);
  points.fill(0);
  for (let p = 0; p < players; p++) {
    expected[p] = position.escaped[p]!;
    points[p] = position.scores[p]!;
  }
  if (position.phase !== OVER) hope(position, weights);
  sides(position, weights);
  if (players === 1) {
    // R10.3: every turn costs; a match that is not over takes at least one more.
    const over = position.phase === OVER;
    const moves = position.turn + (over ? 0 : 1);
    const won = over && expected[0] === geometry.micePerPlayer;
    into[0] = (worth[0]! * geometry.level.idealMoves!) / moves + (won ? DECIDED : 0);
    return;
  }
  const teams = geometry.level.format === "2v2";
  for (let p = 0; p < players; p++) into[p] = lead(position, p, teams, players, weights);
}

/** Adds what the mice that are not out yet may still bring. */
function hope(position: Position, weights: Weights): void {
  const { geometry, mouseStatus } = position;
  const { width, height, mouseCount, mouseForward, mouseOwner } = geometry;
  const turnsLeft = geometry.level.maxMoves - position.turn;
  for (let mouse = 0; mouse < mouseCount; mouse++) {
    const status = mouseStatus[mouse]!;
    if (status === ESCAPED) continue;
    const forward = mouseForward[mouse]!;
    const length = (forward & 1) === 0 ? height : width;
    let chance: number;
    let rowsToGo = length - 1;
    if (status === WAITING) {
      if (turnsLeft < length) continue;
      chance = atTheDoor(position, mouse, forward) ? weights.atTheDoor : weights.outside;
    } else {
      const rows = rowsGained(position, mouse, forward);
      rowsToGo = length - 1 - rows;
      if (turnsLeft <= rowsToGo) continue;
      chance = weights.inPlay + (weights.advance * rows) / (length - 1) + mobility(position, mouse, forward, weights);
    }
    const owner = mouseOwner[mouse]!;
    expected[owner]! += chance;
    points[owner]! += chance * 10 * (rowsToGo + 1);
  }
}

function rowsGained(position: Position, mouse: number, forward: number): number {
  const { width, height } = position.geometry;
  const tile = position.mouseTile[mouse]!;
  switch (forward) {
    case 0:
      return (tile / width) | 0;
    case 2:
      return height - 1 - ((tile / width) | 0);
    case 1:
      return width - 1 - (tile % width);
    default:
      return tile % width;
  }
}

/** Whether one turn of its start gear's block, this way or that, would let the waiting mouse in (R6.1). */
function atTheDoor(position: Position, mouse: number, forward: number): boolean {
  const tile = position.geometry.mouseStart[mouse]!;
  const free = position.free[tile]!;
  if (free === 0) return false;
  const base = (forward + 2 - orientation(position, tile)) & 3;
  return ((free >> ((base + 1) & 3)) & 1) === 1 || ((free >> ((base + 3) & 3)) & 1) === 1;
}

/** What the better of the two turns of its block would do for the mouse (R6.2, R6.3). */
function mobility(position: Position, mouse: number, forward: number, weights: Weights): number {
  const { neighbour } = position.geometry;
  const tile = position.mouseTile[mouse]!;
  const facing = orientation(position, tile) + position.mouseBase[mouse]!;
  let best = 0;
  for (let turn = 1; turn <= 3; turn += 2) {
    const f = (facing + turn) & 3;
    if (((f - forward) & 3) === 2) continue;
    const next = neighbour[4 * tile + f]!;
    if (next < 0) {
      if (f === forward) return weights.canAdvance;
      continue;
    }
    const free = position.free[next]!;
    if (free === 0) continue;
    // Two tiles that touch turn against each other (R2.5).
    const to = (f + 2 - (orientation(position, next) - turn)) & 3;
    if (((free >> to) & 1) === 0) continue;
    if (f === forward) return weights.canAdvance;
    best = weights.canSidestep;
  }
  return best;
}

/** The worth of each player's side: R10.4 with what is expected, and a little for the points themselves. */
function sides(position: Position, weights: Weights): void {
  const own = position.geometry.micePerPlayer;
  const { format } = position.geometry.level;
  const players = position.geometry.playerCount;
  if (format === "2v2") {
    for (let p = 0; p < 4; p += 2) {
      const s = points[p]! + points[p + 1]!;
      const e = expected[p]! + expected[p + 1]!;
      worth[p] = worth[p + 1] = (s * e) / (4 * own) + (weights.point * s) / 2;
    }
    return;
  }
  for (let p = 0; p < players; p++) worth[p] = (points[p]! * expected[p]!) / own + weights.point * points[p]!;
}

/** How far the player's side is ahead: of the best other side, and a little of all of them. */
function lead(position: Position, player: number, teams: boolean, players: number, weights: Weights): number {
  const mine = worth[player]!;
  const over = position.phase === OVER;
  let best = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let others = 0;
  let anyoneIn = false;
  for (let p = 0; p < players; p++) {
    if (teams ? p >> 1 === player >> 1 : p === player) continue;
    if (position.status[p] !== ACTIVE) continue;
    anyoneIn = true;
    sum += worth[p]!;
    others++;
    if (worth[p]! > best) best = worth[p]!;
  }
  const stillIn = sideIn(position, player, teams);
  if (!stillIn) return -DECIDED - 1_000;
  if (!anyoneIn) return weights.own * mine + (over ? DECIDED : 0);
  const theirs = teams || others === 1 ? best : 0.6 * best + (0.4 * sum) / others;
  const margin = weights.own * mine - weights.rivals * theirs;
  if (!over) return margin;
  return margin + (mine > best ? DECIDED : mine < best ? -DECIDED : 0);
}

function sideIn(position: Position, player: number, teams: boolean): boolean {
  if (!teams) return position.status[player] === ACTIVE;
  const first = player & 2;
  return position.status[first] === ACTIVE || position.status[first + 1] === ACTIVE;
}
