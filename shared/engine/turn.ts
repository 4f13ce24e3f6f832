import { type EncodedMove, moveB, movePremoved, moveTile, moveTurn, moveType, NO_PREMOVE } from "./moves.ts";
import { lockOrb, putGear, putMouse, setOrientation, turnBlock } from "./pieces.ts";
import { FOUND, findEntries, findExits, flipBase, flipWait, makeJumps } from "./planes.ts";
import { ABSENT, ACTIVE, ESCAPED, IN_PLAY, orientation, type Position } from "./position.ts";
import type { Recorder } from "./recorder.ts";
import { below, shuffle } from "./rng.ts";
import { type Departure, type MatchResult, PHASES, PLAYER_STATUSES, RESULTS } from "./types.ts";

export const PLAYING = PHASES.indexOf("playing");
export const OVER = PHASES.indexOf("over");

/** R8.3: the refusal that loses the turn, the lost turn that forfeits. */
export const REFUSALS_PER_TURN = 10;
export const LOST_TURNS = 3;

/** R6.5 */
const EXIT_POINTS = 10;

/** What planes.ts found. */
const found = new Uint16Array(FOUND);

/** Plays one legal move of the player to move: R5 from R5.2 to R5.9. The recorder, if any, hears what happens. */
export function playTurn(position: Position, move: EncodedMove, recorder: Recorder | null): void {
  const tile = moveTile(move);
  const type = moveType(move);
  let emptied = false;
  if (type !== 0) {
    emptied = place(position, type, tile, moveB(move), recorder); // R5.2
    enter(position, recorder);
  } else {
    const premoved = movePremoved(move);
    if (premoved !== NO_PREMOVE) {
      if (recorder !== null) recorder.premoved(position, premoved, moveB(move));
      setOrientation(position, premoved, moveB(move));
    }
  }
  const turn = moveTurn(move);
  if (recorder !== null) recorder.turned(position, tile, turn);
  turnBlock(position, tile, turn); // R5.3
  if (emptied && position.entropy) entropy(position, recorder); // R5.4
  enter(position, recorder); // R5.5
  jump(position, recorder); // R5.6
  endTurn(position, recorder);
}

/** R5.7–R5.9, which a lost turn runs too (R8.2). */
export function endTurn(position: Position, recorder: Recorder | null): void {
  position.turn += 1;
  passOn(position);
  if (position.orb && position.mouseStatus[position.geometry.orb] === ABSENT) injectOrb(position, recorder);
  checkEnd(position, recorder);
}

/** R9.3: the player leaves; not a turn. */
export function goOut(position: Position, player: number, reason: Departure, recorder: Recorder | null): void {
  position.status[player] = PLAYER_STATUSES.indexOf(reason);
  position.stock.fill(0, 4 * player, 4 * player + 4);
  position.stockLeft[player] = 0;
  const onTurn = position.current === player;
  if (reason === "TIMEOUT") position.lateTurn[player] = position.turn;
  if (recorder !== null) recorder.out(position, player, reason);
  if (onTurn) passOn(position);
  checkEnd(position, recorder);
}

/** Ends the match (R10.1). */
export function finish(position: Position, result: MatchResult, recorder: Recorder | null): void {
  position.phase = OVER;
  position.result = RESULTS.indexOf(result) + 1;
  if (recorder !== null) recorder.over(result);
}

/** The result that holds now (R10.1 without ABANDONED), or null. */
export function endOf(position: Position): MatchResult | null {
  const { geometry, status, escaped } = position;
  const players = geometry.playerCount;
  let stillIn = 0;
  let firstSide = 0;
  let secondSide = 0;
  let allOut = true; // of the players still in: have all their mice escaped?
  const teams = geometry.level.format === "2v2";
  for (let p = 0; p < players; p++) {
    if (status[p] !== ACTIVE) continue;
    stillIn++;
    if (teams && p >= 2) secondSide = 1;
    else firstSide = 1;
    if (escaped[p]! < geometry.micePerPlayer) allOut = false;
  }
  if (players === 1) {
    if (stillIn === 0) return PLAYER_STATUSES[status[0]!] === "TIMEOUT" ? "TIMEOUT" : "FORFEIT";
  } else if ((teams ? firstSide + secondSide : stillIn) <= 1) {
    return "FORFEIT";
  }
  if (stillIn > 0 && allOut) return "VICTORY";
  if (position.turn >= geometry.level.maxMoves) return "TIMEOUT";
  return null;
}

