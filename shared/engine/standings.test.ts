import { describe, expect, test } from "vitest";
import { type Case, matchWith, playing } from "../../test/unit/engine/helpers.ts";
import { standings, step } from "./index.ts";

const casual = { kind: "casual", tokens: {} };

describe("efficiency", () => {
  test("R10.4: the example on 4×4", () => {
    const match = matchWith({ format: "2v2", scores: [190, 165, 145, 210], escaped: [0, 1, 0, 2] });
    const { team_efficiency, efficiency, winner, places, rescued } = standings(match, casual);
    expect(team_efficiency).toEqual({ A: 22.1875, B: 44.375 });
    expect(winner).toEqual(["P3", "P4"]);
    expect(places).toEqual({ P1: 2, P2: 2, P3: 1, P4: 1 });
    expect(efficiency).toEqual({ P1: 0, P2: 41.25, P3: 0, P4: 105 });
    expect(rescued).toEqual({ P1: 0, P2: 25, P3: 0, P4: 50 });
  });

  test.each([
    ["score × ideal × escaped ÷ (moves × mice)", 125, 3, 30, (125 * 22 * 3) / (30 * 4)],
    ["none escaped", 125, 0, 30, 0],
    ["zero moves", 0, 0, 0, 0],
  ])("R10.3: %s", (_, score, escaped, turn, expected) => {
    const match = matchWith({ format: "solo", scores: [score], escaped: [escaped], turn, result: null });
    expect(standings(match, casual).efficiency).toEqual({ P1: expected });
  });
});

describe("places and winner (R10.5)", () => {
  const tied = { format: "1v1", scores: [60, 60], escaped: [1, 1] } as const;
  test.each<[string, Case, Parameters<typeof standings>[1], number[], string[]]>([
    ["efficiency decides", { ...tied, scores: [60, 80] }, casual, [2, 1], ["P2"]],
    ["score decides equal efficiency", { format: "1v1", scores: [5, 0], escaped: [0, 0] }, casual, [1, 2], ["P1"]],
    ["efficiency goes before score", { format: "1v1", scores: [100, 60], escaped: [0, 1] }, casual, [2, 1], ["P2"]],
    ["a draw", tied, casual, [1, 1], ["P1", "P2"]],
    ["tokens decide in benchmark", tied, { kind: "benchmark", tokens: { P1: 9, P2: 8 } }, [2, 1], ["P2"]],
    ["equal tokens: a draw", tied, { kind: "benchmark", tokens: { P1: 8, P2: 8 } }, [1, 1], ["P1", "P2"]],
    ["tokens of one side unreported: a draw", tied, { kind: "benchmark", tokens: { P1: 9 } }, [1, 1], ["P1", "P2"]],
    ["tokens of no account elsewhere", tied, { kind: "ranked", tokens: { P1: 9, P2: 8 } }, [1, 1], ["P1", "P2"]],
    [
      "tokens do not turn a score",
      { ...tied, scores: [65, 60] },
      { kind: "benchmark", tokens: { P1: 9, P2: 8 } },
      [1, 2],
      ["P1"],
    ],
    [
      "who is in goes before who is out",
      { ...tied, scores: [600, 60], out: { P1: "RESIGNED" }, result: "FORFEIT" },
      casual,
      [2, 1],
      ["P2"],
    ],
    [
      "a team with one player in is in",
      { format: "2v2", scores: [0, 0, 0, 5], escaped: [0, 0, 0, 0], out: { P4: "TIMEOUT" } },
      casual,
      [2, 2, 1, 1],
      ["P3", "P4"],
    ],
    [
      "two share the second place",
      { format: "ffa4", scores: [5, 10, 5, 0], escaped: [0, 0, 0, 0] },
      casual,
      [2, 1, 2, 4],
      ["P2"],
    ],
    [
      "tokens among the tied alone",
      { format: "ffa4", scores: [5, 10, 5, 0], escaped: [0, 0, 0, 0] },
      { kind: "benchmark", tokens: { P1: 2, P3: 1 } },
      [3, 1, 2, 4],
      ["P2"],
    ],
    [
      "tokens of a team are added",
      { format: "2v2", scores: [5, 0, 0, 5], escaped: [0, 0, 0, 0] },
      { kind: "benchmark", tokens: { P1: 2, P2: 2, P3: 3 } },
      [2, 2, 1, 1],
      ["P3", "P4"],
    ],
    [
      "Solo: VICTORY",
      { format: "solo", scores: [160], escaped: [4], turn: 30, result: "VICTORY" },
      casual,
      [1],
      ["P1"],
    ],
    ["Solo: TIMEOUT", { format: "solo", scores: [40], escaped: [1] }, casual, [1], []],
  ])("%s", (_, given, input, places, winner) => {
    const match = matchWith(given);
    const found = standings(match, input);
    expect(Object.values(found.places)).toEqual(places);
    expect(found.winner).toEqual(winner);
  });

  test("both are empty while the match runs and after ABANDONED", () => {
    const running = playing({ format: "1v1", level: 1 });
    const abandoned = step(running, { type: "abandon" }).match;
    for (const match of [running, abandoned]) {
      expect(standings(match, casual)).toMatchObject({ places: {}, winner: [] });
    }
  });
});
