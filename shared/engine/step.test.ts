import { describe, expect, test } from "vitest";
import { matchWith, play, playing, playRandom, randomCommand, SEED, seedFrom } from "../../test/unit/engine/helpers.ts";
import {
  type Action,
  createMatch,
  createRng,
  inventories,
  legalFactors,
  legalFactorsFor,
  legalMoves,
  type Match,
  type MatchSetup,
  type PlayerId,
  step,
  visibleOf,
} from "./index.ts";

function waiting(setup: Omit<MatchSetup, "seed">): Match {
  const created = createMatch({ seed: SEED, ...setup });
  if (!created.ok) throw new Error(created.code);
  return created.value;
}

const command = (player: PlayerId, text: string, turn?: number): Action => ({
  type: "command",
  player,
  command: text,
  ...(turn === undefined ? {} : { turn }),
});
const out = (player: PlayerId, reason: "TIMEOUT" | "RESIGNED"): Action => ({ type: "out", player, reason });

function run(match: Match, ...actions: readonly Action[]): Match {
  return actions.reduce((now, action) => step(now, action).match, match);
}

describe("createMatch", () => {
  test.each<[string, Partial<Record<keyof MatchSetup, unknown>>, string]>([
    ["unknown format", { format: "3v3" }, "bad_options"],
    ["a format that every object has", { format: "constructor" }, "bad_options"],
    ["level 0", { level: 0 }, "bad_options"],
    ["level of another format", { format: "1v1", level: 5 }, "bad_options"],
    ["unknown policy", { options: { invalid: "ignore" } }, "bad_options"],
    ["orb that is no boolean", { options: { orb: 1 } }, "bad_options"],
    ["zero seed", { seed: "0".repeat(32) }, "bad_seed"],
    ["short seed", { seed: "12" }, "bad_seed"],
  ])("%s is refused by name", (_, change, code) => {
    const setup = { format: "solo", level: 1, seed: SEED, ...change } as MatchSetup;
    expect(createMatch(setup)).toMatchObject({ ok: false, code });
  });

  test.each([
    ["solo", "lose_turn"],
    ["1v1", "retry"],
    ["2v2", "retry"],
    ["ffa4", "retry"],
  ] as const)("%s: the policy is %s unless chosen (R8.2, R8.3)", (format, invalid) => {
    expect(waiting({ format, level: 1 }).options).toEqual({ invalid, orb: true, entropy: true });
    expect(waiting({ format, level: 1, options: { invalid: "retry" } }).options.invalid).toBe("retry");
  });

  test("it waits, with everything in its first state", () => {
    const match = waiting({ format: "1v1", level: 1 });
    expect(match).toMatchObject({ phase: "waiting", currentPlayer: null, turn: 0, result: null, history: [] });
    expect([legalMoves(match), legalFactors(match).count]).toEqual([[], 0]);
  });
});

describe("refusals before syntax change nothing (R4.5, R8.1)", () => {
  const open = playing({ format: "ffa4", level: 1 });
  const late = run(open, out("P1", "TIMEOUT"));
  const over = run(late, out("P3", "RESIGNED"), out("P4", "RESIGNED"));
  const word = "G1@P11(b=0)+90";
  test.each<[string, Match, Action, string]>([
    ["command before the start", waiting({ format: "solo", level: 1 }), command("P1", word), "match_not_started"],
    ["out before the start", waiting({ format: "solo", level: 1 }), out("P1", "RESIGNED"), "match_not_started"],
    ["second start", open, { type: "start" }, "wrong_phase"],
    ["start after the end", over, { type: "start" }, "match_over"],
    ["the turn of the clock", late, command("P1", word, 0), "too_late"],
    ["the turn of the clock, after the end", over, command("P1", word, 0), "too_late"],
    ["another turn than that of the clock", over, command("P1", word, 1), "match_over"],
    ["no turn, after the end", over, command("P1", word), "match_over"],
    ["out after the end", over, out("P2", "RESIGNED"), "match_over"],
    ["abandoned after the end", over, { type: "abandon" }, "match_over"],
    ["a player who is out", late, command("P1", word), "player_out"],
    ["out twice", late, out("P1", "RESIGNED"), "player_out"],
    ["a player of another format", playing({ format: "solo", level: 1 }), command("P2", word), "player_out"],
    ["another turn, before whose turn it is", open, command("P2", word, 5), "stale_turn"],
    ["another's turn, before the syntax", open, command("P2", "nonsense", 0), "not_your_turn"],
    ["another's clock (R9.2)", open, out("P2", "TIMEOUT"), "not_your_turn"],
  ])("%s", (_, match, action, code) => {
    const answer = step(match, action);
    expect(answer).toMatchObject({ ok: false, code, counted: false, events: [] });
    expect(answer.match).toBe(match);
  });
});

