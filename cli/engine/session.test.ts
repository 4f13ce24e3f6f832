import { beforeEach, describe, expect, it, test } from "vitest";
import { ENGINE_CODES } from "../../shared/protocol/codes.ts";
import { OPS } from "./requests.ts";
import { Session } from "./session.ts";

const SEED = "5f3bedef890f10583eb6bfc54e50c924";
const OTHER_SEED = "00000000000000000000000000000001";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

let session: Session;
beforeEach(() => {
  session = new Session();
});

const ask = (request: unknown): Answer => JSON.parse(session.answerLine(JSON.stringify(request)));
const open = (more: object = {}): string =>
  ask({ op: "new", format: "1v1", level: 1, seed: SEED, reply: "brief", ...more }).match;

interface Row {
  readonly name: string;
  /** Played before, in a 1v1 match `m`. */
  readonly before?: readonly object[];
  readonly ask: object;
  readonly answer: object;
}

/** `match` is filled in where it is left out. */
const rows: readonly Row[] = [
  {
    name: "new: the whole state, the caller's seed in it",
    ask: { op: "new", format: "solo", level: 1, seed: SEED },
    answer: {
      ok: true,
      match: expect.any(String),
      state: {
        meta: {
          format: "solo",
          level_id: "1",
          turn: 0,
          phase: "playing",
          current_player: "P1",
          seed: SEED,
          kind: "casual",
        },
        status: { players: { P1: { name: "P1", status: "ACTIVE" } } },
      },
    },
  },
  {
    name: "new: options reach the rules",
    ask: { op: "new", format: "solo", level: 1, seed: SEED, invalid: "retry", orb: false, entropy: false },
    answer: { ok: true, state: { meta: { options: { invalid: "retry", orb: false, entropy: false } } } },
  },
  {
    name: "new: brief",
    ask: { op: "new", format: "ffa4", level: 4, seed: SEED, reply: "brief" },
    answer: { ok: true, turn: 0, current_player: "P1", game_over: false, result: null, scores: { P1: 0, P4: 0 } },
  },
  {
    name: "new: no such format",
    ask: { op: "new", format: "3v3", level: 1, seed: SEED },
    answer: { ok: false, code: "bad_options" },
  },
  {
    name: "new: no such level",
    ask: { op: "new", format: "1v1", level: 5, seed: SEED },
    answer: { ok: false, code: "bad_options" },
  },
  {
    name: "new: no such policy",
    ask: { op: "new", format: "1v1", level: 1, seed: SEED, invalid: "kick" },
    answer: { ok: false, code: "bad_options" },
  },
  {
    name: "new: level as text",
    ask: { op: "new", format: "1v1", level: "1", seed: SEED },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "new: orb is no text",
    ask: { op: "new", format: "1v1", level: 1, seed: SEED, orb: "no" },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "new: all zero is no seed (R11.2)",
    ask: { op: "new", format: "1v1", level: 1, seed: "0".repeat(32) },
    answer: { ok: false, code: "bad_seed" },
  },
  {
    name: "new: capitals are no seed",
    ask: { op: "new", format: "1v1", level: 1, seed: SEED.toUpperCase() },
    answer: { ok: false, code: "bad_seed" },
  },
  {
    name: "new: a number is no seed",
    ask: { op: "new", format: "1v1", level: 1, seed: 7 },
    answer: { ok: false, code: "bad_seed" },
  },
  { name: "new: no seed", ask: { op: "new", format: "1v1", level: 1 }, answer: { ok: false, code: "bad_seed" } },
  {
    name: "play: state and events",
    ask: { op: "play", player: "P1", command: "G1@P11(b=2)+90", turn: 0 },
    answer: {
      ok: true,
      state: { meta: { turn: 1, current_player: "P2" }, data: { history: ["Turn 1 [P1]: G1@P11(b=2)+90"] } },
      events: expect.arrayContaining([expect.objectContaining({ type: "placed", tile: "P11" })]),
    },
  },
  {
    name: "play: brief",
    ask: { op: "play", player: "P1", command: "G1@P11(b=2)+90", reply: "brief" },
    answer: {
      ok: true,
      turn: 1,
      current_player: "P2",
      game_over: false,
      result: null,
      scores: { P1: 0, P2: 0 },
      events: expect.any(Array),
    },
  },
  {
    name: "play: a refusal that counts tells the state after it (R8.3)",
    ask: { op: "play", player: "P1", command: "nonsense" },
    answer: {
      ok: false,
      code: "syntax",
      message: expect.any(String),
      events: [{ type: "refused", code: "syntax" }],
      state: { data: { refusals_this_turn: 1 } },
    },
  },
  {
    name: "play: one that does not count changes nothing (R8.1)",
    ask: { op: "play", player: "P2", command: "G1@P14+90", reply: "brief" },
    answer: { ok: false, code: "not_your_turn", turn: 0, current_player: "P1", events: [] },
  },
  {
    name: "play: stale turn",
    ask: { op: "play", player: "P1", command: "G1@P11+90", turn: 3 },
    answer: { ok: false, code: "stale_turn" },
  },
  {
    name: "play: the command is no text",
    ask: { op: "play", player: "P1", command: 5 },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "play: no such player",
    ask: { op: "play", player: "P9", command: "G1@P11+90" },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "play: no player of this match",
    ask: { op: "play", player: "P3", command: "G1@P11+90" },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "play: a turn is a whole number",
    ask: { op: "play", player: "P1", command: "G1@P11+90", turn: 0.5 },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "play: no such reply",
    ask: { op: "play", player: "P1", command: "G1@P11+90", reply: "all" },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "play: after the end",
    before: [{ op: "resign", player: "P2" }],
    ask: { op: "play", player: "P1", command: "G1@P11+90" },
    answer: { ok: false, code: "match_over" },
  },
  {
    name: "legal: all of them (R4.6)",
    ask: { op: "legal" },
    answer: { ok: true, commands: expect.arrayContaining(["G1@P11(b=0)+90", "G4@P41(b=3)-90"]) },
  },
  {
    name: "legal: none after the end",
    before: [{ op: "abandon" }],
    ask: { op: "legal" },
    answer: { ok: true, commands: [] },
  },
  { name: "state", ask: { op: "state" }, answer: { ok: true, state: { meta: { turn: 0, seed: SEED } } } },
  { name: "clone", ask: { op: "clone" }, answer: { ok: true, match: expect.any(String) } },
  { name: "clone: bad seed", ask: { op: "clone", seed: "x" }, answer: { ok: false, code: "bad_seed" } },
  { name: "undo: nothing", ask: { op: "undo" }, answer: { ok: false, code: "nothing_to_undo" } },
  {
    name: "undo: a move",
    before: [{ op: "play", player: "P1", command: "G1@P11+90" }],
    ask: { op: "undo" },
    answer: { ok: true, state: { meta: { turn: 0, current_player: "P1" }, data: { history: [] } } },
  },
  {
    name: "undo: the end",
    before: [{ op: "resign", player: "P1" }],
    ask: { op: "undo" },
    answer: { ok: true, state: { meta: { phase: "playing" }, status: { result: null } } },
  },
  {
    name: "expire: the mover is out (R9.2)",
    ask: { op: "expire", player: "P1" },
    answer: {
      ok: true,
      state: { status: { result: "FORFEIT", winner: ["P2"], players: { P1: { status: "TIMEOUT" } } } },
      events: [{ type: "out", player: "P1", reason: "TIMEOUT" }, { type: "over" }],
    },
  },
  { name: "expire: not the mover", ask: { op: "expire", player: "P2" }, answer: { ok: false, code: "not_your_turn" } },
  {
    name: "expire: after the end",
    before: [{ op: "abandon" }],
    ask: { op: "expire", player: "P1" },
    answer: { ok: false, code: "match_over" },
  },
  {
    name: "play after expire: too_late names the turn (R4.5)",
    before: [{ op: "expire", player: "P1" }],
    ask: { op: "play", player: "P1", command: "G1@P11+90", turn: 0 },
    answer: { ok: false, code: "too_late" },
  },
  {
    name: "resign: off turn (R9.2)",
    ask: { op: "resign", player: "P2", reply: "brief" },
    answer: {
      ok: true,
      game_over: true,
      result: "FORFEIT",
      events: [
        { type: "out", player: "P2", reason: "RESIGNED" },
        { type: "over", result: "FORFEIT" },
      ],
    },
  },
  {
    name: "resign: twice",
    before: [{ op: "resign", player: "P2" }],
    ask: { op: "resign", player: "P2" },
    answer: { ok: false, code: "match_over" },
  },
  {
    name: "resign: no player of this match",
    ask: { op: "resign", player: "P4" },
    answer: { ok: false, code: "bad_request" },
  },
  {
    name: "abandon (R10.1)",
    ask: { op: "abandon" },
    answer: { ok: true, state: { status: { game_over: true, result: "ABANDONED", winner: [], places: {} } } },
  },
  {
    name: "abandon: twice",
    before: [{ op: "abandon" }],
    ask: { op: "abandon" },
    answer: { ok: false, code: "match_over" },
  },
  { name: "close", ask: { op: "close" }, answer: { ok: true } },
  ...["play", "legal", "state", "clone", "undo", "expire", "resign", "abandon", "close"].map((op) => ({
    name: `${op}: no such match`,
    ask: { op, match: "m0", player: "P1", command: "" },
    answer: { ok: false, code: "no_such_match" },
  })),
  { name: "match is no text", ask: { op: "state", match: 1 }, answer: { ok: false, code: "bad_request" } },
  {
    name: "batch: answers in order, a bad one does not end it",
    ask: {
      op: "batch",
      requests: [
        { id: "a", op: "nope" },
        5,
        { id: "b", op: "new", format: "solo", level: 1, seed: SEED, reply: "brief" },
      ],
    },
    answer: {
      ok: true,
      answers: [
        { id: "a", ok: false, code: "unknown_op" },
        { id: null, ok: false, code: "bad_request" },
        { id: "b", ok: true, turn: 0 },
      ],
    },
  },
  { name: "batch: empty", ask: { op: "batch", requests: [] }, answer: { ok: true, answers: [] } },
  { name: "batch: no list", ask: { op: "batch", requests: {} }, answer: { ok: false, code: "bad_request" } },
  {
    name: "batch: in a batch",
    ask: { op: "batch", requests: [{ op: "batch", requests: [] }] },
    answer: { ok: true, answers: [{ ok: false, code: "bad_request" }] },
  },
  { name: "unknown op", ask: { op: "fly" }, answer: { ok: false, code: "unknown_op" } },
  { name: "an op out of the prototype", ask: { op: "constructor" }, answer: { ok: false, code: "unknown_op" } },
  { name: "no op", ask: {}, answer: { ok: false, code: "unknown_op" } },
  { name: "a list", ask: [], answer: { id: null, ok: false, code: "bad_request" } },
  {
    name: "an id that is an object",
    ask: { id: {}, op: "state" },
    answer: { id: null, ok: false, code: "bad_request" },
  },
];

