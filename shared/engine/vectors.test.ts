import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type Action,
  board,
  countLegalMoves,
  createMatch,
  type Format,
  legalFactors,
  legalMoves,
  type Match,
  mice,
  type PlayerId,
  scores,
  standings,
  step,
} from "./index.ts";

interface VectorStep {
  readonly player: PlayerId;
  readonly command?: string;
  readonly turn?: number;
  readonly op?: "resign" | "expire";
  readonly legal?: { readonly count: number; readonly sha256: string };
  readonly ok: boolean;
  readonly code?: string;
  readonly at?: number;
  readonly next?: PlayerId | null;
  readonly scores?: Record<string, number>;
  readonly mice?: Record<string, readonly [string, number | null, string]>;
  readonly board?: string;
}

interface Vector {
  readonly name: string;
  readonly format: Format;
  readonly level: number;
  readonly seed: string;
  readonly steps: readonly VectorStep[];
  readonly result: string | null;
  readonly over: boolean;
  readonly out: Record<string, string>;
  readonly efficiency: Record<string, number>;
  readonly winner: readonly string[];
  readonly history: readonly string[];
}

const vectors: Vector[] = readFileSync(new URL("../../test/vectors/matches.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

describe("published matches, step by step", () => {
  test("there are 48", () => expect(vectors).toHaveLength(48));

  test.each(vectors.map((vector, i) => ({ title: `${i + 1}: ${vector.name}`, vector })))("$title", ({ vector }) => {
    let match = begin(vector);
    for (const [i, each] of vector.steps.entries()) {
      const where = `step ${i + 1}`;
      if (each.legal !== undefined) expect(legalOf(match), where).toEqual({ ...each.legal, counts: true });
      const answer = step(match, actionOf(each));
      expect(answer.ok ? null : answer.code, where).toBe(each.code ?? null);
      expect(answer.ok, where).toBe(each.ok);
      match = answer.match;
      if (each.at !== undefined) expect(match.turn, where).toBe(each.at);
      if (each.next !== undefined) expect(match.currentPlayer, where).toBe(each.next);
      if (each.scores !== undefined) expect(scores(match), where).toEqual(each.scores);
      if (each.mice !== undefined) expect(briefMice(match), where).toEqual(each.mice);
      if (each.board !== undefined) expect(board(match).join(" "), where).toBe(each.board);
    }
    expect(match.result).toBe(vector.result);
    expect(match.phase === "over").toBe(vector.over);
    const out = Object.entries(match.statuses).filter(([, status]) => status !== "ACTIVE");
    expect(Object.fromEntries(out)).toEqual(vector.out);
    const { efficiency, team_efficiency: teams, winner } = standings(match, { kind: "casual", tokens: {} });
    expect(teams === null ? efficiency : { "P1+P2": teams.A, "P3+P4": teams.B }).toEqual(vector.efficiency);
    expect(winner).toEqual(vector.winner);
    expect(match.history).toEqual(vector.history);
  });
});

function begin({ format, level, seed }: Vector): Match {
  const created = createMatch({ format, level, seed });
  if (!created.ok) throw new Error(created.code);
  return step(created.value, { type: "start" }).match;
}

function actionOf({ player, command, turn, op }: VectorStep): Action {
  if (op !== undefined) return { type: "out", player, reason: op === "expire" ? "TIMEOUT" : "RESIGNED" };
  return { type: "command", player, command: command!, ...(turn === undefined ? {} : { turn }) };
}

function legalOf(match: Match) {
  const commands = legalMoves(match).sort();
  return {
    count: commands.length,
    sha256: createHash("sha256").update(commands.join("\n")).digest("hex"),
    counts: countLegalMoves(match) === commands.length && legalFactors(match).count === commands.length,
  };
}

function briefMice(match: Match) {
  return Object.fromEntries(
    Object.entries(mice(match)).map(([id, mouse]) => [id, [mouse.pos, mouse.on_base, mouse.status]]),
  );
}
