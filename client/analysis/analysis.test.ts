import { describe, expect, test } from "vitest";
import { board, type Match, step } from "../../shared/engine/index.ts";
import { LESSONS } from "../learn/lessons.ts";
import { stateOf } from "../store/localGame.ts";
import { matchAfter } from "../store/localMatch.ts";
import { hints } from "./hints.ts";
import { LoadError, type Loaded, load, positionText, withCommands } from "./load.ts";
import { goTo, lineTo, nodeAt, rowsOf, stepBy, type Tree, treeOf, without } from "./tree.ts";

const DUEL = { format: "1v1", level: 1 } as const;

function play(tree: Tree, command: string): Tree {
  return withCommands(tree, command);
}

describe("the tree", () => {
  const main = play(play(treeOf(matchAfter(DUEL, [])), "G4@P21(b=0)+90"), "G4@P24(b=0)+90");

  test("goes back and on along its line, and stops at its ends", () => {
    expect(nodeAt(main).match.turn).toBe(2);
    const back = stepBy(stepBy(stepBy(main, -1), -1), -1);
    expect(back.at).toBe(0);
    expect(stepBy(stepBy(stepBy(back, 1), 1), 1).at).toBe(main.at);
  });

  test("another move is a branch, the same move is none, and both keep what was there", () => {
    const branched = play(stepBy(main, -1), "G1@P14(b=0)+90");
    expect(branched.nodes).toHaveLength(4);
    expect(play(stepBy(branched, -1), "G4@P24(b=0)+90")).toMatchObject({ at: main.at, nodes: { length: 4 } });
    expect(rowsOf(branched).map(({ node, depth }) => [node.command, depth])).toEqual([
      ["G4@P21(b=0)+90", 0],
      ["G4@P24(b=0)+90", 0],
      ["G1@P14(b=0)+90", 1],
    ]);
    expect(main.nodes).toHaveLength(3);
  });

  test("taking a move away takes all that follows, and nothing else", () => {
    const branched = play(play(stepBy(main, -1), "G1@P14(b=0)+90"), "G1@P22(b=0)+90");
    const cut = without(goTo(branched, main.at));
    expect(cut.nodes.map((n) => n.command)).toEqual([null, "G4@P21(b=0)+90", "G1@P14(b=0)+90", "G1@P22(b=0)+90"]);
    expect(lineTo(cut, 3).map((n) => n.id)).toEqual([0, 1, 2, 3]);
    expect(nodeAt(cut).command).toBe("G4@P21(b=0)+90");
    expect(without(goTo(cut, 0))).toEqual(goTo(cut, 0));
  });

  test("an illegal command is told, and changes nothing", () => {
    expect(() => withCommands(main, "G1@P11(b=0)+90\nG4@P44(b=0)+90\nG4@P44(b=0)+90")).toThrow(LoadError);
    expect(main.nodes).toHaveLength(3);
  });
});

const alone = (match: Match): Loaded => ({ tree: treeOf(match), names: {} });

describe("text to load", () => {
  test("a game on a map of one's own goes out and comes back with its moves", () => {
    const map = "solo_111.110.111_3.2.2.1_24_12";
    const played = withCommands(load(map).tree, "G1@P21(b=2)+90\nG4@P22(b=0)-90");
    const text = positionText({ ...load(map), tree: played });
    expect(text).toBe(`${map}\nG1@P21(b=2)+90\nG4@P22(b=0)-90`);
    const back = load(text);
    expect(board(nodeAt(back.tree).match)).toEqual(board(nodeAt(played).match));
    expect(positionText(back)).toBe(text);
    expect(board(nodeAt(back.tree).match)[5]).toBe("obstacle");
    expect(() => load("solo_111.000.111")).toThrow(LoadError);
    expect(() => load(`${map}\nG1@P32(b=0)+90`)).toThrow(LoadError);
  });

  test.each(LESSONS.map((l) => [l.id, l] as const))("a position goes out and comes back: %s", (_id, lesson) => {
    const match = matchAfter(lesson.setup, lesson.opening);
    const back = nodeAt(load(positionText(alone(match))).tree).match;
    expect(board(back)).toEqual(board(match));
    expect(back.currentPlayer).toBe(match.currentPlayer);
    expect(positionText(alone(back))).toBe(positionText(alone(match)));
    // It plays on as the one it was copied from.
    const [a, b] = [match, back].map((m: Match) => step(m, { type: "command", player: "P1", command: lesson.answer }));
    expect(b?.events).toEqual(a?.events);
  });

  test("a whole state, bare or as an answer of the API, is read", () => {
    const state = stateOf(matchAfter(DUEL, ["G4@P21(b=0)+90"]));
    for (const text of [JSON.stringify(state), JSON.stringify({ ok: true, state }, null, 2)]) {
      expect(nodeAt(load(text).tree).match.turn).toBe(1);
    }
  });

  test.each([
    ["nothing", "  "],
    ["no JSON", "{"],
    ["another thing", '{"a":1}'],
    ["a list", "[1]"],
    ["a record without moves", '{"type":"header"}'],
    ["a broken record", '{"type":"header","format":"1v1","level":1}\n{"type":"start"}'],
    ["a state without its board", '{"meta":{"format":"1v1"},"status":{}}'],
  ])("%s is refused in words", (_name, text) => {
    expect(() => load(text)).toThrow(LoadError);
  });
});

describe("hints", () => {
  test.each(["exit", "block", "sabotage"])("lesson %s: the first one solves it", (id) => {
    const lesson = LESSONS.find((l) => l.id === id);
    if (!lesson) throw new Error(id);
    const match = matchAfter(lesson.setup, lesson.opening);
    const command = hints(match)[0]?.command ?? "";
    const done = step(match, { type: "command", player: "P1", command });
    expect(lesson.met(done.events, stateOf(match)), command).toBe(true);
  });

  test("they are legal, best first, and none when the match is over", () => {
    const match = matchAfter(DUEL, ["G4@P21(b=0)+90"]);
    const found = hints(match, 5);
    expect(found).toHaveLength(5);
    expect(found.map((h) => h.value)).toEqual(found.map((h) => h.value).sort((a, b) => b - a));
    for (const { command } of found) expect(step(match, { type: "command", player: "P2", command }).ok).toBe(true);
    expect(hints(step(match, { type: "out", player: "P1", reason: "RESIGNED" }).match)).toEqual([]);
  });
});
