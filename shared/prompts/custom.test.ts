import { describe, expect, test } from "vitest";
import { withCustomTexts } from "./custom.ts";
import { build } from "./index.ts";

const prompt = build("solo", "P1");

describe("texts of an agent's author (PROTOCOL 4, 6)", () => {
  test.each([
    ["one in a lab match", ["Be quick."], "lab", `${prompt}\n\nBe quick.`],
    ["two, behind the identity lock, in their order", ["A", "B"], "lab", `${prompt}\n\nA\n\nB`],
    ["none", [], "lab", prompt],
    ["empty ones and blanks", ["", null, undefined, "  \n"], "casual", prompt],
    ["2,222 characters of two units each", ["🔮".repeat(2_222)], "lab", `${prompt}\n\n${"🔮".repeat(2_222)}`],
    ["half a character", ["a\ud83d"], "lab", `${prompt}\n\na\ufffd`],
  ] as const)("%s", (_name, texts, kind, expected) => {
    expect(withCustomTexts(prompt, texts, kind)).toEqual({ ok: true, prompt: expected });
  });
  test("dropped in benchmark, and said so", () => {
    expect(withCustomTexts(prompt, ["Be quick."], "benchmark")).toEqual({
      ok: true,
      prompt,
      moderation_notice: expect.stringContaining("benchmark"),
    });
    expect(withCustomTexts(prompt, [""], "benchmark")).toEqual({ ok: true, prompt });
  });
  test.each(["lab", "casual", "benchmark"] as const)("one too long is refused in %s", (kind) => {
    expect(withCustomTexts(prompt, ["ok", "x".repeat(2_223)], kind)).toMatchObject({ ok: false, code: "too_large" });
  });
});
