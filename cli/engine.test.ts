import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { MAX_LINE_BYTES } from "./engine/requests.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));
const SEED = "5f3bedef890f10583eb6bfc54e50c924";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** A real `gearmice engine` and its answers in order. */
class Engine {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.child = spawn(process.execPath, [BIN, "engine"]);
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  send(text: string | Uint8Array): void {
    this.child.stdin.write(text);
  }

  async answer(): Promise<Answer> {
    const line = await this.#lines.next();
    if (line.done) throw new Error("the engine has ended");
    return JSON.parse(line.value);
  }

  ask(request: object): Promise<Answer> {
    this.send(`${JSON.stringify(request)}\n`);
    return this.answer();
  }

  /** Ends its input; resolves with its exit code. */
  async end(): Promise<number | null> {
    const gone = once(this.child, "exit");
    this.child.stdin.end();
    const [code] = await gone;
    return code;
  }
}

let engine: Engine;
beforeEach(() => {
  engine = new Engine();
});
afterEach(() => {
  engine.child.kill();
});

interface VectorStep {
  readonly player: string;
  readonly command?: string;
  readonly op?: "resign" | "expire";
  readonly turn?: number;
  readonly ok: boolean;
  readonly code?: string;
  readonly legal?: { readonly count: number; readonly sha256: string };
  readonly at?: number;
  readonly next?: string | null;
  readonly scores?: object;
  readonly mice?: Record<string, readonly [string, number | null, string]>;
  readonly board?: string;
}

interface Vector {
  readonly name: string;
  readonly format: string;
  readonly level: number;
  readonly seed: string;
  readonly invalid?: string;
  readonly orb?: boolean;
  readonly entropy?: boolean;
  readonly steps: readonly VectorStep[];
  readonly result: string | null;
  readonly winner: readonly string[];
  readonly history: readonly string[];
}

