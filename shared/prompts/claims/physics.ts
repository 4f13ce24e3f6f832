/** How the board works: each claim played. */
import { expect } from "vitest";
import { board, levelOf, type Match, mice, parseTile, scores, tiles } from "../../engine/index.ts";
import { beforeJumps, FORWARD, gearsOf, next, ownerOf, placeOf, played } from "./play.ts";
import { arenaTurns, delta, expectTurned, jumpsAreRight, jumpsOf, type Row, start, turns, witness } from "./world.ts";

export const PHYSICS: readonly Row[] = [
  [
    "core.physics",
    "P11 is the bottom left tile…P110 is (1,10), P101 is (10,1), P1010 is (10,10)",
    () => {
      expect(tiles(start("solo", 1))[0]).toBe("P11");
      const ten = { width: 10, height: 10 };
      const rows = [
        ["P110", 1, 10],
        ["P101", 10, 1],
        ["P1010", 10, 10],
      ] as const;
      for (const [tile, x, y] of rows) expect(parseTile(tile, ten)).toEqual({ ok: true, value: { x, y } });
      expect(parseTile("P011", ten).ok).toBe(false);
    },
  ],
  [
    "core.physics",
    "0 = N (y grows), 1 = W (x shrinks), 2 = S (y shrinks), 3 = E (x grows)",
    () => {
      for (const turn of turns) {
        for (const { mouse, from, to } of jumpsOf(turn)) {
          const direction = [0, 1, 2, 3].find((d) => next(turn.after, from.tile, d) === to.tile);
          expect(beforeJumps(turn).find((l) => l.mouse === mouse)?.facing).toBe(direction);
        }
      }
    },
  ],
  [
    "core.physics",
    "kind R when x + y is even and of kind L when it is odd…An obstacle never holds a gear",
    () => {
      for (const { after } of turns) {
        const texts = board(after);
        for (const [i, tile] of tiles(after).entries()) {
          const { x, y } = placeOf(after, tile);
          const text = texts[i] ?? "";
          if (text !== "obstacle") expect(/P\d+([RL])/.exec(text)?.[1]).toBe((x + y) % 2 === 0 ? "R" : "L");
          expect(text === "obstacle").toBe(levelOf(after.format, after.level)?.map[y - 1]?.[x - 1] === "0");
        }
      }
    },
  ],
  [
    "core.physics",
    "G1 {0}, G2 {0,2}, G3 {1,2,3}, G4 {0,1,2,3}. Base k of a gear with orientation b points in direction (b + k) mod 4",
    () => {
      const bases: Record<string, number[]> = { G1: [0], G2: [0, 2], G3: [1, 2, 3], G4: [0, 1, 2, 3] };
      const seen = new Set<string>();
      for (const { after } of turns) {
        const gears = gearsOf(after);
        for (const { type, taken } of gears.values()) {
          seen.add(type);
          expect([0, 1, 2, 3].filter((k) => taken[k] !== null)).toEqual(bases[type]);
        }
        for (const { status, pos, on_base, facing } of Object.values(mice(after))) {
          if (status === "IN_PLAY") expect(facing).toBe(((gears.get(pos)?.b ?? 0) + (on_base ?? 0)) % 4);
        }
      }
      expect(seen.size).toBe(4);
    },
  ],
  [
    "core.physics",
    "+90 turns a gear counter-clockwise, b becomes b + 1 mod 4; -90 turns it clockwise, b becomes b - 1 mod 4",
    () => {
      for (const b of [0, 1, 2, 3]) {
        const [left] = played("solo", 1, [`G1@P11(b=${b})+90`]);
        const [right] = played("solo", 1, [`G1@P11(b=${b})-90`]);
        expect(gearsOf(left!.after).get("P11")?.b).toBe((b + 1) % 4);
        expect(gearsOf(right!.after).get("P11")?.b).toBe((b + 3) % 4);
      }
    },
  ],
  [
    "core.physics",
    "Turning one gear by d turns its whole block: gears on tiles of the same kind as the turned one by d, the others by -d",
    () => {
      turns.forEach(expectTurned);
      for (const { before, after, events } of turns) {
        const moved = new Set(events.flatMap((e) => ("mouse" in e ? [e.mouse] : [])));
        for (const [mouse, { on_base }] of Object.entries(mice(before))) {
          if (!moved.has(mouse)) expect(mice(after)[mouse]?.on_base).toBe(on_base);
        }
      }
    },
  ],
  [
    "core.physics",
    "A base holds one mouse at most",
    () => {
      for (const { after } of turns) {
        const on = Object.values(mice(after)).filter(({ status }) => status === "IN_PLAY");
        expect(new Set(on.map(({ pos, on_base }) => `${pos} ${on_base}`)).size).toBe(on.length);
        for (const { status, x, y } of Object.values(mice(after))) {
          const inside = x !== null && y !== null && x >= 1 && x <= after.width && y >= 1 && y <= after.height;
          expect(status).toBe(x === null ? "ESCAPED" : inside ? "IN_PLAY" : "WAITING");
        }
      }
    },
  ],
  [
    "core.physics",
    "Entry: a waiting mouse sits down…points out of the board…no points…before the jumps",
    () => {
      for (const { before, after, events } of turns) {
        let points = 0;
        for (const event of events) if (event.type === "jumped" || event.type === "escaped") points += event.points;
        const sum = (match: Match) => Object.values(scores(match)).reduce((a, b) => a + b, 0);
        expect(sum(after) - sum(before)).toBe(points); // nothing else pays
        const order = events.map(({ type }) => type);
        const firstJump = order.findIndex((type) => type === "jumped" || type === "escaped");
        if (firstJump >= 0) expect(order.lastIndexOf("entered")).toBeLessThan(firstJump);
        if (events.some(({ type }) => type === "entropy")) continue;
        // Who waits at the end of a turn has no base to sit down on: none that looks outwards is free.
        const gears = gearsOf(after);
        const jumped = new Set(
          events.flatMap((e) => (e.type === "jumped" || e.type === "escaped" ? [`${e.from.tile} ${e.from.base}`] : [])),
        );
        for (const [mouse, { status, pos, x, y }] of Object.entries(mice(after))) {
          if (status !== "WAITING" || x === null || y === null) continue;
          const forward = FORWARD[ownerOf(mouse)];
          const tile = `P${x + [0, -1, 0, 1][forward]!}${y + [1, 0, -1, 0][forward]!}`;
          const gear = gears.get(tile);
          if (gear === undefined) continue;
          const k = delta(gear.b, forward + 2);
          expect([mouse, pos, gear.taken[k] === false && !jumped.has(`${tile} ${k}`)]).toEqual([mouse, pos, false]);
        }
      }
      witness(turns.flatMap(({ events }) => events.filter(({ type }) => type === "entered")));
    },
  ],
  [
    "core.physics",
    "Jump: at the end of the turn…a free base that points straight back…once in a turn at most…whoever moved",
    () => {
      jumpsAreRight();
      for (const turn of turns) {
        const jumped = jumpsOf(turn).map(({ mouse }) => mouse);
        expect(new Set(jumped).size).toBe(jumped.length);
      }
      witness(arenaTurns.filter((turn) => jumpsOf(turn).some(({ mouse }) => ownerOf(mouse) !== turn.player)));
    },
  ],
  [
    "core.physics",
    "block each other",
    () => {
      const blocked = turns.flatMap((turn) => {
        const looking = beforeJumps(turn);
        return looking
          .filter(({ tile, facing }) =>
            looking.some((o) => o.tile === next(turn.after, tile, facing) && o.facing === ((facing + 2) & 3)),
          )
          .map(({ mouse }) => turn.events.some((e) => e.type === "jumped" && e.mouse === mouse));
      });
      witness(blocked);
      expect(blocked).not.toContain(true);
    },
  ],
  [
    "core.physics",
    "Exit: a mouse that looks in its own forward direction off the board",
    () => {
      jumpsAreRight();
      witness(turns.flatMap(({ events }) => events.filter(({ type }) => type === "escaped")));
      for (const { before, after } of turns) {
        for (const [mouse, { status }] of Object.entries(mice(before))) {
          if (status === "ESCAPED") expect(mice(after)[mouse]?.status).toBe("ESCAPED");
        }
      }
    },
  ],
  [
    "core.physics",
    "What happens in a turn, in order",
    () => {
      for (const { events } of turns) {
        const order = events
          .map(({ type }) => type)
          .filter((t) => t !== "orb" && t !== "over" && t !== "locked")
          .join(" ");
        expect(order).toMatch(
          /^(placed( entered)* turned|(premoved )?turned)( entropy)?( entered)*( (jumped|escaped))*$/,
        );
      }
    },
  ],
  [
    "core.physics",
    "Worked example, Solo level 1…M1_P1 enter on base 2…look E…jumps to P12 for +10",
    () => {
      const [first, second] = played("solo", 1, ["G4@P11(b=0)+90", "G4@P12(b=0)-90"]);
      expect(mice(first!.after).M1_P1).toMatchObject({ pos: "P11", on_base: 2, facing: 3 });
      expect(second?.events).toContainEqual(
        expect.objectContaining({ type: "jumped", mouse: "M1_P1", to: { tile: "P12", base: 3 }, points: 10 }),
      );
      expect(scores(second!.after)).toEqual({ P1: 10 });
    },
  ],
];
