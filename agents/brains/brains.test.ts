import { describe, expect, it, test } from "vitest";
import { createMatch, FORMATS, type Format, legalMoves, type Match, step } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { playLocally, viewLocally } from "../local.ts";
import { expert } from "./expert.ts";
import { greedy } from "./greedy.ts";
import { BRAINS, brainKind } from "./registry.ts";

const SEED = "5f3bedef890f10583eb6bfc54e50c924";
const SEARCH_SEED = "0123456789abcdef0123456789abcdef";
/** A clock so short that every brain answers with its cheapest look. */
const NO_TIME = { remainingMs: 0 };

/** The match after these commands, each by the player to move. */
function played(format: Format, level: number, commands: readonly string[]): Match {
  const made = createMatch({ format, level, seed: SEED });
  if (!made.ok) throw new Error(made.message);
  let match = step(made.value, { type: "start" }).match;
  for (const command of commands) {
    const result = step(match, { type: "command", player: match.currentPlayer!, command });
    if (!result.ok) throw new Error(`${command}: ${result.message}`);
    match = result.match;
  }
  return match;
}

describe.each(BRAINS)("$name", (kind) => {
  it.each(FORMATS)("plays a whole match of %s by the rules, to its end (R10)", async (format) => {
    const brain = kind.create(SEARCH_SEED);
    const quick = { choose: (view: NativeState, seat: "P1" | "P2" | "P3" | "P4") => brain.choose(view, seat, NO_TIME) };
    // playLocally throws at the first command that is refused.
    const end = await playLocally({ format, level: 1, seed: SEED, brains: [quick, quick, quick, quick] });
    expect(end.phase).toBe("over");
    expect(end.history.filter((line) => line.includes("[ERROR]"))).toEqual([]);
  });

  it("chooses the same for the same view and search seed, at every turn", async () => {
    const [one, two] = [kind.create(SEARCH_SEED), kind.create(SEARCH_SEED)];
    const views: { view: NativeState; command: string }[] = [];
    const quick = { choose: (view: NativeState, seat: "P1" | "P2" | "P3" | "P4") => one.choose(view, seat, NO_TIME) };
    await playLocally({
      format: "1v1",
      level: 1,
      seed: SEED,
      brains: [quick, quick],
      onChoice: (view, _seat, { command }) => views.push({ view, command }),
    });
    for (const { view, command } of views) {
      const again = await two.choose(structuredClone(view), view.meta.current_player!, NO_TIME);
      expect(again.command).toBe(command);
    }
  });

  it("does not open every match alike", async () => {
    const view = viewLocally(played("1v1", 1, []), "P1");
    const seeds = Array.from({ length: 12 }, (_, i) => ((i + 1) * 0x1234567).toString(16).padStart(32, "0"));
    const openings = await Promise.all(seeds.map((seed) => kind.create(seed).choose(view, "P1", NO_TIME)));
    expect(new Set(openings.map(({ command }) => command)).size).toBeGreaterThan(1);
  });

  it("does not play for a seat that is not to move", () => {
    const view = viewLocally(played("1v1", 1, []), "P2");
    expect(() => kind.create(SEARCH_SEED).choose(view, "P2", NO_TIME)).toThrow("P2 is not to move");
  });
});

test("names are known or not; there is no default", () => {
  expect(brainKind("greedy")).toBe(greedy);
  expect(brainKind("Greedy")).toBeNull();
  expect(brainKind("")).toBeNull();
});

test.each([greedy, expert])("$name ends a match that one command wins (R10.1)", async (kind) => {
  const brain = kind.create(SEARCH_SEED);
  const mover = greedy.create(SEARCH_SEED);
  let match = played("solo", 2, []);
  let winning: string[] = [];
  while (match.currentPlayer !== null) {
    winning = match.turn < 14 ? [] : legalMoves(match).filter((command) => wins(match, command));
    if (winning.length > 0) break;
    const { command } = await mover.choose(viewLocally(match, "P1"), "P1", { remainingMs: 60_000 });
    match = step(match, { type: "command", player: "P1", command }).match;
  }
  expect(winning).not.toEqual([]);
  const { command } = await brain.choose(viewLocally(match, "P1"), "P1", { remainingMs: 60_000 });
  expect(wins(match, command)).toBe(true);
});

function wins(match: Match, command: string): boolean {
  return step(match, { type: "command", player: match.currentPlayer!, command }).match.result === "VICTORY";
}
