import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Command, GEAR_TYPES, makeCommand, makeTile, parseCommand, parseTile, type Quarter } from "./index.ts";
import { cleanText } from "./text.ts";

const SMALL = { width: 4, height: 4 };
const LARGE = { width: 10, height: 10 };

describe("tile labels (R1.1)", () => {
  test.each([
    ["P11", { x: 1, y: 1 }],
    ["P110", { x: 1, y: 10 }],
    ["P101", { x: 10, y: 1 }],
    ["P1010", { x: 10, y: 10 }],
    ["P99", { x: 9, y: 9 }],
  ])("%s on 10×10", (label, place) => {
    expect(parseTile(label, LARGE)).toEqual({ ok: true, value: place });
    expect(makeTile(place.x, place.y)).toBe(label);
  });

  test.each([
    ["P111", LARGE, "no_such_tile"],
    ["P1111", LARGE, "no_such_tile"],
    ["P100", LARGE, "no_such_tile"],
    ["P0101", LARGE, "no_such_tile"],
    ["P01", LARGE, "no_such_tile"],
    ["P51", SMALL, "no_such_tile"],
    ["P110", SMALL, "no_such_tile"],
    ["P1", SMALL, "syntax"],
    ["P11111", SMALL, "syntax"],
    ["p11", SMALL, "syntax"],
    ["P11 ", SMALL, "syntax"],
    ["P١١", SMALL, "syntax"],
  ])("%s is refused", (label, size, code) => {
    expect(parseTile(label, size)).toMatchObject({ ok: false, code });
  });

  test("every label of every size is read back, and no two are alike", () => {
    for (let width = 1; width <= 10; width++) {
      for (let height = 1; height <= 10; height++) {
        const labels = new Set<string>();
        for (let x = 1; x <= width; x++) {
          for (let y = 1; y <= height; y++) {
            labels.add(makeTile(x, y));
            expect(parseTile(makeTile(x, y), { width, height })).toEqual({ ok: true, value: { x, y } });
          }
        }
        expect(labels.size).toBe(width * height);
      }
    }
  });
});

describe("commands (R4.1)", () => {
  test.each([
    ["placement", "G1@P11(b=2)+90", "G1@P11(b=2)+90"],
    ["b left out", "G4@P44-90", "G4@P44(b=0)-90"],
    ["rotation", "G@P23-90", "G@P23-90"],
    ["pre-move", "G@P11:b=3 ; G@P12+90", "G@P11:b=3 ; G@P12+90"],
    ["no blanks", "G@P11:b=0;G@P11-90", "G@P11:b=0 ; G@P11-90"],
    ["many blanks", "G@P11:b=0   ;      G@P11-90", "G@P11:b=0 ; G@P11-90"],
    ["64 code points", `G@P11:b=0${" ".repeat(46)};G@P11-90`, "G@P11:b=0 ; G@P11-90"],
  ])("%s", (_, text, canonical) => {
    const parsed = parseCommand(text, SMALL);
    expect(parsed.ok && makeCommand(parsed.value)).toBe(canonical);
  });

  test.each([
    ["empty", ""],
    ["blank before", " G1@P11+90"],
    ["blank behind", "G1@P11+90 "],
    ["newline behind", "G1@P11+90\n"],
    ["small letters", "g1@p11+90"],
    ["no such type", "G5@P11+90"],
    ["type 0", "G0@P11+90"],
    ["b out of bounds", "G1@P11(b=4)+90"],
    ["other angle", "G1@P11+180"],
    ["no sign", "G1@P11(b=0)90"],
    ["b on a rotation", "G@P11(b=0)+90"],
    ["one digit", "G@P1+90"],
    ["five digits", "G@P11111+90"],
    ["tab beside the semicolon", "G@P11:b=0\t; G@P11-90"],
    ["no-break space", "G@P11:b=0\u00a0; G@P11-90"],
    ["two pre-moves", "G@P11:b=0 ; G@P11:b=0 ; G@P11-90"],
    ["pre-move without b", "G@P11;G@P11+90"],
    ["minus sign", "G@P11\u221290"],
    ["full-width digit", "G1@P1\uff11+90"],
    ["65 code points", `G@P11:b=0${" ".repeat(47)};G@P11-90`],
    ["a million", "G1@P11+90".repeat(111_112)],
  ])("syntax: %s", (_, text) => {
    expect(parseCommand(text, SMALL)).toMatchObject({ ok: false, code: "syntax" });
  });

  test.each([
    ["placement", "G1@P55+90"],
    ["leading zero", "G1@P01+90"],
    ["pre-move's tile", "G@P99:b=0 ; G@P11+90"],
    ["turned tile", "G@P11:b=0 ; G@P99+90"],
  ])("no_such_tile: %s", (_, text) => {
    expect(parseCommand(text, SMALL)).toMatchObject({ ok: false, code: "no_such_tile" });
  });

  const tile = fc
    .tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 }))
    .map(([x, y]) => makeTile(x, y));
  const b = fc.constantFrom<Quarter>(0, 1, 2, 3);
  const turn = fc.constantFrom(90 as const, -90 as const);
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.record({ type: fc.constant("place" as const), gear: fc.constantFrom(...GEAR_TYPES), tile, b, turn }),
    fc.record({
      type: fc.constant("rotate" as const),
      tile,
      turn,
      premove: fc.option(fc.record({ tile, b })),
    }),
  );

  test("parse after make is identity", () => {
    fc.assert(
      fc.property(command, (each) => {
        expect(parseCommand(makeCommand(each), LARGE)).toEqual({ ok: true, value: each });
      }),
    );
  });

  test("make after parse is canonical, and any text gets an answer", () => {
    const pieces = fc.constantFrom(
      "G",
      "G1",
      "@",
      "P",
      "11",
      "1010",
      "(b=",
      "0",
      ")",
      "+90",
      "-90",
      ":b=",
      " ",
      ";",
      "\u202e",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (each) => {
        const parsed = parseCommand(each, LARGE);
        if (!parsed.ok) return;
        const again = parseCommand(makeCommand(parsed.value), LARGE);
        expect(again).toEqual(parsed);
      }),
    );
  });
});

describe("refused text in the history (R8.2)", () => {
  test.each([
    ["kept", "G9@P11 ~", "G9@P11 ~"],
    ["control", "a\nb\x7f", "a\ufffdb\ufffd"],
    ["one for a pair", "🔮x", "\ufffdx"],
    ["one for a lone half", "\ud83dx", "\ufffdx"],
    ["cut", "x".repeat(100), "x".repeat(64)],
    ["cut by code points", "🔮".repeat(100), "\ufffd".repeat(64)],
    ["cut just before a half", `${"x".repeat(63)}🔮y`, `${"x".repeat(63)}\ufffd`],
  ])("%s", (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });
});
