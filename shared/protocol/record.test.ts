import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkSignature } from "../../server/signing.ts";
import { playedLog, SEED, vectorLogs } from "../../test/support/logs.ts";
import { canonicalize } from "./hash.ts";
import type { LogEntry } from "./log.ts";
import { foldLog, LogError } from "./match.ts";
import { makeRecord, partialRecord, type Signer } from "./record.ts";
import { type Verdict, verifyRecord } from "./recordVerify.ts";

function newSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519") as { privateKey: KeyObject; publicKey: KeyObject };
  const { x = "" } = publicKey.export({ format: "jwk" });
  return {
    keyId: Buffer.from(x, "base64url").toString("hex"),
    sign: (message) => sign(null, message, privateKey),
  };
}

const signer = newSigner();
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
const check = (record: string | Uint8Array) => verifyRecord(record, { keys: [signer.keyId], checkSignature });
const sha256 = (line: string) => createHash("sha256").update(line).digest("hex");

/** A forger's work: the lines chained anew, the last one signed by `by`. */
function rechain(lines: readonly string[], by: Signer): string {
  const made: string[] = [];
  for (const line of lines) {
    const { signature: _, prev: __, ...value } = JSON.parse(line);
    const before = made.at(-1);
    if (before !== undefined) value.prev = sha256(before);
    if (value.type === "result") {
      value.key_id = by.keyId;
      const digest = createHash("sha256").update(canonicalize(value)).digest();
      value.signature = Buffer.from(by.sign(digest)).toString("hex");
    }
    made.push(canonicalize(value));
  }
  return text(made);
}

const solo = playedLog({ format: "solo", level: 1, seed: SEED });
const duel = playedLog({ format: "1v1", level: 1, seed: SEED, kind: "benchmark" });
const soloLines = makeRecord(solo, signer);

describe("a whole record", () => {
  test.each(vectorLogs())("verifies: $name", async ({ entries }) => {
    const record = text(makeRecord(entries, signer));
    expect(await check(record)).toMatchObject({ ok: true, signer: "known" });
  });

  test("is the same bytes whenever it is made", () => {
    expect(makeRecord(structuredClone(duel), signer)).toEqual(makeRecord(duel, signer));
  });

  test("has PROTOCOL 10's lines, each in RFC 8785 form and chained", () => {
    const [header, ...rest] = soloLines.map((line) => JSON.parse(line));
    for (const line of soloLines) expect(canonicalize(JSON.parse(line))).toBe(line);
    expect(header).toMatchObject({ type: "header", record: "gearmice-record/1", rules: 1, format: "solo", level: 1 });
    expect(header.seed_commitment).toBe(sha256(SEED));
    expect(header.state).toMatchObject({ turn: 0, phase: "waiting", history_length: 0 });
    expect(rest.map((line, i) => line.prev === sha256(soloLines[i] as string))).not.toContain(false);
    expect(rest.at(0)).toMatchObject({ type: "start", n: 1, version: 3 });
    expect(rest.at(-1)).toMatchObject({ type: "result", seed: SEED, key_id: signer.keyId });
    const types = new Set(rest.map((line) => line.type));
    expect([...types].sort()).toEqual(["refused", "result", "start", "turn"]);
  });

  test("names who sat where, and what programs told", () => {
    const [header, , first] = makeRecord(duel, signer).map((line) => JSON.parse(line));
    expect(header.seats).toEqual([
      { seat: "P1", kind: "human", name: "Ada 0 🐭", brain: null, model: null, style: null },
      { seat: "P2", kind: "ai", name: "Ada 1 🐭", brain: null, model: "small", style: null },
    ]);
    expect(first).toMatchObject({ reasoning: expect.any(String), token_usage: { total: 100, thinking: 0 } });
  });

  test("is refused for a match that is not over", () => {
    expect(() => makeRecord(solo.slice(0, -1), signer)).toThrow(LogError);
    expect(() => makeRecord([], signer)).toThrow(LogError);
  });

  test("takes text that is not well-formed as U+FFFD", async () => {
    const entries = solo.map((e): LogEntry => (e.type === "turn" ? { ...e, reasoning: "\ud800" } : e));
    expect(await check(text(makeRecord(entries, signer)))).toMatchObject({ ok: true });
  });

  test("holds what R10 makes of tokens", async () => {
    const verdict = await check(text(makeRecord(duel, signer)));
    const { tokens } = foldLog(duel);
    expect(verdict).toMatchObject({ ok: true, result: { players: { P1: { tokens: tokens.P1?.total } } } });
  });
});

