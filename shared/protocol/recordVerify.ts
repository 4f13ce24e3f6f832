/**
 * Checking a record (PROTOCOL 10) with nothing but the rules: canonical bytes, chain, signature, seed commitment,
 * a replay of every event with every state hash, and the result. What is wrong is named by its line.
 */
import { hexToBytes } from "@noble/hashes/utils.js";
import type { z } from "zod";
import { createMatch, type Match, type PerPlayer, type PlayerId, type Step, step } from "../engine/index.ts";
import { coreOf, stateHash } from "./core.ts";
import { canonicalize, seedCommitment, sha256Hex } from "./hash.ts";
import { parseMatchId, parseRoomCode } from "./ids.ts";
import type { TokenUsage } from "./log.ts";
import { resultOf, signedBytes } from "./record.ts";
import { type EventLine, eventLine, type HeaderLine, headerLine, type ResultLine, resultLine } from "./recordLines.ts";

/** Whether `signature` (64 bytes) is `publicKey`'s (32 bytes) Ed25519 signature of `message`. */
export type SignatureCheck = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

export interface VerifyOptions {
  /** Trusted signers' public keys, 64 lower-case hex digits each. */
  readonly keys: readonly string[];
  readonly checkSignature: SignatureCheck;
}

export type Verdict =
  | {
      readonly ok: true;
      /** `unknown`: chain, replay and signature are right, but its key is none of those given. */
      readonly signer: "known" | "unknown";
      readonly header: HeaderLine;
      readonly events: number;
      readonly result: ResultLine;
    }
  /** `line` counts from 1. */
  | { readonly ok: false; readonly line: number; readonly problem: string };

/** Checks the whole text of a record; bytes are checked as they are. */
export async function verifyRecord(record: string | Uint8Array, options: VerifyOptions): Promise<Verdict> {
  try {
    return await verify(typeof record === "string" ? new TextEncoder().encode(record) : record, options);
  } catch (error) {
    if (error instanceof Problem) return { ok: false, line: error.line, problem: error.message };
    throw error;
  }
}

class Problem extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

async function verify(bytes: Uint8Array, { keys, checkSignature }: VerifyOptions): Promise<Verdict> {
  const lines = splitLines(bytes);
  const values = lines.map(parseLine);
  const header = shape(headerLine, values[0], 1, lines[0]);
  const result = shape(resultLine, values.at(-1), lines.length, lines.at(-1));
  const between = values.slice(1, -1).map((value, i) => shape(eventLine, value, i + 2, lines[i + 1]));

  const { signature, ...unsigned } = result;
  const signed = await checkSignature(hexToBytes(result.key_id), signedBytes(unsigned), hexToBytes(signature));
  checkChain(lines, [...between, result], signed);
  if (!signed) throw new Problem(lines.length, "the signature is not that of the key it names");

  replayAll(header, between, result);
  return {
    ok: true,
    signer: keys.includes(result.key_id) ? "known" : "unknown",
    header,
    events: between.length,
    result,
  };
}

const NEWLINE = 10;

function splitLines(bytes: Uint8Array): string[] {
  if (bytes.length === 0) throw new Problem(1, "the file is empty");
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0) throw new Problem(lines.length + 1, "it is cut short: no newline at its end");
    try {
      lines.push(decoder.decode(bytes.subarray(start, end)));
    } catch {
      throw new Problem(lines.length + 1, "it is not UTF-8");
    }
    start = end + 1;
  }
  return lines;
}

function parseLine(text: string, index: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem(index + 1, "it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Problem(index + 1, "it is not an object");
  }
  if (!isCanonical(value, text)) throw new Problem(index + 1, "its bytes are not its RFC 8785 form");
  return value as Record<string, unknown>;
}

function isCanonical(value: unknown, text: string): boolean {
  try {
    return canonicalize(value) === text;
  } catch {
    return false; // a lone surrogate
  }
}

/** The line with its type, or a Problem that says what it should have been. */
function shape<S extends z.ZodType>(
  schema: S,
  value: Record<string, unknown> | undefined,
  line: number,
  text = "",
): z.infer<S> {
  if (value?.partial === true) throw new Problem(line, "the record is partial: its match was not over");
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.length ? `${issue.path.join(".")}: ` : "";
    throw new Problem(
      line,
      `${typeof value?.type === "string" ? value.type : "line"}: ${place}${issue?.message ?? "wrong"}`,
    );
  }
  // Nothing may hide in keys that a parser leaves out.
  if (canonicalize(parsed.data) !== text) throw new Problem(line, "it has keys that are not of its type");
  return parsed.data;
}

