import { describe, expect, test } from "vitest";
import { step } from "../../shared/engine/index.ts";
import { LESSONS } from "../learn/lessons.ts";
import { stateOf } from "../store/localGame.ts";
import { matchAfter } from "../store/localMatch.ts";
import { layoutOf } from "./layout.ts";
import { boardModel } from "./model.ts";
import { planTurn } from "./plan.ts";
import { type Pose, poseAt, poseOf } from "./pose.ts";

/** Rounded, and angles within a turn: where a piece is, not how it came there. */
function rest({ gears, mice }: Pose) {
  const round = (n: number) => Math.round(n * 1e6) / 1e6 + 0;
  const angle = (quarters: number) => round(((quarters % 4) + 4) % 4);
  const at = ({ x, y }: { x: number; y: number }) => [round(x), round(y)];
  return {
    gears: [...gears].map(([tile, g]) => [tile, g.type, g.owner, at(g.at), angle(g.quarters), round(g.size)]).sort(),
    mice: mice.map((m) => [m.owner, at(m.at), angle(m.quarters), round(m.size)]).sort(),
  };
}

describe("a turn begins at the position before it and ends at the one after it", () => {
  test.each(LESSONS.map((l) => [l.id, l] as const))("%s", (_id, lesson) => {
    const match = matchAfter(lesson.setup, lesson.opening);
    const done = step(match, { type: "command", player: "P1", command: lesson.answer });
    const [before, after] = [match, done.match].map((m) => boardModel(stateOf(m)));
    if (!before || !after) throw new Error("no boards");
    const layout = layoutOf(before.width, before.height, before.players);
    const plan = planTurn(done.events);
    expect(rest(poseAt(before, layout, plan, -1))).toEqual(rest(poseOf(before, layout)));
    expect(rest(poseAt(before, layout, plan, plan.totalMs + 1))).toEqual(rest(poseOf(after, layout)));
    const middle = rest(poseAt(before, layout, plan, plan.totalMs / 2));
    expect(middle).not.toEqual(rest(poseOf(after, layout)));
  });
});
