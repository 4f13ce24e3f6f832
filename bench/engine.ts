/**
 * How many turns a second the engine plays, on one core, per format and level:
 * `playout` = whole random matches, listing all distinct outcomes before every move;
 * `rotate`  = rotations alone on a full board.
 * `--json` prints one object a line, `--seconds n` measures each row that long (default 0.5).
 */
import { parseArgs } from "node:util";
import {
  type Action,
  below,
  copyInto,
  createMatch,
  createRng,
  decodeMove,
  encodeMove,
  FORMATS,
  type Format,
  LEVELS,
  legalFactors,
  levelOf,
  listOutcomes,
  type Match,
  makeCommand,
  type Position,
  playMove,
  positionOf,
  type Rng,
  randomMove,
  step,
} from "../shared/engine/index.ts";

const SEED = "5f3bedef890f10583eb6bfc54e50c924";

const { values: options } = parseArgs({
  options: { json: { type: "boolean", default: false }, seconds: { type: "string", default: "0.5" } },
});
const seconds = Number(options.seconds);

interface Row {
  readonly bench: "playout" | "rotate";
  readonly format: Format;
  readonly level: number;
  readonly size: string;
  readonly per_second: number;
}

function started(format: Format, level: number): Match {
  const created = createMatch({ format, level, seed: SEED });
  if (!created.ok) throw new Error(created.message);
  return advance(created.value, { type: "start" });
}

function advance(match: Match, action: Action): Match {
  const answer = step(match, action);
  if (!answer.ok) throw new Error(answer.code);
  return answer.match;
}

/** Random placements until every player only rotates. */
function filled(format: Format, level: number, rng: Rng): Match {
  let match = started(format, level);
  while (match.phase === "playing" && legalFactors(match).stage === "placement") {
    const position = positionOf(match, SEED);
    const command = makeCommand(decodeMove(position, randomMove(position, rng)));
    match = advance(match, { type: "command", player: match.currentPlayer!, command });
  }
  return match;
}

/** Runs `batch`, which tells how many turns it played, for the time given; the best of three. */
function measure(batch: () => number): number {
  const warm = performance.now() + 300 * Math.min(1, seconds);
  while (performance.now() < warm) batch();
  let best = 0;
  for (let round = 0; round < 3; round++) {
    let turns = 0;
    const begin = performance.now();
    let now = begin;
    while (now < begin + (seconds * 1000) / 3) {
      turns += batch();
      now = performance.now();
    }
    best = Math.max(best, (turns * 1000) / (now - begin));
  }
  return Math.round(best);
}

function playout(format: Format, level: number): number {
  const rng = createRng(SEED);
  const root = positionOf(started(format, level), SEED);
  const work = positionOf(started(format, level), SEED);
  const moves: number[] = [];
  return measure(() => {
    copyInto(root, work);
    let turns = 0;
    while (!work.over) {
      listOutcomes(work, moves);
      playMove(work, moves[below(rng, moves.length)]!);
      turns++;
    }
    return turns;
  });
}

function rotate(format: Format, level: number): number {
  const rng = createRng(SEED);
  const match = filled(format, level, rng);
  const root = positionOf(match, SEED);
  const work = positionOf(match, SEED);
  const moves = rotations(match, root, rng);
  return measure(() => {
    let turns = 0;
    for (let game = 0; game < 20; game++) {
      copyInto(root, work);
      for (let i = below(rng, 1024); !work.over; i++) {
        playMove(work, moves[i & 1023]!);
        turns++;
      }
    }
    return turns;
  });
}

/** 1024 random rotations, half of them with a pre-move, of the one block that a full board is. */
function rotations(match: Match, position: Position, rng: Rng): number[] {
  const { tiles } = legalFactors(match);
  const any = () => tiles[below(rng, tiles.length)]!;
  return Array.from({ length: 1024 }, (_, i) =>
    encodeMove(position, {
      type: "rotate",
      tile: any(),
      turn: below(rng, 2) === 0 ? 90 : -90,
      premove: i % 2 === 0 ? null : { tile: any(), b: below(rng, 4) as 0 },
    }),
  );
}

const rows: Row[] = [];
for (const format of FORMATS) {
  for (const level of LEVELS[format]) {
    const size = levelOf(format, level)!.dimensions;
    for (const [bench, run] of Object.entries({ playout, rotate })) {
      const row: Row = { bench: bench as Row["bench"], format, level, size, per_second: run(format, level) };
      if (options.json) console.log(JSON.stringify(row));
      rows.push(row);
    }
  }
}
if (!options.json) console.table(rows);
