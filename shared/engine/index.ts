/** The rules, pure: everything that other folders may use of them. */
export { type Cell, makeBoard, makeCell, parseBoard, parseCell } from "./board.ts";
export type { Geometry } from "./geometry.ts";
export { LEVELS, type Level, levelOf, PLAYERS_OF, teamOf } from "./levels.ts";
export { createMatch, defaultOptions, type Match, mayBeRanked, reseed } from "./match.ts";
export type { EncodedMove } from "./moves.ts";
export {
  ABSENT,
  ACTIVE,
  clonePosition,
  copyInto,
  ESCAPED,
  IN_PLAY,
  NONE,
  orientation,
  type Position,
  WAITING,
} from "./position.ts";
export {
  board,
  countLegalMoves,
  escaped,
  gearOwners,
  inventories,
  legalFactors,
  legalFactorsFor,
  legalMoves,
  mice,
  micePerPlayer,
  scores,
  tiles,
} from "./readers.ts";
export { restoreMatch } from "./restore.ts";
export { below, createRng, isSeed, nextUint32, type Rng, shuffle } from "./rng.ts";
export {
  countMoves,
  decodeMove,
  encodeMove,
  facingOf,
  listMoves,
  listOutcomes,
  playMove,
  positionOf,
  randomMove,
} from "./search.ts";
export { standings } from "./standings.ts";
export { replay, type Step, step } from "./step.ts";
export { makeCommand, makeTile, parseCommand, parseTile } from "./text.ts";
export * from "./types.ts";
export { visibleOf } from "./visible.ts";