describe("refusals that count (R8)", () => {
  test("every refusal says in one sentence what would be legal", () => {
    const match = run(playing({ format: "1v1", level: 4 }), command("P1", "G1@P11+90"), command("P2", "G1@P110+90"));
    const texts = ["", "G@P11+90", "G1@P111+90", "G1@P55+90", "G1@P11+90", "G1@P99+90"];
    const codes = texts.map((text) => {
      const answer = step(match, command("P1", text));
      if (answer.ok) throw new Error("legal");
      expect(answer.message).toMatch(/^[^\n]{20,200}\.$/);
      return answer.code;
    });
    expect(codes).toEqual(["syntax", "wrong_phase", "no_such_tile", "obstacle", "occupied", "not_adjacent"]);
  });

  test("R8.2: lose_turn loses the turn and logs the cleaned text", () => {
    const match = playing({ format: "solo", level: 1 });
    const answer = step(match, command("P1", "bad\n", 0));
    expect(answer).toMatchObject({ ok: false, code: "syntax", counted: true });
    expect(answer.match).toMatchObject({ turn: 1, refusalsThisTurn: 0, lostTurns: { P1: 0 }, currentPlayer: "P1" });
    expect(answer.match.history).toEqual(["Turn 1 [P1]: [ERROR] bad\ufffd"]);
    expect(answer.events).toEqual([
      { type: "refused", player: "P1", code: "syntax", refusals_this_turn: 1 },
      { type: "turn_lost", player: "P1", text: "bad\ufffd" },
    ]);
  });

  test("R8.3: retry keeps the turn nine times, the tenth loses it, the third lost turn forfeits", () => {
    let match = playing({ format: "1v1", level: 1 });
    for (let lost = 1; lost <= 3; lost++) {
      for (let i = 1; i <= 9; i++) {
        match = step(match, command("P1", "x")).match;
        expect(match).toMatchObject({ refusalsThisTurn: i, currentPlayer: "P1" });
      }
      const answer = step(match, command("P1", "y"));
      match = answer.match;
      expect(match.lostTurns.P1).toBe(lost);
      if (lost === 3) {
        expect(answer.events.map((event) => event.type)).toEqual(["refused", "turn_lost", "out", "over"]);
      } else {
        expect(match).toMatchObject({ refusalsThisTurn: 0, currentPlayer: "P2" });
        match = play(match, legalMoves(match)[0]!);
      }
    }
    expect(match).toMatchObject({ result: "FORFEIT", statuses: { P1: "FORFEITED", P2: "ACTIVE" }, turn: 5 });
    expect(match.history.slice(-2)).toEqual(["Turn 5 [P1]: [ERROR] y", "Turn 6 [P1]: [FORFEITED]"]);
  });

  test("R8.3: the third lost turn that ends the match forfeits nobody", () => {
    let match = playing({ format: "solo", level: 1, options: { invalid: "retry" } });
    const loseTurn = () => {
      for (let i = 0; i < 10; i++) match = step(match, command("P1", "x")).match;
    };
    loseTurn();
    loseTurn();
    const rng = createRng(seedFrom(3));
    while (match.turn < match.maxMoves - 1) match = play(match, randomCommand(match, rng));
    loseTurn();
    expect(match).toMatchObject({ result: "TIMEOUT", statuses: { P1: "ACTIVE" }, lostTurns: { P1: 3 } });
  });

  test("R8.3: Solo with retry is over when its player forfeits", () => {
    let match = playing({ format: "solo", level: 1, options: { invalid: "retry" } });
    for (let i = 0; i < 30; i++) match = step(match, command("P1", "x")).match;
    expect(match).toMatchObject({ result: "FORFEIT", statuses: { P1: "FORFEITED" } });
  });
});

