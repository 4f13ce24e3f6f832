/** The board as text: R2.1 where bases are, R2.2 where they face, R3.4 who sits there. */
import { expect, test } from "vitest";
import { viewLocally } from "../../agents/local.ts";
import { createMatch, defaultOptions, step } from "../../shared/engine/index.ts";
import { textBoard, textStandings } from "./textBoard.ts";

const SEED = "5f3bedef890f10583eb6bfc54e50c924";

function after(...commands: readonly string[]) {
  const made = createMatch({ format: "solo", level: 1, seed: SEED, options: defaultOptions("solo") });
  if (!made.ok) throw new Error(made.message);
  let match = made.value;
  for (const action of [
    { type: "start" } as const,
    ...commands.map((command) => ({ type: "command", player: "P1", command }) as const),
  ]) {
    const next = step(match, action);
    if (!next.ok) throw new Error(next.message);
    match = next.match;
  }
  return viewLocally(match, "P1");
}

test("free tiles, an obstacle, bases free and taken, whose gear it is", () => {
  const state = after("G4@P11(b=0)+90", "G2@P21(b=0)+90");
  expect(textBoard(state, { colour: false })).toEqual([
    "",
    "  3     r       l       r",
    "",
    "             #######",
    "  2     l    #######    l",
    "             #######",
    "        o",
    "  1   o G4 o  o G2 1    r",
    "        1",
    "        1       2       3",
  ]);
  expect(textStandings(state, "P1")).toEqual([
    "P1 ?  ·  0 points  ·  0/3 home, 1 waiting  ·  G1×2 G2×2 G3×1 G4×1  ·  to move, you",
  ]);
});

test("colours say whose a gear and a mouse are", () => {
  const text = textBoard(after("G4@P11(b=0)+90"), { colour: true }).join("\n");
  expect(text).toContain("\u001b[1;34mG4\u001b[0m");
  expect(text).toContain("\u001b[1;34m1\u001b[0m");
});
