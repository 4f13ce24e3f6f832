import { describe, expect, test } from "vitest";
import { createRoomSchema, joinRoomSchema, MAX_PROMPT, MAX_REASONING, moveSchema, nameSchema } from "./requests.ts";
import { unreadable } from "./unreadable.ts";

describe("names: 1 to 32 characters, cleaned (PROTOCOL 4)", () => {
  const rows: readonly [name: string, given: string, cleaned: string | null][] = [
    ["plain", "Ada", "Ada"],
    ["blanks are folded", "  Ada   Lovelace ", "Ada Lovelace"],
    ["line breaks and controls go", "A\u0000d\na\u001b[31m", "Ada[31m"],
    ["direction overrides go", "Ada\u202Egpj", "Adagpj"],
    ["zero-width characters alone are nothing", "\u200B\u200D", null],
    ["32 code points", "🐭".repeat(32), "🐭".repeat(32)],
    ["33 code points", "🐭".repeat(33), null],
    ["empty", "", null],
    ["Hangul fillers alone are nothing", "\u3164\u115f\u1160\uffa0", null],
    ["a blank braille pattern alone is nothing", "\u2800", null],
    ["a variation selector alone is nothing", "\ufe0f\u{e0100}", null],
    ["a grapheme joiner alone is nothing", "\u034f", null],
    ["marks without a letter are nothing", "\u0301\u0302", null],
    ["fillers between letters go", "A\u3164d\u2800a", "Ada"],
    ["what an invisible character parted is composed: NFC", "e\u200d\u0301va", "\u00e9va"],
    ["non-characters go", "Ada\ufffe\uffff", "Ada"],
    ["other scripts stay", "எழில்", "எழில்"],
    ["markup stays text", "<b>Ada</b>", "<b>Ada</b>"],
  ];
  test.each(rows)("%s", (_name, given, cleaned) => {
    const read = nameSchema.safeParse(given);
    expect(read.success ? read.data : null).toBe(cleaned);
  });
});

describe("what else of a player others are shown", () => {
  test.each([
    ["plain", "qwen3:8b", "qwen3:8b"],
    ["controls, direction and halves of pairs go", "q\u0000w\u202een\ud8003\n", "qwen3"],
    ["nothing one can see is no model", " \u200b", undefined],
  ])("a model: %s", (_name, given, cleaned) => {
    expect(joinRoomSchema.parse({ model: given }).model).toBe(cleaned);
  });
  test("the style of a house seat is well-formed text", () => {
    const seats = [{ kind: "ai", brain: "greedy", style: "calm\ud800" }];
    expect(createRoomSchema.parse({ format: "solo", level: 1, seats })).toMatchObject({
      seats: [{ style: "calm\ufffd" }],
    });
  });
});

describe("moves", () => {
  test("a long reasoning is cut, never refused, and no pair is torn", () => {
    const read = moveSchema.parse({ command: "G1@P11+90", reasoning: "🐭".repeat(MAX_REASONING + 5) });
    expect([...(read.reasoning ?? "")]).toHaveLength(MAX_REASONING);
    expect(read.reasoning?.isWellFormed()).toBe(true);
  });
  test("of a long command 65 code points are kept, enough to be refused (R4.1)", () => {
    expect(moveSchema.parse({ command: `G1@P11+90${" ".repeat(100_000)}` }).command).toHaveLength(65);
  });
  test("a lone surrogate becomes U+FFFD, as R8.2 shows it", () => {
    expect(moveSchema.parse({ command: "G1\ud800" }).command).toBe("G1\ufffd");
  });
  test.each([
    ["no command", {}],
    ["a command that is no string", { command: 7 }],
    ["a negative turn", { command: "", turn: -1 }],
    ["a turn that is text", { command: "", turn: "3" }],
    ["a fractional token count", { command: "", token_usage: { total: 1.5 } }],
  ])("refused: %s", (_name, body) => {
    expect(moveSchema.safeParse(body).success).toBe(false);
  });
});

describe("rooms", () => {
  test.each([
    ["a preset", { preset: "duel" }, true],
    ["format and level", { format: "1v1", level: 1 }, true],
    ["no clock", { format: "solo", level: 1, turn_seconds: null }, true],
    ["an unknown field", { format: "1v1", level: 1, seed: "0" }, false],
    ["a clock of 4 s", { format: "1v1", level: 1, turn_seconds: 4 }, false],
    ["a clock of 86401 s", { format: "1v1", level: 1, turn_seconds: 86_401 }, false],
    ["an unknown format", { format: "3v3", level: 1 }, false],
    ["five seats", { format: "ffa4", level: 1, seats: Array(5).fill({ kind: "any" }) }, false],
  ])("%s", (_name, body, fits) => {
    expect(createRoomSchema.safeParse(body).success).toBe(fits);
  });
});

describe("what is wrong is told by field and code", () => {
  const seats = (style: string) => ({ format: "solo", level: 1, seats: [{ kind: "ai", brain: "greedy", style }] });
  test.each<[name: string, body: object, code: string | null, field: string]>([
    ["a style at the limit", seats("🐭".repeat(MAX_PROMPT)), null, ""],
    ["a style over it (PROTOCOL 4)", seats("x".repeat(MAX_PROMPT + 1)), "too_large", "seats.0.style"],
    [
      "a style that is no text",
      { format: "solo", level: 1, seats: [{ kind: "ai", style: 7 }] },
      "bad_request",
      "seats.0.style",
    ],
    ["an unknown format", { format: "3v3", level: 1 }, "bad_request", "format"],
    ["a level of 0", { format: "solo", level: 0 }, "bad_request", "level"],
    ["an unknown field", { format: "solo", level: 1, seed: "0" }, "bad_request", 'body: Unrecognized key: "seed"'],
    ["a preset that is a number", { preset: 7 }, "bad_request", "preset"],
    ["a preset with a format", { preset: "duel", format: "solo" }, "bad_request", 'body: Unrecognized key: "format"'],
    ["nothing", {}, "bad_request", "preset"],
    ["a name that cannot be seen", { preset: "duel", name: "\u3164" }, "bad_request", "name"],
  ])("%s", (_name, body, code, field) => {
    const read = createRoomSchema.safeParse(body);
    const refusal = read.success ? null : unreadable(read.error);
    expect(refusal?.code ?? null).toBe(code);
    expect(refusal?.message ?? "").toMatch(field === "" ? /^$/ : new RegExp(`^${field}`));
  });
});
