import { describe, expect, test } from "vitest";
import { createMatch, legalMoves, step } from "../../shared/engine/index.ts";
import type { CreatedEntry } from "../../shared/protocol/log.ts";
import { applyEntry, type LiveMatch, openMatch } from "../../shared/protocol/match.ts";
import { view } from "../../shared/protocol/view.ts";
import { matchOf, previewOf } from "./preview.ts";

const around = { now: 0, deadline: null, connected: new Set<never>(), spectators: 0 };

function started(format: "solo" | "1v1", level: number): LiveMatch {
  const created = {
    type: "created",
    at_ms: 0,
    match_id: "01a22eae-c034-7576-bb9e-01595f812599",
    room_code: "IXENT-ABC234",
    rules: 1,
    format,
    level,
    kind: "casual",
    seed: "5f3bedef890f10583eb6bfc54e50c924",
    options: { invalid: "retry", orb: true, entropy: true, turn_seconds: 600, legal_list: true, private: false },
    seats: [],
    host: null,
    preset: null,
    rematch_of: null,
  } as unknown as CreatedEntry;
  return applyEntry(openMatch(created), { type: "start", at_ms: 0 }).match;
}

/** Plays the n-th legal move each turn until the match is over or `stop` says so. */
function walk(match: LiveMatch, n: number, each: (match: LiveMatch, command: string) => boolean): void {
  let now = match;
  for (;;) {
    const legal = legalMoves(now.engine);
    const player = now.engine.currentPlayer;
    if (player === null || legal.length === 0) return;
    const command = legal[(n * 7919 + now.engine.turn * 104_729) % legal.length] ?? "";
    if (!each(now, command)) return;
    now = applyEntry(now, { type: "turn", at_ms: 0, elapsed_ms: 0, player, command }).match;
  }
}

describe("preview", () => {
  test.each([1, 2, 3])("foretells what the server's engine then does (match %i)", (n) => {
    let compared = 0;
    walk(started("1v1", 1), n, (match, command) => {
      const state = view(match, match.engine.currentPlayer, around);
      const restored = matchOf(state);
      if (restored === null) throw new Error("not restored");
      const preview = previewOf(restored, state, command);
      const player = match.engine.currentPlayer;
      if (player === null) throw new Error("nobody moves");
      expect(preview?.events).toEqual(step(match.engine, { type: "command", player, command }).events);
      return ++compared < 40;
    });
    expect(compared).toBeGreaterThan(20);
  });

  test("tells the worst answer: no legal command of the next player is worse for us and better for them", () => {
    let looked = 0;
    walk(started("1v1", 1), 2, (match, command) => {
      const player = match.engine.currentPlayer;
      if (player === null || match.engine.turn < 12) return match.engine.turn < 18;
      const state = view(match, player, around);
      const restored = matchOf(state);
      const answer = restored && previewOf(restored, state, command)?.answer;
      const after = step(match.engine, { type: "command", player, command }).match;
      const other = after.currentPlayer;
      if (!answer || other === null) throw new Error("no answer");
      const swing = (reply: string) => {
        const done = step(after, { type: "command", player: other, command: reply });
        const gain = (p: string) =>
          done.events.reduce((n, e) => n + ("points" in e && e.mouse.endsWith(p) ? e.points : 0), 0);
        return { theirs: gain(other), ours: gain(player) };
      };
      const worst = Math.max(
        ...legalMoves(after)
          .map(swing)
          .map(({ theirs, ours }) => theirs - ours),
      );
      expect(answer.player).toBe(other);
      expect(swing(answer.command)).toEqual({ theirs: answer.theirs, ours: answer.ours });
      expect(answer.theirs - answer.ours).toBe(worst);
      return ++looked < 4;
    });
    expect(looked).toBe(4);
  });

  test("says nothing of what only the server's generator knows (R7, R11.2)", () => {
    let struck = false;
    walk(started("solo", 1), 4, (match, command) => {
      const state = view(match, "P1", around);
      const restored = matchOf(state);
      const preview = restored && previewOf(restored, state, command);
      const real = step(match.engine, { type: "command", player: "P1", command }).events;
      expect(preview?.events.some((e) => e.type === "entropy" || e.type === "orb")).toBe(false);
      if (real.some((e) => e.type === "entropy")) {
        struck = true;
        expect(preview?.entropy).toBe(true);
        expect(preview?.jumped).toBe(0);
      }
      return match.engine.turn < 12;
    });
    expect(struck).toBe(true);
  });

  test("a command that is not legal has none", () => {
    const state = view(started("1v1", 1), "P1", around);
    const match = matchOf(state);
    expect(match && previewOf(match, state, "G1@P44(b=0)+90")).toBeNull();
  });

  test("a state that no match could be in is not restored", () => {
    const state = view(started("1v1", 1), "P1", around);
    expect(matchOf({ ...state, data: { ...state.data, board_encoding: {} } })).toBeNull();
    expect(createMatch({ format: "1v1", level: 9, seed: "5f3bedef890f10583eb6bfc54e50c924" }).ok).toBe(false);
  });
});
