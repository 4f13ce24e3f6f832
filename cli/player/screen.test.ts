/** What a player reads while somebody thinks for minutes. */
import { expect, test } from "vitest";
import { viewLocally } from "../../agents/local.ts";
import { createMatch, defaultOptions, step } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { openScreen } from "./screen.ts";

function started(): NativeState {
  const options = defaultOptions("solo");
  const made = createMatch({ format: "solo", level: 1, seed: "5f3bedef890f10583eb6bfc54e50c924", options });
  if (!made.ok) throw new Error(made.message);
  const state = viewLocally(step(made.value, { type: "start" }).match, "P1");
  return { ...state, meta: { ...state.meta, server_time_ms: 5_000, deadline_ms: 605_000 } };
}

/** A screen whose clock is the test's; `tick` is what its timer does. */
function screen(isTerminal: boolean) {
  let nowMs = 0;
  let tick: (() => void) | null = null;
  const written: string[] = [];
  const made = openScreen({
    me: "P1",
    write: (text) => written.push(text),
    isTerminal,
    now: () => nowMs,
    every: (_ms, then) => {
      tick = then;
      return () => {
        tick = null;
      };
    },
  });
  return {
    ...made,
    later(ms: number): string {
      nowMs += ms;
      tick?.();
      return written.at(-1) ?? "";
    },
    last: () => written.at(-1) ?? "",
    isTicking: () => tick !== null,
  };
}

test.each([true, false])("who is to move, for how long, and how long there is; at a terminal: %s", (isTerminal) => {
  const one = screen(isTerminal);
  one.show(started());
  expect(one.last()).not.toContain("thinks");
  expect(one.later(60_000)).toContain("P1 thinks 60 s, 9 min left");
  expect(one.later(480_000)).toContain("P1 thinks 9 min, 60 s left");
});

test("a note is there at once, and stays on the board until there is a newer one", () => {
  const one = screen(true);
  one.show(started());
  one.note("the model's server answered 503; asking again in 4 s");
  expect(one.last()).toContain("asking again in 4 s");
  expect(one.later(1_000)).toContain("asking again in 4 s");
  const { meta, ...rest } = started();
  one.show({ ...rest, meta: { ...meta, turn: 1, version: meta.version + 1 } });
  expect(one.later(1_000)).toContain("asking again in 4 s");
  one.note("plays");
  expect(one.last()).not.toContain("asking again");
});

test("when the match is over, no clock runs", () => {
  const one = screen(true);
  const { meta, status, ...rest } = started();
  one.show({ ...rest, meta, status });
  expect(one.isTicking()).toBe(true);
  one.show({ ...rest, meta: { ...meta, version: 9 }, status: { ...status, game_over: true } });
  expect(one.isTicking()).toBe(false);
});
