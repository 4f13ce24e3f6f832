import { networkTiles, placementTiles } from "./legal.ts";
import { type Match, positionInside } from "./match.ts";
import {
  type EncodedMove,
  encodePlacement,
  encodeRotation,
  moveB,
  movePremoved,
  moveTile,
  moveTurn,
  moveType,
  NO_PREMOVE,
} from "./moves.ts";
import { BASES, clonePosition, NONE, orientation, type Position, WAITING } from "./position.ts";
import { below, type Rng, seedRng } from "./rng.ts";
import { PLAYING, playTurn } from "./turn.ts";
import { type Command, GEAR_TYPES, type Quarter } from "./types.ts";

const scratch = new Uint8Array(256);

/**
 * A position to search from. It draws from a generator of its own that starts at `searchSeed` (a seed, else
 * RangeError), so nothing of the match's generator shows in it (R11.4).
 */
export function positionOf(match: Match, searchSeed: string): Position {
  const position = clonePosition(positionInside(match));
  seedRng(position.rng, searchSeed);
  return position;
}

/** Plays a legal move: the whole turn, R5.2 to R5.9. An illegal one leaves the position in ruins. */
export function playMove(position: Position, move: EncodedMove): void {
  playTurn(position, move, null);
}

/** The command that an encoded move stands for. */
export function decodeMove(position: Position, move: EncodedMove): Command {
  const { labels } = position.geometry;
  const tile = labels[moveTile(move)]!;
  const turn = moveTurn(move) > 0 ? 90 : -90;
  const type = moveType(move);
  const b = moveB(move) as Quarter;
  if (type !== 0) return { type: "place", gear: GEAR_TYPES[type - 1]!, tile, b, turn };
  const premoved = movePremoved(move);
  const premove = premoved === NO_PREMOVE ? null : { tile: labels[premoved]!, b };
  return { type: "rotate", tile, turn, premove };
}

/** The integer of a command whose tiles are on this board (else RangeError); legality is not looked at. */
export function encodeMove(position: Position, command: Command): EncodedMove {
  const tile = position.geometry.tileOf.get(command.tile);
  if (tile === undefined) throw new RangeError(`encodeMove: no tile ${command.tile}`);
  if (command.type === "place") {
    return encodePlacement(GEAR_TYPES.indexOf(command.gear) + 1, tile, command.b, command.turn);
  }
  if (command.premove === null) return encodeRotation(tile, command.turn, NO_PREMOVE, 0);
  const premoved = position.geometry.tileOf.get(command.premove.tile);
  if (premoved === undefined) throw new RangeError(`encodeMove: no tile ${command.premove.tile}`);
  return encodeRotation(tile, command.turn, premoved, command.premove.b);
}

/** How many legal commands the player to move has (R4.6); 0 unless playing. */
export function countMoves(position: Position): number {
  if (position.phase !== PLAYING) return 0;
  const player = position.current;
  if (position.stockLeft[player]! > 0) return placementTiles(position, player, scratch) * typesInStock(position) * 8;
  const n = networkTiles(position, player, scratch);
  return 8 * n * n + 2 * n;
}

/** All legal moves of the player to move, into `into` (emptied first); none unless playing. */
export function listMoves(position: Position, into: EncodedMove[] = []): EncodedMove[] {
  if (position.phase !== PLAYING) {
    into.length = 0;
    return into;
  }
  const player = position.current;
  let at = 0;
  if (position.stockLeft[player]! > 0) {
    const count = placementTiles(position, player, scratch);
    for (let i = 0; i < count; i++) {
      for (let type = 1; type <= 4; type++) {
        if (position.stock[4 * player + type - 1] === 0) continue;
        for (let b = 0; b < 4; b++) {
          into[at++] = encodePlacement(type, scratch[i]!, b, 1);
          into[at++] = encodePlacement(type, scratch[i]!, b, -1);
        }
      }
    }
    into.length = at;
    return into;
  }
  const count = networkTiles(position, player, scratch);
  for (let i = 0; i < count; i++) {
    const tile = scratch[i]!;
    into[at++] = encodeRotation(tile, 1, NO_PREMOVE, 0);
    into[at++] = encodeRotation(tile, -1, NO_PREMOVE, 0);
    for (let j = 0; j < count; j++) {
      for (let b = 0; b < 4; b++) {
        into[at++] = encodeRotation(tile, 1, scratch[j]!, b);
        into[at++] = encodeRotation(tile, -1, scratch[j]!, b);
      }
    }
  }
  into.length = at;
  return into;
}

