import { describe, expect, test } from "vitest";
import { frameLines, makeFrame, parseFrame } from "./frame.ts";
import { parseSegment } from "./segments.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const header = makeFrame({
  kind: "header",
  batch: 0,
  match: "-",
  version: 0,
  count: 0,
  payload: '{"previous":null,"open":[]}',
});
const entry = (batch: number, version: number, text = "x") =>
  makeFrame({ kind: "entries", batch, match: ID, version, count: 1, payload: JSON.stringify([text]) });
const segment = (...lines: string[]) => Buffer.from([header, ...lines].join(""));
const versions = (bytes: Buffer, limit?: number) => parseSegment(1, bytes, limit)?.frames.map((f) => f.frame.version);

describe("frames", () => {
  test("come back as they were", () => {
    const frame = { kind: "last", batch: 7, match: ID, version: 12, count: 2, payload: '["🐭 é","b"]' } as const;
    const line = Buffer.from(makeFrame(frame));
    expect(line.at(-1)).toBe(10);
    expect(parseFrame(line.subarray(0, -1))).toEqual(frame);
  });

  test("with any byte changed are none", () => {
    const line = Buffer.from(entry(1, 1)).subarray(0, -1);
    for (let i = 0; i < line.length; i++) {
      for (const mask of [1, 2, 128]) {
        const changed = Buffer.from(line);
        changed[i] = (changed[i] as number) ^ mask;
        expect(parseFrame(changed), `byte ${i}`).toBeNull();
      }
    }
  });

  test.each([
    ["empty", ""],
    ["too short", "00000000"],
    ["text", "hello world, this is no frame"],
  ])("%s", (_, text) => {
    expect(parseFrame(Buffer.from(text))).toBeNull();
  });

  test("a line without its newline has none, even when it is whole", () => {
    const [only] = frameLines(Buffer.from(entry(1, 1).trimEnd()));
    expect(only?.frame).toBeNull();
  });
});

describe("a segment", () => {
  const whole = segment(entry(1, 1), entry(1, 2), entry(2, 3));

  test("cut at every byte has the frames before the cut and a size at a frame's end", () => {
    const ends = [...frameLines(whole)].map((line) => line.end);
    for (let cut = 0; cut <= whole.length; cut++) {
      const parsed = parseSegment(1, whole.subarray(0, cut));
      const kept = ends.filter((end) => end <= cut);
      expect(parsed?.frames.length ?? -1, `cut at ${cut}`).toBe(kept.length - 1);
      if (parsed !== null) expect(parsed.size).toBe(kept.at(-1));
      expect(parsed?.damaged ?? 0).toBe(0);
    }
  });

  const bad = entry(2, 3).replace("x", "y");
  test.each([
    ["a torn end", segment(entry(1, 1), entry(1, 2), bad), undefined, [1, 2], 0],
    ["a torn batch of which later pages came to the disk", segment(entry(1, 1), bad, entry(2, 4)), undefined, [1], 0],
    ["a hole in the last batch", segment(entry(1, 1), "\0".repeat(512), "\n", entry(2, 4)), undefined, [1], 0],
    ["rot: a batch two on is whole", segment(entry(1, 1), bad, entry(2, 4), entry(3, 5)), undefined, [1, 4, 5], 1],
    ["rot where the length is known", segment(entry(1, 1), bad, entry(2, 4)), -1, [1, 4], 1],
    ["rot at the end where the length is known", segment(entry(1, 1), bad), -1, [1], 1],
    ["what a later header cut off", segment(entry(1, 1), entry(1, 2)), segment(entry(1, 1)).length, [1], 0],
  ])("%s", (_, bytes, limit, expected, damaged) => {
    const length = limit === -1 ? bytes.length : limit;
    expect(versions(bytes, length)).toEqual(expected);
    expect(parseSegment(1, bytes, length)?.damaged).toBe(damaged);
  });

  test("without a whole header is none", () => {
    expect(parseSegment(1, Buffer.from(header.slice(0, -1)))).toBeNull();
    expect(parseSegment(1, Buffer.from(entry(1, 1)))).toBeNull();
    expect(parseSegment(1, Buffer.alloc(0))).toBeNull();
  });
});
