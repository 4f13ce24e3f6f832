/** The levels and what holds in each mode: each claim compared with new and played matches. */
import { expect } from "vitest";
import {
  board,
  type Format,
  inventories,
  LEVELS,
  legalFactors,
  legalMoves,
  mice,
  PLAYERS_OF,
  restoreMatch,
  scores,
  standings,
  step,
  tiles,
  visibleOf,
} from "../../engine/index.ts";
import { WAYS } from "../seats.ts";
import { ownerOf, played } from "./play.ts";
import { arenaTurns, linesOf, type Row, soloTurns, start } from "./world.ts";

const LEVEL_ROWS: readonly Row[] = [
  ...LEVELS.solo.map((level): Row => ["levels.solo", `Level ${level}:`, () => expectLevel("solo", level)]),
  ...LEVELS["1v1"].map((level): Row => ["levels.arena", `Level ${level}:`, () => expectLevel("arena", level)]),
];

/** R12: the numbers in the line are those of a new match. */
function expectLevel(mode: "solo" | "arena", level: number): void {
  const line =
    linesOf(mode === "solo" ? "levels.solo" : "levels.arena").find((l) => l.startsWith(`Level ${level}:`)) ?? "";
  const formats: readonly Format[] = mode === "solo" ? ["solo"] : ["1v1", "ffa4"];
  const stocks = [...line.matchAll(/G1 (\d+), G2 (\d+), G3 (\d+), G4 (\d+)/g)].map((m) => m.slice(1).map(Number));
  const limits = [...line.matchAll(/at most (\d+) turns/g)].map((m) => Number(m[1]));
  const told = [...line.matchAll(/\((\d+),(\d+)\)/g)].map((m) => `P${m[1]}${m[2]}`);
  for (const [i, format] of formats.entries()) {
    const match = start(format, level);
    expect(line).toContain(`${match.width}x${match.height}`);
    const texts = board(match);
    expect(told.sort()).toEqual(
      tiles(match)
        .filter((_, t) => texts[t] === "obstacle")
        .sort(),
    );
    for (const player of match.players) expect(Object.values(inventories(match)[player] ?? {})).toEqual(stocks[i]);
    expect(limits[i]).toBe(match.maxMoves);
  }
  expect(line.includes("ideal") ? Number(/ideal (\d+)/.exec(line)?.[1]) : null).toBe(
    start(formats[0]!, level).idealMoves,
  );
}

