/** That the benchmark measures what it says: what the generator counts is what the log holds. No time is judged. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSegments } from "../../server/store/segments.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import { median, rowsOf, table } from "./figures.ts";
import { pace } from "./parts/moves.ts";
import { duel } from "./script.ts";

const SETTINGS = { quick: true, level: 2, dir: tmpdir(), nodeArgs: [] };

test("moves counted by the generator are the turns in the log", { timeout: 60_000 }, async () => {
  let logged: LogEntry[] = [];
  const load = { level: 2, rooms: 4, spectators: 2, processes: 2 };
  const { figures, moves } = await pace(
    "gearmice",
    SETTINGS,
    load,
    { warmMs: 50, measuredMs: 300 },
    async ({ dataDir }) => {
      const { segments } = await readSegments(join(dataDir, "journal"));
      const frames = segments.flatMap((segment) => segment.frames.map(({ frame }) => frame));
      logged = frames.flatMap(({ kind, payload }) => (kind === "entries" ? (JSON.parse(payload) as LogEntry[]) : []));
    },
  );
  const turns = logged.filter(({ type }) => type === "turn");
  expect(moves).toBeGreaterThan(0);
  expect(turns).toHaveLength(moves);
  expect(new Set(logged.filter(({ type }) => type === "created").map((entry) => JSON.stringify(entry))).size).toBe(4);
  expect(figures.deliveries_per_s).toBeGreaterThan(0);
});

test("a duel alternates, and the baselines tell its events", () => {
  const turns = duel(1);
  expect(turns.length).toBeGreaterThan(20);
  turns.forEach(({ mover, event, command }, i) => {
    expect(mover).toBe(i % 2);
    expect(event).toMatchObject({ type: "turn", turn: i + 1, command });
  });
});

const RUNS = new Map([
  ["gearmice", [{ rate: 60 }, { rate: 90 }, { rate: 70 }]],
  ["colyseus", [{ rate: 100 }, { rate: 90 }, { rate: 400 }]],
]);

test.each([
  { name: "a share that is reached", target: { figure: "rate", atLeast: 0.7 }, reached: 0.7, met: true },
  { name: "a share that is missed", target: { figure: "rate", atLeast: 0.8 }, reached: 0.7, met: false },
  { name: "at most", target: { figure: "rate", atMost: 0.5 }, reached: 0.7, met: false },
  { name: "an absolute number", target: { figure: "rate", below: 71 }, reached: 70, met: true },
])("medians against the baseline: $name", ({ target, reached, met }) => {
  const rows = rowsOf("part", RUNS, [target]);
  expect(rows.map(({ figures }) => figures.rate)).toEqual([70, 100]);
  expect(rows[0]?.verdicts).toMatchObject([{ reached, met }]);
  expect(table(rows)).toContain(met ? "met" : "MISSED");
});

test("the median of an even number lies between", () => expect(median([4, 1, 3, 2])).toBe(2.5));