/**
 * Every `prev` is the hash of the line before. Where one is not, either of the two lines was changed; it is the first
 * of them when the second one is as its successor (or its signature) knows it.
 */
function checkChain(lines: readonly string[], linked: readonly { readonly prev: string }[], signed: boolean): void {
  const hashes = lines.map(sha256Hex);
  linked.forEach(({ prev }, i) => {
    if (prev === hashes[i]) return;
    const next = linked[i + 1];
    const secondIsWhole = next === undefined ? signed : next.prev === hashes[i + 1];
    if (secondIsWhole) throw new Problem(i + 1, "it is not the line that the next one follows: its hash is another");
    throw new Problem(i + 2, "its prev is not the hash of the line before");
  });
}

function replayAll(header: HeaderLine, events: readonly EventLine[], result: ResultLine): void {
  const last = events.length + 2;
  if (parseMatchId(header.match_id) === null) throw new Problem(1, "match_id is no match id");
  if (parseRoomCode(header.room_code) !== header.room_code) throw new Problem(1, "room_code is no room code");
  const { format, level, options } = header;
  const made = createMatch({ format, level, seed: result.seed, options });
  if (!made.ok) throw new Problem(made.code === "bad_seed" ? last : 1, made.message);
  if (seedCommitment(result.seed) !== header.seed_commitment) {
    throw new Problem(last, "the seed is not the one that line 1 commits to");
  }
  const seats = header.seats.map((s) => s.seat).join(" ");
  if (seats !== made.value.players.join(" ")) throw new Problem(1, "its seats are not those of its format");
  expectSame(coreOf(made.value), header.state, 1, "state");

  let match = made.value;
  const tokens: Partial<Record<PlayerId, TokenUsage>> = {};
  events.forEach((event, i) => {
    const line = i + 2;
    if (event.n !== i + 1) throw new Problem(line, `n is not ${i + 1}`);
    checkVersion(events, i, line);
    match = replayOne(match, event, line);
    if ("token_usage" in event && event.token_usage !== undefined) tokens[event.player] = event.token_usage;
  });
  if (match.phase !== "over") throw new Problem(last, "the match is not over here");
  const { key_id, prev, signature, ...claimed } = result;
  const expected = resultOf(match, header.kind, tokens as PerPlayer<TokenUsage>);
  for (const key of Object.keys({ ...expected, ...claimed }) as (keyof typeof expected)[]) {
    expectSame(expected[key], claimed[key], last, key);
  }
}

/** Only what happens before the start (seats) has versions without lines. */
function checkVersion(events: readonly EventLine[], i: number, line: number): void {
  const before = events[i - 1]?.version;
  const version = events[i]?.version ?? 0;
  if (before === undefined ? version < 2 : version !== before + 1) {
    throw new Problem(line, "version does not follow the one before");
  }
}

function replayOne(match: Match, event: EventLine, line: number): Match {
  const done = act(match, event);
  if (event.type === "refused") {
    if (done.ok) throw new Problem(line, "the command is not refused by the rules");
    if (!done.counted || done.code !== event.code) throw new Problem(line, `the rules refuse it as ${done.code}`);
  } else if (!done.ok) {
    throw new Problem(line, `the rules refuse it as ${done.code}: ${done.message}`);
  } else if (event.type === "turn" && done.command !== event.command) {
    throw new Problem(line, "the command is not in canonical form");
  }
  expectSame(done.events, event.events, line, "events");
  if (stateHash(done.match) !== event.state_hash)
    throw new Problem(line, "state_hash is not that of the replayed state");
  return done.match;
}

function act(match: Match, event: EventLine): Step {
  switch (event.type) {
    case "start":
      return step(match, { type: "start" });
    case "turn":
    case "refused":
      return step(match, { type: "command", player: event.player, command: event.command });
    case "out":
      return step(match, { type: "out", player: event.player, reason: event.reason });
    case "abandoned":
      return step(match, { type: "abandon" });
  }
}

function expectSame(expected: unknown, claimed: unknown, line: number, name: string): void {
  if (claimed === undefined || expected === undefined || canonicalize(expected) !== canonicalize(claimed)) {
    throw new Problem(line, `${name} is not what the replay gives`);
  }
}
