/** Each lesson can be solved by its answer, is not solved by everything, and starts from a position of a real match. */
import { describe, expect, test } from "vitest";
import { decodeMove, listMoves, makeCommand, positionOf, step } from "../../shared/engine/index.ts";
import { stateOf } from "../store/localGame.ts";
import { LOCAL_SEED, matchAfter } from "../store/localMatch.ts";
import { LESSONS } from "./lessons.ts";
import { PATTERNS } from "./patterns.ts";

describe("the four ways to place a gear (rules page) work on their boards", () => {
  test.each(PATTERNS.map((p) => [p.id, p] as const))("%s", (id, pattern) => {
    const match = matchAfter(pattern.setup, pattern.opening);
    const owners = stateOf(match).data.gear_owners;
    const { ok, events } = step(match, { type: "command", player: "P1", command: pattern.answer });
    expect(ok).toBe(true);
    const points = events.flatMap((e) => (e.type === "jumped" ? [e.points] : []));
    const came: Readonly<Record<typeof id, boolean>> = {
      door: events.some((e) => e.type === "entered"),
      ladder: points.includes(10),
      sidestep: points.includes(5),
      bridge: events.some((e) => e.type === "turned" && e.gears.some(({ tile }) => owners[tile] === "P2")),
    };
    expect(came[id]).toBe(true);
  });
});

describe("lessons", () => {
  test.each(LESSONS.map((l) => [l.id, l] as const))("%s", (_id, lesson) => {
    const match = matchAfter(lesson.setup, lesson.opening);
    expect(match.currentPlayer).toBe("P1");
    const before = stateOf(match);
    const meets = (command: string): boolean => {
      const done = step(match, { type: "command", player: "P1", command });
      expect(done.ok, command).toBe(true);
      return lesson.met(done.events, before);
    };
    expect(meets(lesson.answer)).toBe(true);
    const position = positionOf(match, LOCAL_SEED);
    const all = listMoves(position).map((move) => makeCommand(decodeMove(position, move)));
    const good = all.filter(meets);
    expect(good.length).toBeLessThan(all.length);
    if (lesson.id === "premove") expect(good.every((command) => command.includes(";"))).toBe(true);
  });

  test("an opening that is not legal is told at once", () => {
    expect(() => matchAfter({ format: "solo", level: 1 }, ["G4@P22(b=0)+90"])).toThrow(RangeError);
  });
});
