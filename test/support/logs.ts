/** Logs of real matches for tests: played by the engine, or those of the published vectors. */
import { readFileSync } from "node:fs";
import { v7 } from "uuid";
import {
  below,
  createMatch,
  createRng,
  type Format,
  legalMoves,
  type Match,
  type MatchOptions,
  type PlayerId,
  step,
} from "../../shared/engine/index.ts";
import type { IdentityId, MatchId } from "../../shared/protocol/ids.ts";
import { makeRoomCode } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";

export interface LogSpec {
  readonly format: Format;
  readonly level: number;
  readonly seed: string;
  readonly options?: Partial<MatchOptions>;
  readonly kind?: CreatedEntry["kind"];
}

export const SEED = "5f3bedef890f10583eb6bfc54e50c924";
const NOON = 1_764_504_000_000;

/** The first entry of a new match; a match id and a room code of its own. */
export function createdEntry(spec: LogSpec): CreatedEntry {
  const made = createMatch(spec);
  if (!made.ok) throw new Error(made.message);
  const { players, options } = made.value;
  return {
    type: "created",
    at_ms: NOON,
    match_id: v7() as MatchId,
    room_code: makeRoomCode(crypto.getRandomValues(new Uint8Array(6))),
    rules: 1,
    format: spec.format,
    level: spec.level,
    kind: spec.kind ?? "casual",
    seed: spec.seed,
    options: { ...options, turn_seconds: 600, legal_list: true, private: false },
    seats: players.map(() => ({ kind: "any", brain: null, style: null, name: null })),
    host: "guest-1" as IdentityId,
    preset: null,
    rematch_of: null,
  };
}

/** The entries between `created` and the first turn: every seat is taken, then the match starts. */
export function lobbyEntries(created: CreatedEntry): LogEntry[] {
  const seats = created.seats.map((_, i): LogEntry => {
    const seat = `P${i + 1}` as PlayerId;
    const kind = i % 2 === 0 ? "human" : "ai";
    const model = kind === "ai" ? "small" : null;
    return {
      type: "seat_taken",
      at_ms: NOON + i,
      seat,
      identity: `guest-${i}` as IdentityId,
      name: `Ada ${i} 🐭`,
      kind,
      model,
    };
  });
  return [...seats, { type: "start", at_ms: NOON + 100 }];
}

/**
 * A whole log, or its first `turns` turns: random legal moves, now and then a refused command, reasoning and token
 * numbers as programs send them.
 */
export function playedLog(spec: LogSpec, turns = Number.POSITIVE_INFINITY): LogEntry[] {
  const created = createdEntry(spec);
  const entries: LogEntry[] = [created, ...lobbyEntries(created)];
  const rng = createRng(spec.seed);
  let match = begin(spec);
  for (let played = 0; match.phase === "playing" && played < turns; played++) {
    const player = match.currentPlayer as PlayerId;
    const moves = legalMoves(match);
    const wrong = below(rng, 10) === 0;
    const command = wrong ? "G9@P11+90 <script>" : (moves[below(rng, moves.length)] as string);
    const told = { player, command, at_ms: NOON + 1_000 * (played + 1), elapsed_ms: 10 + played };
    const total = 100 * (played + 1);
    const done = step(match, { type: "command", player, command });
    match = done.match;
    entries.push(
      done.ok
        ? { type: "turn", ...told, reasoning: `because “${played}” ≥ 0`, token_usage: { total, thinking: played } }
        : { type: "refused", ...told, code: done.code },
    );
  }
  return entries;
}

interface Vector extends LogSpec {
  readonly name: string;
  readonly steps: readonly {
    readonly player: PlayerId;
    readonly command?: string;
    readonly turn?: number;
    readonly op?: "resign" | "expire";
  }[];
}

/** Every match of the vectors as a log; those that do not end there are abandoned. */
export function vectorLogs(): { readonly name: string; readonly entries: LogEntry[] }[] {
  const text = readFileSync(new URL("../vectors/matches.jsonl", import.meta.url), "utf8");
  const vectors: Vector[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return vectors.map((vector, i) => ({ name: `${i + 1}: ${vector.name}`, entries: vectorLog(vector) }));
}

function vectorLog(vector: Vector): LogEntry[] {
  const created = createdEntry(vector);
  const entries: LogEntry[] = [created, ...lobbyEntries(created)];
  let match = begin(vector);
  vector.steps.forEach(({ player, command, turn, op }, i) => {
    const at_ms = NOON + 1_000 * (i + 1);
    if (op !== undefined) {
      const reason = op === "resign" ? "RESIGNED" : "TIMEOUT";
      const done = step(match, { type: "out", player, reason });
      if (done.ok) entries.push({ type: "out", player, reason, at_ms, elapsed_ms: 5 });
      match = done.match;
    } else if (command !== undefined) {
      const done = step(match, { type: "command", player, command, ...(turn === undefined ? {} : { turn }) });
      const told = { player, at_ms, elapsed_ms: 5 };
      if (done.ok) entries.push({ type: "turn", ...told, command: done.command as string });
      else if (done.counted) entries.push({ type: "refused", ...told, command, code: done.code });
      match = done.match;
    }
  });
  if (match.phase === "playing") entries.push({ type: "abandoned", at_ms: NOON + 9_000_000 });
  return entries;
}

function begin(spec: LogSpec): Match {
  const made = createMatch(spec);
  if (!made.ok) throw new Error(made.message);
  return step(made.value, { type: "start" }).match;
}
