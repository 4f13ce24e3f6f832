import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { playing, playRandom, SEED, type Spot, spots } from "../../test/unit/engine/helpers.ts";
import { FORMATS, LEVELS, type MouseState, restoreMatch, step, type VisibleMatch, visibleOf } from "./index.ts";

const OTHER_SEED = "00000000000000000000000000000007";

describe("restoreMatch", () => {
  test.each(spots())(
    "$format level $level: restored at any turn, all that is visible is the same",
    ({ format, level }) => {
      fc.assert(
        fc.property(fc.nat(), fc.nat(), (turns, random) => {
          const match = playRandom(playing({ format, level }), turns % 60, random);
          const restored = restored1(visibleOf(match));
          expect(visibleOf(restored)).toEqual(visibleOf(match));
        }),
        { numRuns: 5 },
      );
    },
  );

  test.each(spots().flatMap((spot: Spot) => (spot.level > 2 ? [] : [spot])))(
    "$format level $level: it goes on as the real one does",
    ({ format, level }) => {
      fc.assert(
        fc.property(fc.nat(), fc.nat(), fc.nat(), (turns, random, next) => {
          const options = { entropy: false, orb: false };
          const match = playRandom(playing({ format, level, options }), turns % 40, random);
          const restored = restored1(visibleOf(match));
          expect(visibleOf(playRandom(restored, 10, next))).toEqual(visibleOf(playRandom(match, 10, next)));
        }),
        { numRuns: 5 },
      );
    },
  );

  test("too_late is still known from the history (R4.5)", () => {
    let match = playRandom(playing({ format: "ffa4", level: 1 }), 3, 1);
    match = step(match, { type: "out", player: "P4", reason: "TIMEOUT" }).match;
    const answer = step(restored1(visibleOf(match)), { type: "command", player: "P4", command: "x", turn: 3 });
    expect(answer).toMatchObject({ ok: false, code: "too_late" });
  });

  test("every format has levels to restore", () => {
    expect(FORMATS.map((format) => LEVELS[format].length)).toEqual([7, 4, 4, 4]);
  });

  const good = visibleOf(playRandom(playing({ format: "1v1", level: 1 }), 30, 5));
  const [riderId, rider] = Object.entries(good.mice).find(([, mouse]) => mouse.status === "IN_PLAY")!;
  const withRider = (change: Partial<MouseState>) => ({ mice: { ...good.mice, [riderId]: { ...rider, ...change } } });
  const firstGear = Object.keys(good.gear_owners)[0] as `P${number}`;
  const encoding = good.board_encoding[firstGear]!;

  test("the rows below change a good state", () => {
    expect(restoreMatch(good, SEED).ok).toBe(true);
  });

  test.each<[string, Partial<VisibleMatch>]>([
    ["unknown level", { level_id: "9" }],
    ["level that is no number", { level_id: "1x" }],
    ["turn beyond max_moves", { turn: 99 }],
    ["fewer turns than gears", { turn: 1 }],
    ["over without a result", { phase: "over", current_player: null }],
    ["playing with a result", { result: "TIMEOUT" }],
    ["nobody to move", { current_player: null }],
    ["a player of another format to move", { current_player: "P3" }],
    ["the player to move is out", { statuses: { ...good.statuses, [good.current_player!]: "RESIGNED" } }],
    ["gears in stock that were placed", { inventories: { ...good.inventories, P1: { G1: 2, G2: 2, G3: 2, G4: 2 } } }],
    ["a tile missing", { board_encoding: { P11: "P11R" } }],
    ["a tile of another board", { board_encoding: { ...good.board_encoding, P99: "P99R" } }],
    [
      "a gear on the wrong side",
      { board_encoding: { ...good.board_encoding, [firstGear]: encoding.replace(/([RL])/, "X") } },
    ],
    ["a gear without owner", { gear_owners: {} }],
    ["a mouse missing", { mice: {} }],
    ["a mouse too many", { mice: { ...good.mice, M9_P1: rider } }],
    ["a mouse that is nowhere", withRider({ pos: "P99" })],
    ["a mouse that faces another way", withRider({ facing: ((rider.facing! + 1) % 4) as 0 })],
    ["a mouse on another base", withRider({ on_base: ((rider.on_base! + 1) % 4) as 0 })],
    ["an Orb in Arena", { mice: { ...good.mice, Orb_1: { ...rider, owner: null, is_decoy: true, is_locked: false } } }],
    ["a score that no jumps make", { scores: { ...good.scores, P1: good.scores.P1! + 1 } }],
    ["ten refusals", { refusals_this_turn: 10 }],
    ["three lost turns and still in", { lost_turns: { P1: 3, P2: 0 } }],
  ])("refuses: %s", (_, change) => {
    const answer = restoreMatch({ ...good, ...change }, SEED);
    expect(answer).toMatchObject({ ok: false, code: "bad_state" });
  });

  test("refuses an Orb that is locked away from the exit (R7.2)", () => {
    let away = 0;
    for (let random = 0; random < 20; random++) {
      const state = visibleOf(playRandom(playing({ format: "solo", level: 2 }), 16, random));
      const orb = state.mice.Orb_1;
      if (orb === undefined || orb.y === 4 || orb.is_locked) continue;
      away++;
      const mice = { ...state.mice, Orb_1: { ...orb, is_locked: true } };
      expect(restoreMatch(state, SEED).ok).toBe(true);
      expect(restoreMatch({ ...state, mice }, SEED)).toMatchObject({ ok: false, code: "bad_state" });
    }
    expect(away).toBeGreaterThan(0);
  });

  test("refuses a seed that is none", () => {
    expect(restoreMatch(good, "0".repeat(32)).ok).toBe(false);
  });
});

function restored1(visible: VisibleMatch) {
  const restored = restoreMatch(JSON.parse(JSON.stringify(visible)), OTHER_SEED);
  if (!restored.ok) throw new Error(restored.message);
  return restored.value;
}