function checkEnd(position: Position, recorder: Recorder | null): void {
  const result = endOf(position);
  if (result !== null) finish(position, result, recorder);
}

/** The next player still in is to move (R9.1); with nobody in, nothing changes. */
function passOn(position: Position): void {
  const players = position.geometry.playerCount;
  position.refusals = 0;
  let next = position.current;
  for (let i = 0; i < players; i++) {
    next = next + 1 === players ? 0 : next + 1;
    if (position.status[next] !== ACTIVE) continue;
    position.current = next;
    return;
  }
}

/** Puts the gear and takes it from stock; true when that emptied the stock. */
function place(position: Position, type: number, tile: number, b: number, recorder: Recorder | null): boolean {
  const player = position.current;
  position.stock[4 * player + type - 1]! -= 1;
  position.stockLeft[player]! -= 1;
  putGear(position, tile, type, b, player);
  if (recorder !== null) recorder.placed(player, type, tile, b);
  return position.stockLeft[player] === 0;
}

/** R6.1 */
function enter(position: Position, recorder: Recorder | null): void {
  if (position.waiting === 0) return;
  const { laneMouse } = position.geometry;
  const count = findEntries(position, found);
  if (recorder !== null) sortByMouse(position, count, waitingFor);
  for (let i = 0; i < count; i++) {
    const code = found[i]!;
    const tile = code >> 2;
    const mouse = laneMouse[code]!;
    const base = ((code & 3) - orientation(position, tile)) & 3;
    putMouse(position, mouse, tile, base);
    flipWait(position, mouse);
    position.waiting -= 1;
    if (recorder !== null) recorder.entered(mouse, tile, base);
  }
}

/** R6.2–R6.5. The one loop that search lives in: it visits only mice that move. */
function jump(position: Position, recorder: Recorder | null): void {
  const { geometry, occupant, mouseTile, mouseBase, spin, slot, offset, free, tally } = position;
  const { neighbour, mouseForward, orb, jumpGain, rim } = geometry;
  let near = 0;
  let count = makeJumps(position, found);
  if (position.nearExit > 0) count = findExits(position, found, count);
  if (recorder !== null) sortByMouse(position, count, riding);
  for (let i = 0; i < count; i++) {
    const code = found[i]!;
    const tile = code >> 2;
    const facing = code & 3;
    const turned = offset[slot[tile]!]!;
    const base = (facing - spin[tile]! - turned) & 3;
    const mouse = occupant[4 * tile + base]!;
    const next = neighbour[code]!;
    if (next < 0) {
      if (facing === mouseForward[mouse]) leave(position, mouse, facing, recorder); // R6.3
      continue;
    }
    const to = (facing + 2 - spin[next]! + turned) & 3; // its slot is the other one, turned against this (R2.5)
    free[tile]! |= 1 << base;
    free[next]! ^= 1 << to;
    occupant[4 * next + to] = mouse;
    mouseTile[mouse] = next;
    mouseBase[mouse] = to;
    const gain = jumpGain[4 * mouse + facing]!;
    const points = gain >> 3;
    tally[gain & 7]! += points;
    near += ((points + rim[code]!) / 20) | 0; // forward to the last row +1, back from there -1
    if (recorder !== null) recorder.jumped(mouse, tile, base, next, to, mouse === orb ? 0 : points);
  }
  position.nearExit += near;
}