describe("every op (PROTOCOL 9)", () => {
  it.each(rows)("$name", ({ before = [], ask: request, answer }) => {
    const match = open();
    for (const each of before) ask({ match, ...each });
    const given = Array.isArray(request) ? request : { id: 7, match, ...request };
    const id = (answer as Answer).id === null ? null : 7;
    expect(ask(given)).toMatchObject({ ...answer, id });
  });

  test("every op and every code of the engine process has a row", () => {
    const text = JSON.stringify(rows);
    for (const op of OPS) expect(text).toContain(`"op":"${op}"`);
    const elsewhere = ["bad_json", "line_too_long"]; // of the line, not of the request: engine.test.ts
    for (const code of ENGINE_CODES) if (!elsewhere.includes(code)) expect(text).toContain(`"code":"${code}"`);
  });
});

describe("copies", () => {
  const opening = { op: "play", player: "P1", command: "G1@P11(b=2)+90", reply: "brief" };

  test("a copy and its original go their own ways, back to the same start", () => {
    const match = open();
    ask({ match, ...opening });
    const { match: copy } = ask({ op: "clone", match });
    ask({ op: "play", match: copy, player: "P2", command: "G1@P14+90" });
    expect(ask({ op: "state", match })).toMatchObject({ state: { meta: { turn: 1, match_id: match } } });
    expect(ask({ op: "state", match: copy })).toMatchObject({ state: { meta: { turn: 2, match_id: copy } } });
    ask({ op: "close", match });
    expect(ask({ op: "undo", match: copy, reply: "brief" })).toMatchObject({ ok: true, turn: 1 });
    expect(ask({ op: "undo", match: copy, reply: "brief" })).toMatchObject({ ok: true, turn: 0 });
    expect(ask({ op: "undo", match: copy })).toMatchObject({ ok: false, code: "nothing_to_undo" });
  });

  test("with a seed: another generator, a commitment to it, an undo of its own (R11.4)", () => {
    const match = open({ format: "solo" });
    ask({ match, ...opening });
    const { match: copy } = ask({ op: "clone", match, seed: OTHER_SEED });
    const [one, two] = [ask({ op: "state", match }).state, ask({ op: "state", match: copy }).state];
    expect(two.data).toEqual(one.data);
    expect(two.meta.seed).toBe(OTHER_SEED);
    expect(two.meta.seed_commitment).not.toBe(one.meta.seed_commitment);
    expect(ask({ op: "undo", match: copy })).toMatchObject({ ok: false, code: "nothing_to_undo" });
  });

  test("with the same seed twice: the same Orb; with many seeds: not always the same (R7.2)", () => {
    const orbOf = (seed: string) => {
      const match = open({ format: "solo", level: 1, invalid: "lose_turn" });
      ask({ op: "play", match, player: "P1", command: "G4@P11(b=0)+90" });
      const { match: copy } = ask({ op: "clone", match, seed });
      for (let turn = 1; turn < 5; turn++) ask({ op: "play", match: copy, player: "P1", command: "" });
      return JSON.stringify(ask({ op: "state", match: copy }).state.data.mice.Orb_1);
    };
    const seeds = Array.from({ length: 12 }, (_, i) => ((i + 1) * 0x1234567).toString(16).padStart(8, "0").repeat(4));
    const orbs = seeds.map(orbOf);
    expect(orbs).toEqual(seeds.map(orbOf));
    expect(orbs[0]).toContain("is_decoy");
    expect(new Set(orbs).size).toBeGreaterThan(1);
  });
});