describe("signers", () => {
  test("an unknown one is said to be unknown", async () => {
    const verdict = await verifyRecord(text(soloLines), { keys: [newSigner().keyId], checkSignature });
    expect(verdict).toMatchObject({ ok: true, signer: "unknown" });
  });

  test("another's signature under the known key's name is refused", async () => {
    const other = newSigner();
    const forged = rechain(soloLines, { keyId: signer.keyId, sign: other.sign });
    expect(await check(forged)).toMatchObject({ ok: false, line: soloLines.length });
  });

  test("without keys every changed byte of the last line is found all the same", async () => {
    const last = soloLines.at(-1) as string;
    const changed = text([
      ...soloLines.slice(0, -1),
      last.replace(/"key_id":"(.)/, (_, d) => `"key_id":"${d === "0" ? 1 : 0}`),
    ]);
    const verdict = await verifyRecord(changed, { keys: [], checkSignature });
    expect(verdict).toMatchObject({ ok: false, line: soloLines.length });
  });
});

describe("a changed record is refused and the line is named", () => {
  const short = makeRecord(shortMatch(), signer);
  const bytes = Buffer.from(text(short));
  const lineOf = (offset: number) => bytes.subarray(0, offset).filter((b) => b === 10).length + 1;

  function shortMatch(): LogEntry[] {
    const played = playedLog({ format: "1v1", level: 1, seed: SEED }, 2);
    return [...played, { type: "out", player: "P2", reason: "RESIGNED", at_ms: 1, elapsed_ms: 7 }];
  }

  test("as it is, it is right", async () => expect(await check(bytes)).toMatchObject({ ok: true }));

  test.each([
    ["the lowest bit", 1],
    ["the case bit", 32],
  ])("every byte, %s", async (_, mask) => {
    const missed: string[] = [];
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] as number) ^ mask;
      const verdict = await check(changed);
      // A changed newline joins two lines: it belongs to the first.
      if (verdict.ok || verdict.line !== lineOf(i)) missed.push(`byte ${i} of line ${lineOf(i)}: ${say(verdict)}`);
    }
    expect(missed).toEqual([]);
  });

  test("every byte cut out or doubled", async () => {
    const missed: string[] = [];
    for (let i = 0; i < bytes.length; i++) {
      const cut = Buffer.concat([bytes.subarray(0, i), bytes.subarray(i + 1)]);
      const doubled = Buffer.concat([bytes.subarray(0, i + 1), bytes.subarray(i)]);
      for (const [what, changed, at] of [
        ["cut", cut, lineOf(i)],
        ["doubled", doubled, bytes[i] === 10 ? lineOf(i) + 1 : lineOf(i)],
      ] as const) {
        const verdict = await check(changed);
        if (verdict.ok || verdict.line !== at) missed.push(`byte ${i} ${what}, line ${at}: ${say(verdict)}`);
      }
    }
    expect(missed).toEqual([]);
  });

  test("cut off anywhere", async () => {
    for (let end = 0; end < bytes.length; end += 7)
      expect(await check(bytes.subarray(0, end))).toMatchObject({ ok: false });
    expect(await check(bytes.subarray(0, -1))).toMatchObject({ ok: false, line: short.length });
  });

  const rows = short.flatMap((line, i) =>
    fieldsOf(JSON.parse(line)).map((path) => ({ line: i + 1, path: path.join(".") })),
  );
  test.each(rows)("line $line: $path changed", async ({ line, path }) => {
    const changed = short.map((l, i) => (i + 1 === line ? changeField(l, path.split(".")) : l));
    expect(await check(text(changed))).toMatchObject({ ok: false, line });
    // Whoever forges the chain as well still cannot sign for us.
    const forged = rechain(changed, { keyId: signer.keyId, sign: newSigner().sign });
    expect(await check(forged)).toMatchObject({ ok: false });
  });

  test("lines cut, swapped, repeated, appended", async () => {
    for (let i = 0; i < short.length; i++) {
      const line = short[i] as string;
      const without = short.toSpliced(i, 1);
      expect(await check(text(without)), `cut ${i + 1}`).toMatchObject({ ok: false });
      const at = {
        ok: false,
        line: expect.toSatisfy((n: number) => (n >= i + 1 && n <= i + 2) || n === short.length + 1),
      };
      expect(await check(text(short.toSpliced(i, 0, line))), `repeated ${i + 1}`).toMatchObject(at);
      if (i > 0) {
        const swapped = short.with(i, short[i - 1] as string).with(i - 1, line);
        expect(await check(text(swapped)), `swapped ${i}`).toMatchObject({ ok: false });
      }
    }
    for (const extra of ["", " ", "{}", short.at(-1) as string, short[1] as string]) {
      const verdict = await check(text([...short, extra]));
      expect(verdict, `appended ${extra.slice(0, 20)}`).toMatchObject({ ok: false, line: expect.any(Number) });
      expect(verdict.ok || verdict.line).toBeGreaterThanOrEqual(short.length);
    }
  });

  test.each([
    ["nothing", ""],
    ["a newline", "\n"],
    ["a mark of byte order", `\ufeff${text(soloLines)}`],
    ["Windows newlines", text(soloLines).replaceAll("\n", "\r\n")],
    ["an array", "[]\n[]\n"],
    ["deep nesting", `${"[".repeat(200_000)}\n`],
    ["prototype keys", text(soloLines).replace("{", '{"__proto__":{},')],
  ])("%s", async (_, record) => {
    expect(await check(record)).toMatchObject({ ok: false, line: 1 });
  });

  test("any bytes at all", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (noise) => {
        expect(await check(noise)).toMatchObject({ ok: false });
      }),
      { numRuns: 300 },
    );
  });
});

describe("a signer that lies is found by the replay", () => {
  const lines = makeRecord(duel, signer);
  const change = (line: number, edit: (value: Record<string, unknown>) => void) =>
    lines.map((l, i) => {
      const value = JSON.parse(l);
      if (i + 1 === line) edit(value);
      return JSON.stringify(value);
    });
  const turn = lines.findIndex((l) => JSON.parse(l).type === "turn") + 1;
  const refused = lines.findIndex((l) => JSON.parse(l).type === "refused") + 1;
  const shortable = lines.findIndex((l) => /"command":"G\d@P\d+\(b=0\)/.test(l)) + 1;
  const last = lines.length;

  test.each<[string, number, (value: Record<string, unknown>) => void, number]>([
    ["another seed", last, (v) => Object.assign(v, { seed: "1".repeat(32) }), last],
    ["no seed at all", last, (v) => Object.assign(v, { seed: "0".repeat(32) }), last],
    ["another commitment", 1, (v) => Object.assign(v, { seed_commitment: "0".repeat(64) }), last],
    ["another level", 1, (v) => Object.assign(v, { level: 2 }), 1],
    ["no such level", 1, (v) => Object.assign(v, { level: 99 }), 1],
    ["a seat too few", 1, (v) => Object.assign(v, { seats: (v.seats as unknown[]).slice(1) }), 1],
    ["another first state", 1, (v) => Object.assign(v, { state: {} }), 1],
    ["no first state", 1, (v) => delete v.state, 1],
    ["no match id", 1, (v) => Object.assign(v, { match_id: "../../x" }), 1],
    ["another command", turn, (v) => Object.assign(v, { command: "G@P11+90" }), turn],
    [
      "a short form",
      shortable,
      (v) => Object.assign(v, { command: String(v.command).replace("(b=0)", "") }),
      shortable,
    ],
    ["another player", turn, (v) => Object.assign(v, { player: "P2" }), turn],
    ["another number", turn, (v) => Object.assign(v, { n: 7 }), turn],
    ["another version", turn, (v) => Object.assign(v, { version: 70 }), turn],
    ["no events", turn, (v) => Object.assign(v, { events: [] }), turn],
    ["another state hash", turn, (v) => Object.assign(v, { state_hash: "0".repeat(64) }), turn],
    ["another code", refused, (v) => Object.assign(v, { code: "occupied" }), refused],
    ["a code that never counts", refused, (v) => Object.assign(v, { code: "stale_turn" }), refused],
    ["a refusal as a turn", refused, (v) => Object.assign(v, { type: "turn", code: undefined }), refused],
    ["another result", last, (v) => Object.assign(v, { result: "VICTORY" }), last],
    ["another winner", last, (v) => Object.assign(v, { winner: ["P1", "P2"] }), last],
    ["other places", last, (v) => Object.assign(v, { places: { P1: 2, P2: 2 } }), last],
    [
      "another score",
      last,
      (v) => Object.assign((v.players as Record<string, object>).P1 ?? {}, { score: 9_990 }),
      last,
    ],
    ["other tokens", last, (v) => Object.assign((v.players as Record<string, object>).P1 ?? {}, { tokens: 1 }), last],
    ["a team in a duel", last, (v) => Object.assign(v, { team_efficiency: { A: 1, B: 2 } }), last],
    ["an unknown key", turn, (v) => Object.assign(v, { comment: "hello" }), turn],
  ])("%s", async (_, line, edit, named) => {
    expect(await check(rechain(change(line, edit), signer))).toMatchObject({ ok: false, line: named });
  });

  test("a turn left out", async () => {
    expect(await check(rechain(lines.toSpliced(turn, 1), signer))).toMatchObject({ ok: false, line: turn + 1 });
  });
  test("the end left out", async () => {
    const cut = [...lines.slice(0, turn + 1), lines.at(-1) as string];
    expect(await check(rechain(cut, signer))).toMatchObject({ ok: false, line: cut.length });
  });
  test("a turn after the end", async () => {
    const more = lines.toSpliced(-1, 0, lines[turn - 1] as string).map((l, i) =>
      JSON.stringify({
        ...JSON.parse(l),
        ...(i === last - 1 ? { n: last - 1, version: JSON.parse(lines[last - 2] as string).version + 1 } : {}),
      }),
    );
    expect(await check(rechain(more, signer))).toMatchObject({ ok: false, line: last });
  });
});

describe("a record before the end", () => {
  const entries = playedLog({ format: "1v1", level: 1, seed: SEED }, 45);
  const parse = (lines: string[]) => lines.map((line) => JSON.parse(line));

  test("is marked, has no chain, no seed, no signature, and verify refuses it", async () => {
    const lines = partialRecord(entries, "P1");
    expect(lines[0]).toContain('"partial":true');
    expect(lines.join("")).not.toContain(SEED);
    expect(parse(lines).some((line) => "prev" in line || "signature" in line)).toBe(false);
    expect(await check(text(lines))).toMatchObject({ ok: false, line: 1, problem: expect.stringContaining("partial") });
  });

  test.each([["P1" as const], ["P2" as const], [null]])("%s sees no other's reasoning, nor refused text", (viewer) => {
    const lines = parse(partialRecord(entries, viewer));
    const others = lines.filter((line) => line.player !== undefined && line.player !== viewer);
    expect(others.some((line) => "reasoning" in line)).toBe(false);
    expect(others.some((line) => line.type === "refused" && "command" in line)).toBe(false);
    expect(others.some((line) => line.type === "refused")).toBe(true);
    const own = lines.filter((line) => line.player === viewer && line.type === "turn");
    expect(own.every((line) => "reasoning" in line)).toBe(true);
  });

  test("is there while the room waits", () => expect(partialRecord(entries.slice(0, 2), null)).toHaveLength(1));
});

function say(verdict: Verdict): string {
  return verdict.ok ? "taken for right" : `line ${verdict.line}: ${verdict.problem}`;
}

/** Paths to every leaf of a line. */
function fieldsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, [...path, key]));
}

/** The line with one leaf changed to another value of its type where that is possible. */
function changeField(line: string, path: string[]): string {
  const root = JSON.parse(line);
  const parent = path.slice(0, -1).reduce((at, key) => at[key], root);
  const key = path.at(-1) as string;
  const old = parent[key];
  if (typeof old === "number") parent[key] = old + 1;
  else if (typeof old === "boolean") parent[key] = !old;
  else if (typeof old === "string")
    parent[key] = /^[0-9a-f]+$/.test(old) ? old.replace(/.$/, (d) => (d === "0" ? "1" : "0")) : `${old}x`;
  else parent[key] = "x";
  return canonicalize(root);
}
