import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, LineSplitter } from "./lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function split(chunks: readonly string[], max = 8): Line[] {
  const splitter = new LineSplitter(max);
  return [...chunks.flatMap((chunk) => [...splitter.push(bytes(chunk))]), ...splitter.end()];
}

const rows: readonly { name: string; chunks: string[]; lines: Line[] }[] = [
  { name: "nothing", chunks: [], lines: [] },
  { name: "one line", chunks: ["a\n"], lines: [{ text: "a" }] },
  { name: "two lines in one chunk", chunks: ["a\nb\n"], lines: [{ text: "a" }, { text: "b" }] },
  { name: "one line in three chunks", chunks: ["a", "b", "c\n"], lines: [{ text: "abc" }] },
  { name: "a last line without newline", chunks: ["a\nb"], lines: [{ text: "a" }, { text: "b" }] },
  { name: "an empty line", chunks: ["\n"], lines: [{ text: "" }] },
  { name: "a line as long as the limit", chunks: ["12345678\n"], lines: [{ text: "12345678" }] },
  {
    name: "a longer one, then a good one",
    chunks: ["123456789\nok\n"],
    lines: [{ tooLong: true }, { text: "ok" }],
  },
  {
    name: "a longer one in pieces, told once",
    chunks: ["12345678", "9", "0123456789", "\nok\n"],
    lines: [{ tooLong: true }, { text: "ok" }],
  },
  { name: "a longer one at the end", chunks: ["123456789"], lines: [{ tooLong: true }] },
];

describe("lines", () => {
  it.each(rows)("$name", ({ chunks, lines }) => {
    expect(split(chunks)).toEqual(lines);
  });

  it("does not depend on where the chunks are cut, not even inside a character", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 6 })),
        fc.integer({ min: 1, max: 7 }),
        (texts, size) => {
          const clean = texts.map((t) => t.replaceAll("\n", ""));
          const all = bytes(clean.map((t) => `${t}\n`).join(""));
          const splitter = new LineSplitter(1_000);
          const lines: Line[] = [];
          for (let i = 0; i < all.length; i += size) lines.push(...splitter.push(all.slice(i, i + size)));
          expect(lines).toEqual(clean.map((text) => ({ text: new TextDecoder().decode(bytes(text)) })));
        },
      ),
    );
  });
});