export const LEVEL_CLAIMS: readonly Row[] = [
  ...LEVEL_ROWS,
  ["levels.solo", "You play alone, as P1", () => expect(PLAYERS_OF.solo).toEqual(["P1"])],
  [
    "levels.solo",
    "The stock fills every free tile exactly",
    () => {
      for (const level of LEVELS.solo) {
        const match = start("solo", level);
        const stock = Object.values(inventories(match).P1 ?? {}).reduce((a, b) => a + b, 0);
        expect(stock).toBe(board(match).filter((text) => text !== "obstacle").length);
      }
    },
  ],
  [
    "levels.solo",
    "The match ends with VICTORY",
    () => {
      const ends = soloTurns.filter(({ after }) => after.phase === "over");
      expect(ends.length).toBe(12);
      for (const { after } of ends) {
        const out = Object.values(mice(after))
          .filter(({ owner }) => owner === "P1")
          .every(({ status }) => status === "ESCAPED");
        expect(after.result).toBe(out ? "VICTORY" : "TIMEOUT");
        if (!out) expect(after.turn).toBe(after.maxMoves);
      }
    },
  ],
  [
    "levels.solo",
    "Efficiency = (score x ideal x escaped) / (turns used x own mice)",
    () => {
      for (const { after } of soloTurns) {
        const own = after.width;
        const out = Object.values(mice(after)).filter(({ status }) => status === "ESCAPED").length;
        const expected = ((scores(after).P1 ?? 0) * (after.idealMoves ?? 0) * out) / (after.turn * own);
        expect(standings(after, { kind: "casual", tokens: {} }).efficiency.P1).toBe(expected);
      }
    },
  ],
  [
    "levels.solo",
    "changes nothing on the board and loses the turn",
    () => {
      const match = start("solo", 1);
      const result = step(match, { type: "command", player: "P1", command: "G1@P99+90" });
      expect([result.ok, result.match.turn, board(result.match)]).toEqual([false, 1, board(match)]);
    },
  ],
  [
    "levels.arena",
    "Who is out is skipped",
    () => {
      for (const { before, after } of arenaTurns) {
        if (after.currentPlayer === null) continue;
        const { players } = before;
        expect(after.currentPlayer).toBe(players[(players.indexOf(before.currentPlayer!) + 1) % players.length]);
      }
      const four = played("ffa4", 1, [WAYS.P1.first]).at(-1)!.after;
      expect(step(four, { type: "out", player: "P2", reason: "RESIGNED" }).match.currentPlayer).toBe("P3");
      // R9.1: one whose mice are all out is to move again.
      const seen = visibleOf(played("1v1", 1, [WAYS.P1.first]).at(-1)!.after);
      const out = { pos: "OUT", x: null, y: null, on_base: null, facing: null, status: "ESCAPED" } as const;
      const own = Object.entries(seen.mice).map(([m, state]) => [
        m,
        ownerOf(m) === "P1" ? { ...state, ...out } : state,
      ]);
      const emptied = Object.fromEntries(
        Object.entries(seen.board_encoding).map(([tile, text]) => [
          tile,
          text.replace(/B[012]{4}$/, (b) => b.replaceAll("1", "0")),
        ]),
      );
      const escaped = { ...seen, mice: Object.fromEntries(own), board_encoding: emptied, scores: { P1: 160, P2: 0 } };
      const restored = restoreMatch(escaped, "5f3bedef890f10583eb6bfc54e50c924");
      if (!restored.ok) throw new Error(restored.message);
      const done = step(restored.value, { type: "command", player: "P2", command: "G1@P14(b=0)+90" });
      expect([done.match.phase, done.match.currentPlayer, (legalFactors(done.match)?.count ?? 0) > 0]).toEqual([
        "playing",
        "P1",
        true,
      ]);
    },
  ],
  [
    "levels.arena",
    "The turns are counted for all players together",
    () => {
      for (const { after } of arenaTurns) {
        if (after.phase === "over" && after.result === "TIMEOUT") expect(after.turn).toBe(after.maxMoves);
        const all = Object.values(mice(after)).every(({ status }) => status === "ESCAPED");
        expect(after.result === "VICTORY").toBe(all);
      }
      const left = step(start("1v1", 1), { type: "out", player: "P2", reason: "RESIGNED" }).match;
      expect([left.phase, left.result]).toEqual(["over", "FORFEIT"]);
    },
  ],
  [
    "levels.arena",
    "A player's efficiency = (score x escaped) / own mice",
    () => {
      for (const { after } of arenaTurns) {
        const table = standings(after, { kind: "casual", tokens: {} });
        for (const player of after.players) {
          const own = Object.values(mice(after)).filter(({ owner }) => owner === player);
          const out = own.filter(({ status }) => status === "ESCAPED").length;
          expect(table.efficiency[player]).toBe(((scores(after)[player] ?? 0) * out) / own.length);
        }
      }
    },
  ],
  [
    "levels.arena",
    "The 10th refusal in one turn loses the turn; the third turn lost like that puts you out",
    () => {
      let match = start("1v1", 1);
      const lose = (command: string) => {
        match = step(match, { type: "command", player: match.currentPlayer!, command }).match;
      };
      for (let i = 0; i < 9; i++) lose("x");
      expect([match.turn, match.currentPlayer]).toEqual([0, "P1"]);
      lose("x");
      expect([match.turn, match.currentPlayer]).toEqual([1, "P2"]);
      for (let turn = 0; turn < 2; turn++) {
        lose(legalMoves(match)[0] ?? "");
        for (let i = 0; i < 10; i++) lose("x");
      }
      expect(match.statuses.P1).toBe("FORFEITED");
    },
  ],
];
