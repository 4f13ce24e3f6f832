import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeRoomCode, parseMatchId, parseRoomCode, ROOM_CODE_ALPHABET } from "./ids.ts";

describe("room codes (PROTOCOL 1)", () => {
  const rows: readonly [name: string, typed: string, code: string | null][] = [
    ["canonical", "IXENT-ABC234", "IXENT-ABC234"],
    ["lower case", "ixent-abc234", "IXENT-ABC234"],
    ["without the prefix", "abc234", "IXENT-ABC234"],
    ["without the hyphen", "IXENTABC234", "IXENT-ABC234"],
    ["blanks and hyphens anywhere", " i x e n t - a b c - 2 3 4 ", "IXENT-ABC234"],
    ["a typographic dash", "IXENT–ABC234", "IXENT-ABC234"],
    ["O never occurs", "IXENT-ABO234", null],
    ["I never occurs", "IXENT-ABI234", null],
    ["0 never occurs", "IXENT-ABC034", null],
    ["1 never occurs", "IXENT-ABC134", null],
    ["too short", "IXENT-ABC23", null],
    ["too long", "IXENT-ABC2345", null],
    ["the prefix twice", "IXENT-IXENT-ABC234", null],
    ["empty", "", null],
    ["very long", "A".repeat(100_000), null],
    ["a path", "../../etc/passwd", null],
  ];
  test.each(rows)("%s", (_name, typed, code) => {
    expect(parseRoomCode(typed)).toBe(code);
  });

  test("parse ∘ make is the identity, and every letter is reached", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), (bytes) => {
        const code = makeRoomCode(bytes);
        for (const letter of code.slice(6)) seen.add(letter);
        return parseRoomCode(code) === code && parseRoomCode(code.slice(6).toLowerCase()) === code;
      }),
      { numRuns: 2_000 },
    );
    expect([...seen].sort().join("")).toBe([...ROOM_CODE_ALPHABET].sort().join(""));
  });
});

test("match ids are UUIDs in lower case and nothing else", () => {
  expect(parseMatchId("0198c5a6-7b1c-7d3e-8f00-0123456789ab")).not.toBeNull();
  for (const bad of ["", "x", "0198C5A6-7B1C-7D3E-8F00-0123456789AB", "0198c5a6-7b1c-7d3e-8f00-0123456789ab/.."]) {
    expect(parseMatchId(bad)).toBeNull();
  }
});