/** Puts what was found in R6.4's order. */
function sortByMouse(position: Position, count: number, mouseOf: typeof riding): void {
  const { mouseCount, orb } = position.geometry;
  const first = firstMouse(position);
  const rank = (code: number) => {
    const mouse = mouseOf(position, code);
    return mouse === orb ? orb : (mouse - first + mouseCount) % mouseCount;
  };
  found.subarray(0, count).sort((a, b) => rank(a) - rank(b));
}

/** The mouse on the base of a tile that faces so; `code` is 4·tile + direction. */
function riding(position: Position, code: number): number {
  const tile = code >> 2;
  return position.occupant[4 * tile + (((code & 3) - orientation(position, tile)) & 3)]!;
}

/** The mouse that waits for that base. */
function waitingFor(position: Position, code: number): number {
  return position.geometry.laneMouse[code]!;
}

/** R6.4: the first mouse of the player who moves. */
function firstMouse(position: Position): number {
  return position.current * position.geometry.micePerPlayer;
}

/** R6.3; the Orb stays and is locked instead (R7.2). */
function leave(position: Position, mouse: number, facing: number, recorder: Recorder | null): void {
  const { geometry } = position;
  const tile = position.mouseTile[mouse]!;
  if (mouse === geometry.orb) {
    lockOrb(position);
    if (recorder !== null) recorder.locked(mouse);
    return;
  }
  const base = position.mouseBase[mouse]!;
  const owner = geometry.mouseOwner[mouse]!;
  flipBase(position, tile, facing);
  position.free[tile]! |= 1 << base;
  position.mouseStatus[mouse] = ESCAPED;
  position.escaped[owner]! += 1;
  position.nearExit -= 1;
  position.scores[owner]! += EXIT_POINTS;
  if (recorder !== null) recorder.escaped(mouse, tile, base, EXIT_POINTS);
}

/** R7.1 */
function entropy(position: Position, recorder: Recorder | null): void {
  const { geometry, gear, owner, free } = position;
  const tiles = geometry.entropyRow.filter((tile) => gear[tile] !== 0);
  if (tiles.length === 0) return;
  const from = [...tiles];
  shuffle(position.rng, from);
  const before = tiles.map((tile) => ({ tile, gear: gear[tile]!, owner: owner[tile]!, free: free[tile]! }));
  const destination = new Map(from.map((tile, i) => [tile, tiles[i]!]));
  const moved = from.map((tile) => before.find((gear) => gear.tile === tile)!);
  for (let mouse = 0; mouse <= geometry.orb; mouse++) {
    if (position.mouseStatus[mouse] !== IN_PLAY) continue;
    const tile = destination.get(position.mouseTile[mouse]!);
    if (tile === undefined) continue;
    position.mouseTile[mouse] = tile; // R7.1: mice stay on their gear
    position.occupant[4 * tile + position.mouseBase[mouse]!] = mouse;
  }
  for (const [i, tile] of tiles.entries()) {
    gear[tile] = moved[i]!.gear;
    owner[tile] = moved[i]!.owner;
    free[tile] = moved[i]!.free;
    setOrientation(position, tile, below(position.rng, 4));
  }
  if (recorder !== null) recorder.entropy(position, from, tiles);
}

/** R7.2 */
function injectOrb(position: Position, recorder: Recorder | null): void {
  const { geometry, free } = position;
  if (position.turn < geometry.orbTurn) return;
  let candidates = 0;
  for (let tile = 0; tile < geometry.tileCount; tile++) candidates += bitCount(free[tile]!);
  if (candidates === 0) return;
  let left = below(position.rng, candidates);
  for (let tile = 0; tile < geometry.tileCount; tile++) {
    for (let base = 0; base < 4; base++) {
      if (((free[tile]! >> base) & 1) === 0 || left-- > 0) continue;
      putMouse(position, geometry.orb, tile, base);
      if (recorder !== null) recorder.orb(position, tile, base);
      return;
    }
  }
}

function bitCount(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1);
}
