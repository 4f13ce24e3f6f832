/**
 * Every line of every prompt is held to the engine: a row of `claims/` names the line by a phrase and plays what it
 * claims. A line without a row fails, and so does a row without a line.
 */
import { describe, expect, test } from "vitest";
import type { PlayerId } from "../engine/index.ts";
import { ARENA } from "./claims/arena.ts";
import { CORE } from "./claims/core.ts";
import { EVENTS } from "./claims/events.ts";
import { LEVEL_CLAIMS } from "./claims/levels.ts";
import { PHYSICS } from "./claims/physics.ts";
import { SEATS } from "./claims/seats.ts";
import { ALL, linesOf, type Row, turns, viewOf } from "./claims/world.ts";
import { build, fragments, MODULES, readerOf } from "./index.ts";
import { WAYS } from "./seats.ts";

const ROWS: readonly Row[] = [...PHYSICS, ...CORE, ...LEVEL_CLAIMS, ...ARENA, ...SEATS, ...EVENTS];

const paths = (text: string) =>
  [...text.matchAll(/`((?:meta|data|scoring|status)\.[a-z_.]+)`/g)].map(([, path = ""]) => path);
const at = (state: object, path: string) =>
  path.split(".").reduce<unknown>((o, key) => (o as Record<string, unknown>)?.[key], state);

/** Whether the line holds the phrase; `…` stands for any words. */
function says(line: string, phrase: string): boolean {
  let from = 0;
  return phrase.split("…").every((part) => {
    const found = line.indexOf(part, from);
    from = found + part.length;
    return found >= 0;
  });
}

describe("every line says what the engine does", () => {
  test.each(ROWS)("%s: %s", (_module, _phrase, check) => check());

  test("no line without a row, no row without a line", () => {
    const loose = MODULES.flatMap((module) => {
      const rows = ROWS.filter(([of]) => of === module);
      return linesOf(module).filter((line) => !rows.some(([, phrase]) => says(line, phrase)));
    });
    expect(loose).toEqual([]);
    const idle = ROWS.filter(([module, phrase]) => !linesOf(module).some((line) => says(line, phrase)));
    expect(idle.map(([module, phrase]) => `${module}: ${phrase}`)).toEqual([]);
  });

  test("every command in the texts was played above, or is shown as a form", () => {
    const shown = new Set(
      ALL.flatMap(({ text }) => [...text.matchAll(/`([^`]*@P[^`]*)`/g)].map(([, command = ""]) => command)),
    );
    const source =
      ROWS.map(([, , check]) => String(check)).join("\n") +
      Object.values(WAYS)
        .map(({ first }) => first)
        .join("\n");
    const commands = [...shown].map((text) => text.replace(/^Turn \d+ \[P\d\]: /, ""));
    expect(commands.length).toBeGreaterThan(8);
    expect(commands.filter((command) => !source.includes(command))).toEqual([]);
  });

  test("every path in the texts is one of the state", () => {
    const state = viewOf(turns[5]!.after, "P1");
    const named = new Set(ALL.flatMap(({ text }) => paths(text)));
    expect(named.size).toBeGreaterThan(5);
    for (const path of named) expect([path, at(state, path)]).not.toEqual([path, undefined]);
  });
});

describe("which modules, in which order", () => {
  const core = ["core.physics", "core.state", "core.strategy", "core.protocol"];
  const strategies = MODULES.filter((module) => module.startsWith("arena."));
  const rows: readonly [mode: "solo" | "arena" | "1v1" | "2v2" | "ffa4", PlayerId, PlayerId | undefined, string[]][] = [
    ["solo", "P1", undefined, ["levels.solo", "start", "scoring", "entropy.solo", "orb.solo"]],
    ["1v1", "P2", undefined, ["levels.arena", ...strategies, "start", "scoring", "alliance.ffa", "entropy.arena"]],
    ["ffa4", "P4", undefined, ["levels.arena", ...strategies, "start", "scoring", "alliance.ffa", "entropy.arena"]],
    ["arena", "P3", undefined, ["levels.arena", ...strategies, "start", "scoring", "alliance.ffa", "entropy.arena"]],
    ["2v2", "P1", undefined, ["levels.arena", ...strategies, "start", "scoring", "alliance.team_a", "entropy.arena"]],
    ["arena", "P4", "P3", ["levels.arena", ...strategies, "start", "scoring", "alliance.team_b", "entropy.arena"]],
  ];
  test.each(rows)("%s %s %s", (mode, player, ally, middle) => {
    const parts = fragments(mode, player, ally);
    expect(parts.map(({ module }) => module)).toEqual([...core, ...middle, "identity"]);
    expect(build(mode, player, ally)).toBe(parts.map(({ text }) => text).join("\n\n"));
    expect(build(mode, player, ally).split("\n\n")).toHaveLength(parts.length);
  });

  test("the Arena says nothing of the Orb, Solo nothing of allies", () => {
    for (const mode of ["arena", "1v1", "2v2", "ffa4"] as const) expect(build(mode, "P1")).not.toMatch(/orb/i);
    expect(build("solo", "P1")).not.toMatch(/ally|team|rival/i);
    expect(
      fragments("arena", "P1")
        .find(({ module }) => module === "entropy.arena")
        ?.text.split("\n"),
    ).toHaveLength(2);
  });

  test("what there is no prompt for is refused by name", () => {
    expect(readerOf("chess", "P1")).toMatchObject({ code: "not_found" });
    expect(readerOf("1v1", "P3")).toMatchObject({ code: "not_found" });
    expect(readerOf("2v2", "P1", "P3")).toMatchObject({ code: "bad_options" });
    expect(readerOf("1v1", "P1", "P2")).toMatchObject({ code: "bad_options" });
    expect(() => build("solo", "P2")).toThrow(RangeError);
  });
});
