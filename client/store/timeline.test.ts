import { describe, expect, test } from "vitest";
import { type Format, legalFactors, type PlayerId } from "../../shared/engine/index.ts";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import { applyEntry, type LiveMatch, openMatch } from "../../shared/protocol/match.ts";
import { partialRecord } from "../../shared/protocol/record.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { view } from "../../shared/protocol/view.ts";
import { framesOfRecord, isWhole, merged, withState } from "./timeline.ts";

const AROUND = { now: 1_000, deadline: null, connected: new Set<PlayerId>(), spectators: 0 };

/** A whole match with refusals, lost turns, a resignation where more than two play, and what was seen at each turn. */
function played(format: Format, level: number, invalid: "retry" | "lose_turn") {
  const created: LogEntry & { type: "created" } = {
    type: "created",
    at_ms: 0,
    match_id: "0198c5a6-7b1c-7d3e-8f00-0123456789ab" as MatchId,
    room_code: "IXENT-ABC234" as RoomCode,
    rules: 1,
    format,
    level,
    kind: "casual",
    seed: "5f3bedef890f10583eb6bfc54e50c924",
    options: { invalid, orb: true, entropy: true, turn_seconds: 600, legal_list: true, private: false },
    seats: [],
    host: null,
    preset: null,
    rematch_of: null,
  };
  const entries: LogEntry[] = [created];
  let match: LiveMatch = openMatch(created);
  let draw = 1;
  const pick = (n: number) => {
    draw = (draw * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (draw >>> 8) % n;
  };
  const seen = new Map<number, NativeState>();
  const add = (entry: LogEntry) => {
    entries.push(entry);
    match = applyEntry(match, entry).match;
    seen.set(match.engine.turn, view(match, null, AROUND));
  };
  add({ type: "start", at_ms: 1 });
  while (match.engine.phase !== "over") {
    const player = match.engine.currentPlayer as PlayerId;
    const legal = legalFactors(match.engine);
    if (legal === null) throw new Error("nobody is to move");
    const tile = () => legal.tiles[pick(legal.tiles.length)];
    const sign = pick(2) === 0 ? "+90" : "-90";
    const told = { at_ms: 2, player, elapsed_ms: 1 };
    if (pick(12) === 0) {
      add({ ...told, type: "refused", command: "nonsense", code: "syntax" });
      continue;
    }
    if (match.engine.players.length > 2 && match.engine.turn === 9 && match.engine.statuses.P2 === "ACTIVE") {
      add({ at_ms: 2, elapsed_ms: 1, type: "out", player: "P2", reason: "RESIGNED" });
      continue;
    }
    const command =
      legal.stage === "placement"
        ? `${legal.types[pick(legal.types.length)]}@${tile()}(b=${pick(4)})${sign}`
        : `G@${tile()}:b=${pick(4)} ; G@${tile()}${sign}`;
    add({ ...told, type: "turn", command, reasoning: `of ${player}` });
  }
  return { entries, seen, end: view(match, null, AROUND) };
}

/** What a board looked back at has to show. */
const shown = ({ meta, status, scoring, data }: NativeState) => ({
  turn: meta.turn,
  phase: meta.phase,
  mover: meta.current_player,
  result: status.result,
  statuses: Object.values(status.players).map((p) => p.status),
  rescued: status.mice_rescued,
  scores: scoring.scores,
  stocks: data.inventories,
  board: data.board_encoding,
  owners: data.gear_owners,
  mice: data.mice,
  history: data.history,
});

describe("the frames of a record are the states that were seen", () => {
  test.each([
    ["solo 2, entropy and Orb", "solo", 2, "lose_turn"],
    ["1v1 1, refusals that are forgiven", "1v1", 1, "retry"],
    ["2v2 2, one resigns", "2v2", 2, "lose_turn"],
    ["ffa4 1, one resigns", "ffa4", 1, "retry"],
  ] as const)("%s", (_name, format, level, invalid) => {
    const { entries, seen, end } = played(format, level, invalid);
    const frames = framesOfRecord(partialRecord(entries, null).join("\n"), end);
    expect([...frames.keys()]).toEqual([...seen.keys()]);
    expect(isWhole(frames, end.meta.turn)).toBe(true);
    for (const [turn, state] of seen) expect(shown(frames.get(turn)?.state as NativeState)).toEqual(shown(state));
  });
});

test("who comes late joins what the record tells to what was seen; others' reasoning is not in it before the end", () => {
  const { entries, seen, end } = played("1v1", 1, "retry");
  const frames = framesOfRecord(partialRecord(entries, "P1").join("\n"), end);
  const told = [...frames.values()].filter((f) => f.reasoning !== null);
  expect(told.length).toBeGreaterThan(5);
  expect(new Set(told.map((f) => f.reasoning))).toEqual(new Set(["of P1"]));
  const late = withState(new Map(), seen.get(7) as NativeState, null);
  expect(isWhole(late, 7)).toBe(false);
  const both = merged(frames, late);
  expect(isWhole(both, end.meta.turn)).toBe(true);
  expect(both.get(7)?.state).toBe(seen.get(7));
  expect(both.get(7)?.command).toBe(frames.get(7)?.command);
});

test("what is no record is refused", () => {
  const { end } = played("1v1", 1, "retry");
  expect(() => framesOfRecord("", end)).toThrow(TypeError);
  expect(() => framesOfRecord('{"type":"header","state":{"board":"x"}}', end)).toThrow(TypeError);
});
