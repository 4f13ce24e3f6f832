import { cellOf, makeCell } from "./board.ts";
import type { Geometry } from "./geometry.ts";
import { networkTiles, placementTiles } from "./legal.ts";
import { byPlayer, type Match, positionInside } from "./match.ts";
import { ABSENT, ACTIVE, ESCAPED, IN_PLAY, NONE, orientation, type Position } from "./position.ts";
import { countMoves, decodeMove, listMoves } from "./search.ts";
import { makeCommand, makeTile } from "./text.ts";
import {
  GEAR_TYPES,
  type LegalFactors,
  type MouseId,
  type MouseState,
  type PerPlayer,
  type PlayerId,
  type Quarter,
  type Stock,
  type TileLabel,
} from "./types.ts";

/** Points of each player (R6.5). */
export function scores(match: Match): PerPlayer<number> {
  const position = positionInside(match);
  return byPlayer(position, (p) => position.scores[p]!);
}

/** What each player has in stock; all 0 for players who are out (R9.3). */
export function inventories(match: Match): PerPlayer<Stock> {
  const position = positionInside(match);
  return byPlayer(position, (p) => {
    const [G1, G2, G3, G4] = position.stock.subarray(4 * p, 4 * p + 4);
    return { G1: G1!, G2: G2!, G3: G3!, G4: G4! };
  });
}

/** Mice at their exits, by player (R6.3). */
export function escaped(match: Match): PerPlayer<number> {
  const position = positionInside(match);
  return byPlayer(position, (p) => position.escaped[p]!);
}

/** How many mice each player has (R3.3). */
export function micePerPlayer(match: Match): number {
  return positionInside(match).geometry.micePerPlayer;
}

/** All mice: P1's by number, then P2's and so on, the Orb last once it has appeared. */
export function mice(match: Match): Record<MouseId, MouseState> {
  const position = positionInside(match);
  const { geometry } = position;
  const all: Record<MouseId, MouseState> = {};
  for (let mouse = 0; mouse <= geometry.orb; mouse++) {
    if (position.mouseStatus[mouse] !== ABSENT) all[geometry.mouseIds[mouse]!] = mouseOf(position, mouse);
  }
  return all;
}

function mouseOf(position: Position, mouse: number): MouseState {
  const { geometry } = position;
  const owner = mouse === geometry.orb ? null : geometry.level.players[geometry.mouseOwner[mouse]!]!;
  const status = position.mouseStatus[mouse];
  if (status === ESCAPED) {
    return { owner, pos: "OUT", x: null, y: null, on_base: null, facing: null, status: "ESCAPED" };
  }
  if (status !== IN_PLAY) {
    const { x, y } = geometry.mouseOutside[mouse]!;
    return { owner, pos: makeTile(x, y), x, y, on_base: null, facing: null, status: "WAITING" };
  }
  const tile = position.mouseTile[mouse]!;
  const base = position.mouseBase[mouse]!;
  const x = (tile % geometry.width) + 1;
  const y = Math.floor(tile / geometry.width) + 1;
  const facing = ((orientation(position, tile) + base) & 3) as Quarter;
  const state = { owner, pos: makeTile(x, y), x, y, on_base: base as Quarter, facing, status: "IN_PLAY" } as const;
  return mouse === geometry.orb ? { ...state, is_decoy: true, is_locked: position.orbLocked } : state;
}

/** The encodings of R13.1 in the order y = 1..H, x = 1..W. */
export function board(match: Match): string[] {
  const position = positionInside(match);
  const { geometry, gear, free } = position;
  const known = cellTexts(geometry);
  return geometry.labels.map((_, tile) => {
    // Whatever a cell's text depends on.
    const key = (tile << 9) | (gear[tile]! << 6) | (orientation(position, tile) << 4) | free[tile]!;
    let text = known.get(key);
    if (text === undefined) {
      text = makeCell(cellOf(position, tile));
      known.set(key, text);
    }
    return text;
  });
}

const textsOf = new WeakMap<Geometry, Map<number, string>>();

/** The texts of cells as they were first written: boards are told after every move, and differ in a few cells. */
function cellTexts(geometry: Geometry): Map<number, string> {
  let texts = textsOf.get(geometry);
  if (texts === undefined) {
    texts = new Map();
    textsOf.set(geometry, texts);
  }
  return texts;
}

/** The labels of all tiles in the order of `board`. */
export function tiles(match: Match): TileLabel[] {
  return [...positionInside(match).geometry.labels];
}

/** Who placed each gear on the board (R2.6), in the order of `board`. */
export function gearOwners(match: Match): Record<TileLabel, PlayerId> {
  const position = positionInside(match);
  const owners: Record<TileLabel, PlayerId> = {};
  for (const [tile, label] of position.geometry.labels.entries()) {
    const owner = position.owner[tile]!;
    if (owner !== NONE) owners[label] = match.players[owner]!;
  }
  return owners;
}

/** The legal commands of the player to move by their factors (R4.6); count 0 unless playing. */
export function legalFactors(match: Match): LegalFactors {
  return legalFactorsFor(match, match.currentPlayer ?? match.players[0]!);
}

/** The same as if it were that player's turn; count 0 unless playing with that player in. */
export function legalFactorsFor(match: Match, player: PlayerId): LegalFactors {
  const position = positionInside(match);
  const p = match.players.indexOf(player);
  const able = match.phase === "playing" && p >= 0 && position.status[p] === ACTIVE;
  const into = new Uint8Array(position.geometry.tileCount);
  const labels = (count: number) => [...into.subarray(0, count)].map((tile) => position.geometry.labels[tile]!);
  if (position.stockLeft[p]! > 0) {
    if (!able) return { stage: "placement", count: 0, tiles: [], types: [] };
    const types = GEAR_TYPES.filter((_, i) => position.stock[4 * p + i]! > 0);
    const open = labels(placementTiles(position, p, into));
    return { stage: "placement", count: open.length * types.length * 8, tiles: open, types };
  }
  const turnable = able ? labels(networkTiles(position, p, into)) : [];
  return { stage: "rotation", count: 8 * turnable.length ** 2 + 2 * turnable.length, tiles: turnable };
}

/** All canonical commands of the player to move (R4.6); none unless playing. */
export function legalMoves(match: Match): string[] {
  const position = positionInside(match);
  return listMoves(position).map((move) => makeCommand(decodeMove(position, move)));
}

/** How many there are, without making the list. */
export function countLegalMoves(match: Match): number {
  return countMoves(positionInside(match));
}
