/** The levels of each mode with their numbers, and what holds in that mode alone. */
import { GEAR_TYPES, LEVELS, type Level, levelOf, type Stock } from "../engine/index.ts";
import { type Fragment, fragment } from "./fragment.ts";

const stockText = (stock: Stock) => GEAR_TYPES.map((type) => `${type} ${stock[type]}`).join(", ");

/** The tiles of a level that never hold a gear, by their coordinates. */
function obstaclesText({ map }: Level): string {
  const found = map.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === "0" ? [`(${x + 1},${y + 1})`] : [])));
  return found.length === 0 ? "no obstacles" : `obstacles ${found.join(" ")}`;
}

function level(format: "solo" | "1v1" | "ffa4", number: number): Level {
  const found = levelOf(format, number);
  if (found === null) throw new RangeError(`${format} has no level ${number}`);
  return found;
}

function soloRow(number: number): string {
  const row = level("solo", number);
  return `Level ${number}: ${row.dimensions}, ${obstaclesText(row)}; stock ${stockText(row.stock)}; at most ${row.maxMoves} turns, ideal ${row.idealMoves}.`; // R12
}

function arenaRow(number: number): string {
  const [two, four] = [level("1v1", number), level("ffa4", number)];
  return `Level ${number}: ${two.dimensions}, ${obstaclesText(two)}; each of two players has ${stockText(two.stock)}, at most ${two.maxMoves} turns; each of four has ${stockText(four.stock)}, at most ${four.maxMoves} turns.`; // R12
}

export const solo: Fragment = fragment("levels.solo", "Solo", [
  "You play alone, as P1, against the number of turns.",
  ...LEVELS.solo.map(soloRow),
  "The stock fills every free tile exactly: as many placements as there are free tiles, then only rotations.", // R12, R4.2
  "The match ends with VICTORY when all your mice are ESCAPED, and with TIMEOUT when the turns are used up.", // R10.1
  "Efficiency = (score x ideal x escaped) / (turns used x own mice): fewer turns and more mice out are worth more than points alone.", // R10.3
  "A refused command changes nothing on the board and loses the turn, unless `meta.options.invalid` says retry.", // R8.2, R8.4
]);

export const arena: Fragment = fragment("levels.arena", "Arena", [
  "Two players (P1, P2) or four (P1 to P4) share one board and move in that order, round and round. Who is out is skipped; who has all mice out still moves.", // R9.1
  ...LEVELS["1v1"].map(arenaRow),
  "The turns are counted for all players together. The match ends when every mouse of every player still in is ESCAPED, when the turns are used up, or when only one side is still in.", // R10.1, R12
  "A player's efficiency = (score x escaped) / own mice: points without a mouse that got out are worth nothing.", // R10.4
  "A refused command changes nothing and you may try again while your clock runs, unless `meta.options.invalid` says lose_turn. The 10th refusal in one turn loses the turn; the third turn lost like that puts you out.", // R8.3
]);
