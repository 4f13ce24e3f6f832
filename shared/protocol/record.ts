/** The record of a match (PROTOCOL 10): made from its log, signed, and the same bytes whenever it is made. */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { escaped, type Match, type PerPlayer, type PlayerId, scores, standings } from "../engine/index.ts";
import { coreOf, stateHash } from "./core.ts";
import { canonicalize, sha256Hex } from "./hash.ts";
import type { Kind, LogEntry, TokenUsage } from "./log.ts";
import { type Applied, applyEntry, type LiveMatch, LogError, openMatch } from "./match.ts";
import { type HeaderLine, RECORD_FORMAT, type ResultLine } from "./recordLines.ts";

export interface Signer {
  /** The Ed25519 public key, 64 lower-case hex digits. */
  readonly keyId: string;
  /** The 64-byte Ed25519 signature of `message`. */
  sign(message: Uint8Array): Uint8Array;
}

/**
 * The lines of the record of a whole log, one at a time and without newlines, the signed result last.
 * Throws LogError when the log does not fold or its match is not over.
 */
export function* recordLines(entries: readonly LogEntry[], signer: Signer): Generator<string, LiveMatch> {
  const seated = seatedMatch(entries);
  let line = canonicalize(headerOf(seated));
  yield line;
  let n = 0;
  let last: LiveMatch | null = null;
  for (const applied of events(entries)) {
    n += 1;
    line = canonicalize({ ...eventOf(applied, n), prev: sha256Hex(line) });
    last = applied.match;
    yield line;
  }
  if (last?.engine.phase !== "over") throw new LogError(`match ${seated.id} is not over`);
  const unsigned = {
    ...resultOf(last.engine, last.kind, last.tokens),
    key_id: signer.keyId,
    prev: sha256Hex(line),
  };
  yield canonicalize({ ...unsigned, signature: bytesToHex(signer.sign(signedBytes(unsigned))) });
  return last;
}

/** The whole record at once. Throws like `recordLines`. */
export function makeRecord(entries: readonly LogEntry[], signer: Signer): string[] {
  return [...recordLines(entries, signer)];
}

/**
 * The record of a match that is not over, as `viewer` may see it: marked, without chain, signature and seed, without
 * others' reasoning, and without the text of others' refused commands (what R8.2 puts into the history is in `events`).
 */
export function partialRecord(entries: readonly LogEntry[], viewer: PlayerId | null): string[] {
  const lines = [canonicalize({ ...headerOf(seatedMatch(entries)), partial: true })];
  for (const applied of events(entries)) {
    const line = eventOf(applied, lines.length);
    if (line.player === undefined || line.player !== viewer) {
      delete line.reasoning;
      if (line.type === "refused") delete line.command;
    }
    lines.push(canonicalize(line));
  }
  return lines;
}

/** What the signature covers: the SHA-256 of the result line's RFC 8785 form without the field `signature`. */
export function signedBytes(result: Omit<ResultLine, "signature">): Uint8Array {
  return hexToBytes(sha256Hex(canonicalize(result)));
}

/** Result, numbers, places and seed as they follow from the match (R10) and, in kind `benchmark`, from tokens. */
export function resultOf(
  match: Match,
  kind: Kind,
  tokens: PerPlayer<TokenUsage>,
): Omit<ResultLine, "key_id" | "prev" | "signature"> {
  if (match.result === null) throw new LogError("the match is not over");
  const totals = Object.fromEntries(match.players.map((p) => [p, tokens[p]?.total ?? 0]));
  const table = standings(match, { kind, tokens: totals });
  const [points, out] = [scores(match), escaped(match)];
  return {
    type: "result",
    result: match.result,
    turns: match.turn,
    players: Object.fromEntries(
      match.players.map((p) => [
        p,
        {
          status: match.statuses[p] ?? "ACTIVE",
          score: points[p] ?? 0,
          escaped: out[p] ?? 0,
          rescued: table.rescued[p] ?? 0,
          efficiency: table.efficiency[p] ?? 0,
          lost_turns: match.lostTurns[p] ?? 0,
          tokens: tokens[p]?.total ?? 0,
          thinking_tokens: tokens[p]?.thinking ?? 0,
        },
      ]),
    ),
    ...(table.team_efficiency === null ? {} : { team_efficiency: table.team_efficiency }),
    places: table.places,
    winner: [...table.winner],
    seed: match.seed,
  };
}

/** The match as it was when it was about to start, or as it is now when it has not. */
function seatedMatch(entries: readonly LogEntry[]): LiveMatch {
  const [first, ...rest] = entries;
  if (first?.type !== "created") throw new LogError("a log begins with its created entry");
  let match = openMatch(first);
  for (const entry of rest) {
    if (!isLobby(entry)) break;
    match = applyEntry(match, entry).match;
  }
  return match;
}

/** What is not of the game: seats before the start. It has no lines, but counts in `version`. */
function isLobby(entry: LogEntry): boolean {
  return entry.type === "seat_taken" || entry.type === "seat_left" || entry.type === "closed";
}

function* events(entries: readonly LogEntry[]): Generator<Applied> {
  const [first, ...rest] = entries;
  if (first?.type !== "created") throw new LogError("a log begins with its created entry");
  let match = openMatch(first);
  for (const entry of rest) {
    const applied = applyEntry(match, entry);
    match = applied.match;
    if (!isLobby(entry)) yield applied;
  }
}

function headerOf(match: LiveMatch): HeaderLine {
  const { invalid, orb, entropy, turn_seconds, legal_list } = match.options;
  return {
    type: "header",
    record: RECORD_FORMAT,
    rules: 1,
    match_id: match.id,
    room_code: match.code,
    format: match.engine.format,
    level: match.engine.level,
    kind: match.kind,
    preset: match.preset,
    rematch_of: match.rematch_of,
    ...(match.session === null ? {} : { session: match.session }),
    created_at_ms: whole(match.created_at_ms),
    seats: match.seats.map((s) => ({
      seat: s.seat,
      kind: s.occupant ?? s.kind,
      name: wellFormed(s.name),
      brain: wellFormed(s.brain),
      model: wellFormed(s.model),
      style: wellFormed(s.style),
    })),
    options: { invalid, orb, entropy, turn_seconds, legal_list, private: match.options.private },
    seed_commitment: match.commitment,
    state: coreOf(match.engine),
  };
}

interface EventFields {
  type: string;
  n: number;
  version: number;
  at_ms: number;
  elapsed_ms: number;
  events: Applied["events"];
  state_hash: string;
  player?: PlayerId;
  command?: string;
  code?: string;
  reason?: string;
  reasoning?: string;
  token_usage?: TokenUsage;
}

function eventOf({ match, entry, events }: Applied, n: number): EventFields {
  const line: EventFields = {
    type: entry.type,
    n,
    version: match.version,
    at_ms: whole(entry.at_ms),
    elapsed_ms: "elapsed_ms" in entry ? whole(entry.elapsed_ms) : 0,
    events,
    state_hash: stateHash(match.engine),
  };
  if ("player" in entry) line.player = entry.player;
  if (entry.type === "out") line.reason = entry.reason;
  if (entry.type !== "turn" && entry.type !== "refused") return line;
  line.command = entry.command.toWellFormed();
  if (entry.type === "refused") line.code = entry.code;
  if (entry.reasoning !== undefined) line.reasoning = entry.reasoning.toWellFormed();
  if (entry.token_usage !== undefined) line.token_usage = entry.token_usage;
  return line;
}

/** Clocks may give fractions of a millisecond. */
function whole(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds));
}

function wellFormed(text: string | null): string | null {
  return text === null ? null : text.toWellFormed();
}
