/** What a viewer sees: the native state, and its classic dialect (PROTOCOL 3). */
import { describe, expect, test } from "vitest";
import { createdEntry, lobbyEntries, SEED } from "../../test/support/logs.ts";
import type { Format, PlayerId } from "../engine/index.ts";
import { classicState } from "./classic.ts";
import type { LogEntry } from "./log.ts";
import { foldLog, type LiveMatch } from "./match.ts";
import { type Surroundings, view } from "./view.ts";

const AROUND: Surroundings = { now: 5, deadline: 605_000, connected: new Set<PlayerId>(["P1"]), spectators: 3 };

function match(format: Format, ...more: LogEntry[]): LiveMatch {
  const created = createdEntry({ format, level: 1, seed: SEED });
  return foldLog([created, ...lobbyEntries(created), ...more]);
}
const turn = (player: PlayerId, command: string, reasoning?: string): LogEntry => ({
  type: "turn",
  at_ms: 1,
  player,
  command,
  elapsed_ms: 1,
  ...(reasoning === undefined ? {} : { reasoning, token_usage: { total: 12, thinking: 5 } }),
});
const out = (player: PlayerId): LogEntry => ({ type: "out", at_ms: 2, player, reason: "RESIGNED", elapsed_ms: 0 });

describe("native", () => {
  test("who looks decides the stock and the reasoning that are shown, and nothing else", () => {
    const duel = match("1v1", turn("P1", "G4@P11(b=0)+90", "mine alone"));
    const [p1, p2, nobody] = [view(duel, "P1", AROUND), view(duel, "P2", AROUND), view(duel, null, AROUND)];
    expect(p1.data.inventory).toEqual(p1.data.inventories.P1);
    expect(p2.data.inventory).toEqual(p2.data.inventories.P2);
    // The mover's, where nobody in particular looks.
    expect(nobody.data.inventory).toEqual(nobody.data.inventories.P2);
    expect([p1, p2, nobody].map((s) => s.data.last_reasoning)).toEqual(["mine alone", "", ""]);
    const rest = ({ data, ...state }: typeof p1) => ({ ...state, data: { ...data, inventory: 0, last_reasoning: 0 } });
    expect(rest(p2)).toEqual(rest(p1));
    expect(rest(nobody)).toEqual(rest(p1));
  });

  test("the seed is committed to before and told after (R11.2)", () => {
    const before = match("1v1", turn("P1", "G4@P11(b=0)+90"));
    expect(view(before, "P1", AROUND).meta).not.toHaveProperty("seed");
    expect(JSON.stringify(view(before, "P1", AROUND))).not.toContain(SEED);
    expect(view(before, null, AROUND).meta.seed_commitment).toBe(
      "d3c55017cfe030de75d29f3a4da0a08a359195a970a41a5d195ce4594cf60ae9",
    );
    expect(view(match("1v1", out("P2")), null, AROUND).meta.seed).toBe(SEED);
  });

  test("clock, connections, spectators and tokens are those of the holder", () => {
    const state = view(match("1v1", turn("P1", "G4@P11(b=0)+90", "x")), null, AROUND);
    expect(state.meta).toMatchObject({ deadline_ms: 605_000, server_time_ms: 5, turn: 1, turns_left: 47, version: 5 });
    expect(state.status.spectators).toBe(3);
    expect([state.status.players.P1?.connected, state.status.players.P2?.connected]).toEqual([true, false]);
    expect(state.scoring).toMatchObject({ tokens_used: { P1: 12, P2: 0 }, thinking_tokens: { P1: 5, P2: 0 } });
  });

  test("efficiencies are 0 and nobody is placed until the end (R10.5)", () => {
    const running = view(match("2v2"), null, AROUND);
    expect(running.scoring.team_efficiency).toEqual({ A: 0, B: 0 });
    expect(running.status).toMatchObject({ places: {}, winner: [], result: null, game_over: false });
    const over = view(match("2v2", out("P3"), out("P4")), null, AROUND);
    expect(over.status).toMatchObject({ result: "FORFEIT", winner: ["P1", "P2"], game_over: true });
    expect(over.status.places).toEqual({ P1: 1, P2: 1, P3: 2, P4: 2 });
  });
});

describe("classic", () => {
  const agent = { id: "my-agent", levels: [1, 2, 3] };
  test("plain numbers, short names of mice, the agent and its levels", () => {
    const state = classicState(view(match("solo", turn("P1", "G1@P31(b=2)+90")), "P1", AROUND), agent);
    expect(state.meta).toMatchObject({ agent_id: "my-agent", available_levels: ["1", "2", "3"], ideal_moves: 12 });
    expect(state.status).toMatchObject({ mice_rescued: 0, total_mice: 3, completion_percent: 0 });
    expect(state.status).not.toHaveProperty("total_mice_per_player");
    expect(state.scoring).toMatchObject({ raw_points: 0, benchmark_score: 0 });
    expect(Object.keys(state.data.mice)).toEqual(["M1", "M2", "M3"]);
    expect(state.data.last_reasoning).toBe("");
  });
  test("Arena has none", () => {
    expect(() => classicState(view(match("1v1"), null, AROUND), agent)).toThrow(RangeError);
  });
});
