/** Entropy and Orb: each claim seen in played matches. */
import { expect } from "vitest";
import { inventories, type Match, mice } from "../../engine/index.ts";
import { gearsOf, placeOf } from "./play.ts";
import { arenaTurns, jumpsAreRight, jumpsOf, linesOf, type Row, soloTurns, witness } from "./world.ts";

export const EVENTS: readonly Row[] = [
  [
    "entropy.solo",
    "Once in a match, in the turn in which you place your last gear",
    () => {
      for (const { before, after, events } of soloTurns) {
        const entropy = events.find((event) => event.type === "entropy");
        const left = (match: Match) => Object.values(inventories(match).P1 ?? {}).reduce((a, b) => a + b, 0);
        const last = left(before) === 1 && left(after) === 0;
        const row = (match: Match) =>
          [...gearsOf(match).keys()].filter((t) => placeOf(match, t).y === match.height - 1);
        expect(entropy !== undefined).toBe(last && row(after).length > 0);
        if (entropy === undefined) continue;
        expect(entropy.moves.map(({ to }) => to)).toEqual(row(after));
        expect(entropy.moves.map(({ from }) => from).sort()).toEqual(row(after).sort());
        const order = events.map(({ type }) => type);
        expect(order.indexOf("entropy")).toBeGreaterThan(order.indexOf("turned"));
      }
    },
  ],
  [
    "entropy.solo",
    "Mice stay on their gear and go where it goes",
    () => {
      const shuffled = soloTurns.filter(({ events }) => events.some(({ type }) => type === "entropy"));
      expect(shuffled.length).toBe(12);
      let carried = 0;
      for (const { before, after, events } of shuffled) {
        const entropy = events.find((event) => event.type === "entropy");
        const moved = new Set(events.flatMap((e) => ("mouse" in e ? [e.mouse] : [])));
        for (const [mouse, { pos, status }] of Object.entries(mice(before))) {
          const went = entropy?.moves.find(({ from }) => from === pos);
          if (status !== "IN_PLAY" || went === undefined || moved.has(mouse)) continue;
          carried++;
          expect(mice(after)[mouse]?.pos).toBe(went.to);
        }
      }
      expect(carried).toBeGreaterThan(0);
    },
  ],
  [
    "entropy.solo",
    "The history tells it as",
    () => {
      const line = soloTurns.flatMap(({ after }) => after.history).find((l) => l.includes("ENTROPY")) ?? "";
      const form = /^\[EVENT\] ⚠️ TOTAL ENTROPY: P\d\d->P\d\d\(b=[0-3]\)(, P\d\d->P\d\d\(b=[0-3]\))*$/;
      expect(line).toMatch(form);
      const shown = /`(\[EVENT\][^`]*)`/.exec(linesOf("entropy.solo")[2] ?? "")?.[1];
      expect(shown).toMatch(form);
    },
  ],
  [
    "entropy.solo",
    "count on nothing in row H-1",
    () =>
      witness(
        soloTurns.flatMap(({ events }) =>
          events.filter((e) => e.type === "entropy" && e.moves.some(({ from, to }) => from !== to)),
        ),
      ),
  ],
  [
    "entropy.arena",
    "There is no entropy in the Arena",
    () =>
      expect(
        arenaTurns.flatMap(({ events }) => events).filter(({ type }) => type === "entropy" || type === "orb"),
      ).toEqual([]),
  ],
  [
    "orb.solo",
    "From turn 5 + 2 x (level - 1) on",
    () => {
      const appeared = soloTurns.filter(({ events }) => events.some(({ type }) => type === "orb"));
      expect(appeared.length).toBe(12);
      for (const { before, after } of appeared) {
        const due = 5 + 2 * (after.level - 1);
        expect(after.turn).toBeGreaterThanOrEqual(due);
        expect(mice(before).Orb_1).toBeUndefined();
        // Later only when no base was free at the end of the turn before.
        const free = [...gearsOf(before).values()].some(({ taken }) => taken.includes(false));
        if (after.turn > due) expect(free).toBe(false);
      }
    },
  ],
  [
    "orb.solo",
    "it brings no points and counts for nothing",
    () => {
      jumpsAreRight();
      const jumps = soloTurns.flatMap(jumpsOf).filter(({ mouse }) => mouse === "Orb_1");
      witness(jumps);
      expect(new Set(jumps.map(({ points }) => points))).toEqual(new Set([0]));
    },
  ],
  [
    "orb.solo",
    "It never leaves",
    () => {
      const exits = soloTurns.flatMap(({ events }) =>
        events.filter((e) => e.type === "escaped" && e.mouse === "Orb_1"),
      );
      expect(exits).toEqual([]);
      const locked = soloTurns.filter(({ before }) => mice(before).Orb_1?.is_locked === true);
      witness(locked);
      for (const { after } of locked)
        expect([mice(after).Orb_1?.is_locked, mice(after).Orb_1?.status]).toEqual([true, "IN_PLAY"]);
      witness(locked.filter(({ before, after }) => mice(before).Orb_1?.facing !== mice(after).Orb_1?.facing));
    },
  ],
  [
    "orb.solo",
    "`owner` null and `is_decoy` true",
    () => {
      const turn = soloTurns.find(({ events }) => events.some(({ type }) => type === "orb"))!;
      expect(mice(turn.after).Orb_1).toMatchObject({ owner: null, is_decoy: true });
      const form = /^Turn \d+ \[EVENT\] 🔮 ORB ANOMALY INJECTED AT G[1-4]_Base_(0|90|180|270) \(P\d\d\)$/;
      expect(turn.after.history.at(-1)).toMatch(form);
      expect(/`(Turn[^`]*)`/.exec(linesOf("orb.solo")[3] ?? "")?.[1]).toMatch(form);
    },
  ],
];
