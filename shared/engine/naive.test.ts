import { describe, expect, test } from "vitest";
import { play, playing, randomCommand, SEED, type Spot, seedFrom, spots } from "../../test/unit/engine/helpers.ts";
import { NaiveMatch } from "../../test/unit/engine/naive.ts";
import {
  board,
  createRng,
  legalMoves,
  levelOf,
  type Match,
  mice,
  parseCommand,
  parseTile,
  scores,
  type TileLabel,
} from "./index.ts";

describe("against rules written a second time, slowly", () => {
  test.each(spots())("$format level $level: whole random matches are the same", (spot) => {
    for (const random of [1, 2, 3]) follow(spot, seedFrom(random));
  });
});

function follow({ format, level }: Spot, seed: string): void {
  const rng = createRng(SEED);
  let match = playing({ format, level, seed });
  const naive = new NaiveMatch({ ...levelOf(format, level)!, seed });
  while (match.phase === "playing") {
    if (match.turn % 25 === 0 && match.width <= 6) expect(legalMoves(match).sort()).toEqual(naive.legal().sort());
    const command = randomCommand(match, rng);
    match = play(match, command);
    playNaive(naive, command, match);
    expect(board(match)).toEqual(naive.board());
    expect(briefMice(match)).toEqual(naive.briefMice());
    expect(scores(match)).toEqual(naive.scores);
    expect(match.result).toBe(naive.result);
  }
  expect(match.history).toEqual(naive.history);
}

function playNaive(naive: NaiveMatch, text: string, match: Match): void {
  const parsed = parseCommand(text, match);
  if (!parsed.ok) throw new Error(parsed.code);
  const at = (label: TileLabel) => {
    const place = parseTile(label, match);
    if (!place.ok) throw new Error(place.code);
    return place.value;
  };
  const command = parsed.value;
  const common = { ...at(command.tile), d: command.turn > 0 ? 1 : -1 } as const;
  if (command.type === "place") naive.play({ ...common, type: Number(command.gear[1]), b: command.b }, text);
  else if (command.premove === null) naive.play({ ...common, b: 0 }, text);
  else naive.play({ ...common, b: command.premove.b, pre: at(command.premove.tile) }, text);
}

function briefMice(match: Match): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mice(match)).map(([id, { status, x, y, on_base, is_locked }]) => [
      id,
      status === "ESCAPED" ? status : `${status} P${x}${y} ${on_base ?? -1} ${is_locked ?? false}`,
    ]),
  );
}
