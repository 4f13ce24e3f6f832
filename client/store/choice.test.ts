import { describe, expect, test } from "vitest";
import { createMatch, type LegalFactors, legalMoves, step } from "../../shared/engine/index.ts";
import {
  type Choice,
  clearPremove,
  commandOf,
  openChoice,
  pickFacing,
  pickGear,
  pickPremove,
  pickSlot,
  pickTile,
  pickTurn,
} from "./choice.ts";

const placement: LegalFactors = { stage: "placement", count: 16, tiles: ["P11", "P21"], types: ["G1", "G3"] };
const rotation: LegalFactors = { stage: "rotation", count: 36, tiles: ["P11", "P12"] };
const open = (factors: LegalFactors, ...steps: ((c: Choice, f: LegalFactors) => Choice)[]): Choice =>
  steps.reduce((choice, change) => change(choice, factors), openChoice(factors, null));

describe("putting a command together", () => {
  test.each<{
    name: string;
    factors: LegalFactors;
    steps: ((c: Choice, f: LegalFactors) => Choice)[];
    command: string | null;
  }>([
    { name: "nothing chosen", factors: placement, steps: [], command: null },
    { name: "a tile alone", factors: placement, steps: [(c, f) => pickTile(c, f, "P21")], command: null },
    {
      name: "the first type is ready (R4.1)",
      factors: placement,
      steps: [(c, f) => pickTile(c, f, "P21"), (c) => pickTurn(c, 90)],
      command: "G1@P21(b=0)+90",
    },
    {
      name: "type, facing, turn",
      factors: placement,
      steps: [
        (c, f) => pickGear(c, f, "G3"),
        (c, f) => pickTile(c, f, "P11"),
        (c) => pickFacing(c, 2),
        (c) => pickTurn(c, -90),
      ],
      command: "G3@P11(b=2)-90",
    },
    {
      name: "the tile again turns the facing",
      factors: placement,
      steps: [(c, f) => pickTile(c, f, "P11"), (c, f) => pickTile(c, f, "P11"), (c) => pickTurn(c, 90)],
      command: "G1@P11(b=1)+90",
    },
    {
      name: "a tile that is not legal is not taken",
      factors: placement,
      steps: [(c, f) => pickTile(c, f, "P44"), (c) => pickTurn(c, 90)],
      command: null,
    },
    {
      name: "a type that is not in stock is not taken",
      factors: placement,
      steps: [(c, f) => pickGear(c, f, "G2"), (c, f) => pickTile(c, f, "P11"), (c) => pickTurn(c, 90)],
      command: "G1@P11(b=0)+90",
    },
    {
      name: "rotation",
      factors: rotation,
      steps: [(c, f) => pickTile(c, f, "P12"), (c) => pickTurn(c, -90)],
      command: "G@P12-90",
    },
    {
      name: "rotation with pre-move",
      factors: rotation,
      steps: [
        (c) => pickSlot(c, "premove"),
        (c, f) => pickPremove(c, f, "P11", 1),
        (c) => pickFacing(c, 3),
        (c) => pickSlot(c, "turn"),
        (c, f) => pickTile(c, f, "P12"),
        (c) => pickTurn(c, 90),
      ],
      command: "G@P11:b=3 ; G@P12+90",
    },
    {
      name: "the pre-move is dropped again",
      factors: rotation,
      steps: [
        (c, f) => pickPremove(c, f, "P11", 1),
        clearPremove,
        (c, f) => pickTile(c, f, "P12"),
        (c) => pickTurn(c, 90),
      ],
      command: "G@P12+90",
    },
  ])("$name", ({ factors, steps, command }) => {
    expect(commandOf(open(factors, ...steps))).toBe(command);
  });

  test("what can be chosen at the start of a duel is legal by the engine", () => {
    const made = createMatch({ format: "1v1", level: 1, seed: "5f3bedef890f10583eb6bfc54e50c924" });
    if (!made.ok) throw new Error(made.message);
    const match = step(made.value, { type: "start" }).match;
    const legal = new Set(legalMoves(match));
    const factors: LegalFactors = {
      stage: "placement",
      count: 0,
      tiles: ["P11", "P41"],
      types: ["G1", "G2", "G3", "G4"],
    };
    for (const gear of ["G1", "G2", "G3", "G4"] as const) {
      const choice = open(
        factors,
        (c, f) => pickGear(c, f, gear),
        (c, f) => pickTile(c, f, "P41"),
        (c) => pickTurn(c, 90),
      );
      expect(legal).toContain(commandOf(choice));
    }
  });

  test("the type chosen last is kept while there is one", () => {
    const before = open(placement, (c, f) => pickGear(c, f, "G3"));
    expect(openChoice(placement, before)).toMatchObject({ gear: "G3", tile: null, turn: null });
    expect(openChoice({ ...placement, types: ["G1"] }, before)).toMatchObject({ gear: "G1" });
  });
});
