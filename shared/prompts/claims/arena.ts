/** The six ways to think in the Arena: what each relies on, seen in play. */
import { expect } from "vitest";
import { gearOwners, legalFactors, mice, scores, step } from "../../engine/index.ts";
import { blockOf, gearsOf, networkOf, ownerOf, played } from "./play.ts";
import { arenaTurns, jumpsAreRight, jumpsOf, type Row, turns, wayOf, witness } from "./world.ts";

export const ARENA: readonly Row[] = [
  [
    "arena.advance",
    "each row gained is +10, the exit is +10 more",
    () => {
      const forward = arenaTurns.flatMap((t) => jumpsOf(t).filter((j) => wayOf(t.after, j) === "forward"));
      witness(forward);
      expect(new Set(forward.map(({ points }) => points))).toEqual(new Set([10]));
      const exits = turns.flatMap(({ events }) => events.filter((e) => e.type === "escaped"));
      expect(new Set(exits.map(({ points }) => points))).toEqual(new Set([10]));
    },
  ],
  [
    "arena.collaborate",
    "Any mouse may ride on any player's gear",
    () =>
      witness(
        arenaTurns.filter(({ after }) =>
          Object.entries(mice(after)).some(
            ([m, { pos, status }]) => status === "IN_PLAY" && gearOwners(after)[pos as never] !== ownerOf(m),
          ),
        ),
      ),
  ],
  [
    "arena.isolate",
    "nobody but you can turn it",
    () => {
      // P1 and P2 far apart: neither network holds a gear of the other.
      const match = played("1v1", 2, ["G1@P11(b=0)+90", "G1@P66(b=0)+90"]).at(-1)!.after;
      expect([...networkOf(match, "P2")]).toEqual(["P66"]);
      for (const { before, player, events } of arenaTurns) {
        const turned = events.find((event) => event.type === "turned");
        if (turned === undefined || events.some(({ type }) => type === "placed")) continue;
        const owners = Object.entries(gearOwners(before));
        const block = blockOf(before, gearsOf(before), turned.tile);
        expect(owners.some(([tile, owner]) => block.has(tile) && owner === player)).toBe(true);
      }
    },
  ],
  [
    "arena.merge",
    "makes one block of both",
    () => {
      const apart = played("1v1", 1, ["G1@P11(b=0)+90", "G1@P14(b=0)+90", "G2@P12(b=0)+90"]).at(-1)!.after;
      expect([[...networkOf(apart, "P1")].sort(), [...networkOf(apart, "P2")]]).toEqual([["P11", "P12"], ["P14"]]);
      const result = step(apart, { type: "command", player: "P2", command: "G2@P13(b=0)+90" });
      const whole = ["P11", "P12", "P13", "P14"];
      for (const player of ["P1", "P2"] as const) expect([...networkOf(result.match, player)].sort()).toEqual(whole);
      expect(legalFactors(result.match)?.tiles).toContain("P24"); // beside P2's gear, for P1
    },
  ],
  [
    "arena.sabotage",
    "it is the rival who loses 10",
    () => {
      const hurt = arenaTurns.filter((t) =>
        jumpsOf(t).some((j) => ownerOf(j.mouse) !== t.player && wayOf(t.after, j) === "backward"),
      );
      witness(hurt);
      for (const t of arenaTurns) {
        for (const player of t.before.players) {
          let points = 0;
          for (const e of t.events)
            if ((e.type === "jumped" || e.type === "escaped") && ownerOf(e.mouse) === player) points += e.points;
          expect((scores(t.after)[player] ?? 0) - (scores(t.before)[player] ?? 0)).toBe(points);
        }
      }
      jumpsAreRight(); // a taken base is no way on
    },
  ],
  [
    "arena.dual-purpose",
    "one command can bring yours forward and a rival's backward at once",
    () =>
      witness(
        arenaTurns.filter((t) => {
          const ways = jumpsOf(t).map(
            (j) => `${ownerOf(j.mouse) === t.player ? "mine" : "theirs"} ${wayOf(t.after, j)}`,
          );
          return ways.includes("mine forward") && ways.includes("theirs backward");
        }),
      ),
  ],
];