/**
 * One move for each different outcome (R4.6), into `into` (emptied first): every legal move leads to the same state
 * as exactly one of these. A network of n gears has 6n+2: turning any of its gears turns the whole block either
 * this way or that, after one gear was set to one of three other orientations, or none was.
 */
export function listOutcomes(position: Position, into: EncodedMove[] = []): EncodedMove[] {
  if (position.phase !== PLAYING) {
    into.length = 0;
    return into;
  }
  const player = position.current;
  let at = 0;
  if (position.stockLeft[player]! > 0) {
    const count = placementTiles(position, player, scratch);
    const first = position.anchor[player] === NONE; // later gears touch the network (R4.3)
    for (let i = 0; i < count; i++) {
      const tile = scratch[i]!;
      const alone = first && isAlone(position, tile);
      const outward = alone ? waitingDirections(position, tile) : 0;
      for (let type = 1; type <= 4; type++) {
        if (position.stock[4 * player + type - 1] === 0) continue;
        for (let b = 0; b < 4; b++) {
          into[at++] = encodePlacement(type, tile, b, 1);
          const twin = alone && (facings(type, b) & outward) === 0 && (facings(type, b ^ 2) & outward) === 0;
          if (!twin) into[at++] = encodePlacement(type, tile, b, -1);
        }
      }
    }
    into.length = at;
    return into;
  }
  const count = networkTiles(position, player, scratch);
  const tile = scratch[0]!;
  into[at++] = encodeRotation(tile, 1, NO_PREMOVE, 0);
  into[at++] = encodeRotation(tile, -1, NO_PREMOVE, 0);
  for (let i = 0; i < count; i++) {
    const premoved = scratch[i]!;
    const present = orientation(position, premoved);
    for (let other = 0; other < 3; other++) {
      const b = other + ((present - 1 - other) >>> 31); // the next one from `present` on, without a branch
      into[at++] = encodeRotation(tile, 1, premoved, b);
      into[at++] = encodeRotation(tile, -1, premoved, b);
    }
  }
  into.length = at;
  return into;
}

/** One legal move of the player to move, every canonical command equally likely; the match must be playing. */
export function randomMove(position: Position, rng: Rng): EncodedMove {
  const player = position.current;
  const turn = below(rng, 2) === 0 ? 1 : -1;
  if (position.stockLeft[player]! > 0) {
    const count = placementTiles(position, player, scratch);
    const tile = scratch[below(rng, count)]!;
    let nth = below(rng, typesInStock(position));
    let type = 1;
    for (; position.stock[4 * player + type - 1] === 0 || nth-- > 0; type++);
    return encodePlacement(type, tile, below(rng, 4), turn);
  }
  const count = networkTiles(position, player, scratch);
  const tile = scratch[below(rng, count)]!;
  const choice = below(rng, 4 * count + 1); // the last one: no pre-move
  if (choice === 4 * count) return encodeRotation(tile, turn, NO_PREMOVE, 0);
  return encodeRotation(tile, turn, scratch[choice >> 2]!, choice & 3);
}

/** Where the mouse looks, 0..3 (R3.5); it must be IN_PLAY. */
export function facingOf(position: Position, mouse: number): number {
  return (orientation(position, position.mouseTile[mouse]!) + position.mouseBase[mouse]!) & 3;
}

function typesInStock(position: Position): number {
  let types = 0;
  for (let i = 0; i < 4; i++) if (position.stock[4 * position.current + i] !== 0) types++;
  return types;
}

function isAlone(position: Position, tile: number): boolean {
  for (let d = 0; d < 4; d++) {
    const n = position.geometry.neighbour[4 * tile + d]!;
    if (n >= 0 && position.gear[n] !== 0) return false;
  }
  return true;
}

/** The directions, as a mask, from which a waiting mouse would sit on a gear of that tile (R6.1). */
function waitingDirections(position: Position, tile: number): number {
  const { mouseCount, mouseStart, mouseForward } = position.geometry;
  let mask = 0;
  for (let mouse = 0; mouse < mouseCount; mouse++) {
    if (mouseStart[mouse] === tile && position.mouseStatus[mouse] === WAITING) mask |= 1 << (mouseForward[mouse]! ^ 2);
  }
  return mask;
}

/** The directions, as a mask, in which a gear of that type has bases. */
function facings(type: number, b: number): number {
  const turned = BASES[type]! << b;
  return (turned | (turned >> 4)) & 15;
}