describe("going out (R9.3)", () => {
  test("on turn: the next player in is to move, the counter stays, the stock is gone", () => {
    const match = run(playing({ format: "ffa4", level: 1 }), command("P1", "x"), out("P2", "RESIGNED"));
    expect(match).toMatchObject({ turn: 0, currentPlayer: "P1", refusalsThisTurn: 1 });
    const next = step(match, out("P1", "TIMEOUT"));
    expect(next.match).toMatchObject({ turn: 0, currentPlayer: "P3", refusalsThisTurn: 0 });
    expect(next.events).toEqual([{ type: "out", player: "P1", reason: "TIMEOUT" }]);
    expect(next.match.history).toEqual(["Turn 1 [P2]: [RESIGNED]", "Turn 1 [P1]: [TIMEOUT]"]);
    expect(inventories(next.match).P1).toEqual({ G1: 0, G2: 0, G3: 0, G4: 0 });
    expect(legalFactorsFor(next.match, "P1").count).toBe(0);
    expect(legalFactorsFor(next.match, "P4").count).toBe(4 * 4 * 8);
  });

  test.each([
    ["Solo resigns", "solo", [out("P1", "RESIGNED")], "FORFEIT"],
    ["Solo's clock", "solo", [out("P1", "TIMEOUT")], "TIMEOUT"],
    ["one of two", "1v1", [out("P2", "RESIGNED")], "FORFEIT"],
    ["one of each team", "2v2", [out("P2", "RESIGNED"), out("P3", "RESIGNED")], null],
    ["a whole team", "2v2", [out("P3", "RESIGNED"), out("P4", "RESIGNED")], "FORFEIT"],
    ["two of four", "ffa4", [out("P3", "RESIGNED"), out("P4", "RESIGNED")], null],
    ["three of four", "ffa4", [out("P3", "RESIGNED"), out("P4", "RESIGNED"), out("P1", "TIMEOUT")], "FORFEIT"],
    ["abandoned", "ffa4", [{ type: "abandon" }], "ABANDONED"],
  ] as const)("R10.1: %s", (_, format, actions, result) => {
    const match = run(playing({ format, level: 1 }), ...actions);
    expect(match).toMatchObject({ result, phase: result === null ? "playing" : "over" });
    expect(match.currentPlayer === null).toBe(result !== null);
  });

  test.each([
    ["the last mice that are missing go out", [4, 4, 0, 0], "VICTORY"],
    ["others are still missing", [4, 3, 0, 0], null],
    ["one side is left: FORFEIT comes first", [0, 4, 0, 0], "FORFEIT"],
  ] as const)("R10.1, checked at once: %s", (_, escaped, result) => {
    const gone = escaped[0] === 0 ? ({ P1: "RESIGNED", P4: "RESIGNED" } as const) : ({ P4: "RESIGNED" } as const);
    const given = {
      format: "ffa4",
      scores: escaped.map((n) => 40 * n),
      escaped,
      out: gone,
      turn: 9,
      result: null,
    } as const;
    const match = matchWith({ ...given, mover: "P2" });
    expect(step(match, out("P3", "RESIGNED")).match.result).toBe(result);
  });

  test("a match that waits can be abandoned", () => {
    expect(step(waiting({ format: "1v1", level: 1 }), { type: "abandon" }).match.result).toBe("ABANDONED");
  });
});

describe("one turn (R5)", () => {
  test("events come in order and say all", () => {
    const match = playing({ format: "1v1", level: 1 });
    const first = step(match, command("P1", "G4@P11-90", 0));
    expect(first).toMatchObject({ ok: true, command: "G4@P11(b=0)-90" });
    expect(first.events).toEqual([
      { type: "placed", player: "P1", gear: "G4", tile: "P11", b: 0 },
      { type: "entered", mouse: "M1_P1", tile: "P11", base: 2 },
      { type: "turned", tile: "P11", turn: -90, gears: [{ tile: "P11", from: 0, to: 3 }] },
    ]);
    expect(step(match, { type: "abandon" })).toMatchObject({ ok: true, command: null });
  });

  test("R7.4: without Orb and entropy nothing is drawn: seeds do not matter", () => {
    const options = { orb: false, entropy: false };
    const [a, b] = [1, 2].map((n) => {
      const match = playRandom(playing({ format: "solo", level: 2, seed: seedFrom(n), options }), 99, 5);
      return { ...visibleOf(match) };
    });
    expect(a).toEqual(b);
    expect(a!.history!.some((line) => line.includes("[EVENT]"))).toBe(false);
    expect(a!.mice.Orb_1).toBeUndefined();
  });
});