const vectors = readFileSync(new URL("../test/vectors/matches.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): Vector => JSON.parse(line));

describe("vector matches, step by step through the process", () => {
  // One of each format, and one with directed refusals and departures.
  const chosen = [
    ...["solo", "1v1", "2v2", "ffa4"].map((format) => vectors.find((v) => v.format === format)!),
    vectors.find((v) => v.steps.some((s) => s.op !== undefined) && v.steps.some((s) => s.code === "too_late"))!,
  ];
  it.each(chosen)("$name", async (vector) => {
    const { format, level, seed, invalid, orb, entropy } = vector;
    const { match } = await engine.ask({ op: "new", format, level, seed, invalid, orb, entropy, reply: "brief" });
    let state: Answer;
    for (const each of vector.steps) {
      if (each.legal) {
        const { commands } = await engine.ask({ op: "legal", match });
        const sha256 = createHash("sha256")
          .update([...commands].sort().join("\n"))
          .digest("hex");
        expect({ count: commands.length, sha256 }).toEqual(each.legal);
      }
      const { op = "play", player, command, turn } = each;
      const answer = await engine.ask({ op, match, player, command, turn });
      expect({ ok: answer.ok, code: answer.code }).toEqual({ ok: each.ok, code: each.code });
      state = answer.state ?? (await engine.ask({ op: "state", match })).state;
      if (each.at !== undefined) expect(state.meta.turn).toBe(each.at);
      if (each.next !== undefined) expect(state.meta.current_player).toBe(each.next);
      if (each.scores) expect(state.scoring.scores).toEqual(each.scores);
      if (each.board !== undefined) expect(Object.values(state.data.board_encoding).join(" ")).toBe(each.board);
      for (const [id, [pos, onBase, status]] of Object.entries(each.mice ?? {})) {
        expect(state.data.mice[id]).toMatchObject({ pos, on_base: onBase, status });
      }
    }
    expect(state.status).toMatchObject({ result: vector.result, winner: vector.winner });
    expect(state.data.history).toEqual(vector.history);
    // And all the way back.
    let back: Answer;
    do back = await engine.ask({ op: "undo", match });
    while (back.ok && back.state.meta.version > 2);
    expect(back.state).toMatchObject({ meta: { turn: 0, phase: "playing" }, data: { history: [] } });
  });
});

describe("lines that are no requests", () => {
  const rows: readonly { name: string; line: string; code: string }[] = [
    { name: "not JSON", line: "hello", code: "bad_json" },
    { name: "half of it", line: '{"id":1,', code: "bad_json" },
    { name: "nothing", line: "", code: "bad_json" },
    { name: "a number", line: "17", code: "bad_request" },
    { name: "null", line: "null", code: "bad_request" },
    { name: "deeply nested", line: "[".repeat(100_000) + "]".repeat(100_000), code: "bad_request" },
    { name: "too long", line: "x".repeat(MAX_LINE_BYTES + 1), code: "line_too_long" },
    { name: "three times too long", line: "x".repeat(3 * MAX_LINE_BYTES), code: "line_too_long" },
  ];
  it.each(rows)("$name: an answer, and the next request is answered too", async ({ line, code }) => {
    engine.send(`${line}\n`);
    expect(await engine.answer()).toMatchObject({ id: null, ok: false, code });
    expect(await engine.ask({ id: 1, op: "fly" })).toMatchObject({ id: 1, code: "unknown_op" });
  });

  test("bytes that are no UTF-8, carriage returns, a last line without its end", async () => {
    engine.send(Uint8Array.from([0xff, 0xfe, 0x0a]));
    expect(await engine.answer()).toMatchObject({ code: "bad_json" });
    engine.send('{"id":1,"op":"fly"}\r\n{"id":2,"op":"fly"}');
    expect(await engine.answer()).toMatchObject({ id: 1, code: "unknown_op" });
    engine.child.stdin.end();
    expect(await engine.answer()).toMatchObject({ id: 2, code: "unknown_op" });
  });
});

test("the end of the input ends it with 0", async () => {
  await engine.ask({ op: "fly" });
  expect(await engine.end()).toBe(0);
});

test("it ends when nobody reads its answers any more", async () => {
  const gone = once(engine.child, "exit");
  engine.child.stdin.on("error", () => {});
  engine.child.stdout.destroy();
  engine.send('{"op":"fly"}\n'.repeat(10_000));
  // By the broken pipe as any program (141), unless its input has ended before it wrote.
  expect([0, 141]).toContain((await gone)[0]);
});

test("a reader that is slow gets every answer, in order", async () => {
  const { match } = await engine.ask({ op: "new", format: "ffa4", level: 4, seed: SEED, reply: "brief" });
  // Some 20 MB of answers, of which nothing is read until all of the requests are on their way.
  const count = 2_000;
  for (let id = 0; id < count; id++) engine.send(`${JSON.stringify({ id, op: "state", match })}\n`);
  for (let id = 0; id < count; id++) expect((await engine.answer()).id).toBe(id);
});

test("random lines and random requests never end it, each gets one answer", async () => {
  const { match } = await engine.ask({ op: "new", format: "2v2", level: 1, seed: SEED, reply: "brief" });
  const field = fc.oneof(fc.jsonValue(), fc.constant(match), fc.constantFrom("P1", "P2", "G1@P11+90", "brief", SEED));
  const request = fc
    .record(
      {
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        op: fc.oneof(
          {
            weight: 9,
            arbitrary: fc.constantFrom("new", "play", "legal", "state", "clone", "undo", "expire", "resign", "batch"),
          },
          { weight: 1, arbitrary: fc.string() },
        ),
        match: fc.oneof(fc.constant(match), field),
        player: fc.oneof(fc.constantFrom("P1", "P2", "P3", "P4"), field),
        command: fc.oneof(fc.string({ maxLength: 100 }), fc.constant("G2@P11(b=1)-90"), field),
        turn: fc.oneof(fc.nat(4), field),
        reply: fc.oneof(fc.constantFrom("state", "brief"), field),
        format: fc.oneof(fc.constantFrom("solo", "1v1"), field),
        level: fc.oneof(fc.integer(), field),
        seed: fc.oneof(fc.constant(SEED), field),
        requests: fc.array(field),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value));
  const line = fc.oneof(
    request,
    fc.string({ unit: "binary", maxLength: 200 }).map((t) => t.replaceAll("\n", " ")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
      engine.send(lines.map((each) => `${each}\n`).join(""));
      for (const _ of lines) {
        const answer = await engine.answer();
        expect(typeof answer.ok).toBe("boolean");
        if (!answer.ok)
          expect(answer).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) });
        expect(answer.code).not.toBe("internal");
      }
    }),
    { numRuns: 100 },
  );
  expect(await engine.ask({ id: "still here", op: "fly" })).toMatchObject({ id: "still here" });
});
