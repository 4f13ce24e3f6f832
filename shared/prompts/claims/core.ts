/** What the state says, how to think, how to answer: each claim played. */
import { expect } from "vitest";
import {
  board,
  gearOwners,
  inventories,
  legalFactors,
  type Match,
  makeCommand,
  mice,
  parseCell,
  parseCommand,
  tiles,
} from "../../engine/index.ts";
import { blockOf, gearsOf, networkOf, next, played } from "./play.ts";
import {
  arenaTurns,
  expectTurned,
  isOnEdge,
  jumpsAreRight,
  linesOf,
  type Row,
  refusalOf,
  rotationStage,
  start,
  turns,
  viewOf,
  witness,
} from "./world.ts";

export const CORE: readonly Row[] = [
  [
    "core.state",
    "`meta` has",
    () => {
      const { meta } = viewOf(turns[5]!.after, "P1");
      const line = linesOf("core.state")[0] ?? "";
      const named = [...line.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name).filter((name) => name !== "meta");
      expect(named.length).toBeGreaterThan(6);
      expect(Object.keys(meta)).toEqual(expect.arrayContaining(named));
      expect(meta.turn).toBe(6);
    },
  ],
  [
    "core.state",
    "`data.board_encoding` has every tile…2 there is no such base, 0 it is free, 1 a mouse sits there",
    () => {
      const size = { width: 4, height: 4 };
      expect(parseCell("P13R", size)).toMatchObject({ value: { type: "free", tile: "P13" } });
      expect(parseCell("obstacle", size)).toMatchObject({ value: { type: "obstacle" } });
      const gear = { type: "gear", gear: "G3", tile: "P32", side: "L", b: 3, taken: 0b1000 };
      expect(parseCell("G3P32L3B2001", size)).toMatchObject({ value: gear });
      const match = turns[5]!.after;
      expect(Object.keys(viewOf(match, "P1").data.board_encoding)).toEqual(tiles(match));
    },
  ],
  [
    "core.state",
    "`data.mice` has every mouse by name",
    () => {
      for (const { after } of turns.slice(0, 40)) {
        const gears = gearsOf(after);
        for (const [name, mouse] of Object.entries(mice(after))) {
          if (mouse.is_decoy) continue;
          expect(name).toMatch(/^M\d+_P[1-4]$/);
          expect(Object.keys(mouse)).toEqual(
            expect.arrayContaining(["owner", "status", "pos", "x", "y", "on_base", "facing"]),
          );
          const isIn = mouse.status === "IN_PLAY";
          expect([mouse.on_base !== null, mouse.facing !== null]).toEqual([isIn, isIn]);
          if (isIn) expect(mouse.facing).toBe(((gears.get(mouse.pos)?.b ?? 0) + mouse.on_base!) % 4);
          if (mouse.status === "ESCAPED") expect(mouse.pos).toBe("OUT");
        }
      }
    },
  ],
  [
    "core.state",
    "`data.gear_owners` says who placed each gear",
    () => {
      for (const { before, after, player, events } of turns) {
        if (events.some(({ type }) => type === "entropy")) continue;
        const placed = events.find((event) => event.type === "placed");
        expect(gearOwners(after)).toEqual({ ...gearOwners(before), ...(placed ? { [placed.tile]: player } : {}) });
      }
      const match = turns.find(({ before }) => before.format === "1v1")!.after;
      const { data } = viewOf(match, "P2");
      expect(data.inventory).toEqual(data.inventories.P2);
    },
  ],
  [
    "core.state",
    "Your network is every block",
    () => {
      for (const { before, player } of rotationStage) {
        expect([...(legalFactors(before)?.tiles ?? [])].sort()).toEqual([...networkOf(before, player)].sort());
      }
      witness(
        arenaTurns.filter(({ before, player }) =>
          [...networkOf(before, player)].some((t) => gearOwners(before)[t as never] !== player),
        ),
      );
    },
  ],
  [
    "core.state",
    "`data.history` has one line for each turn",
    () => {
      const [turn] = played("1v1", 1, ["G4@P21(b=0)-90"]);
      expect(turn?.after.history).toEqual(["Turn 1 [P1]: G4@P21(b=0)-90"]);
    },
  ],
  [
    "core.strategy",
    "While you have gears in stock you can only place",
    () => {
      for (const { before, after, player } of turns) {
        const left = (match: Match) => Object.values(inventories(match)[player] ?? {}).reduce((a, b) => a + b, 0);
        expect(legalFactors(before)?.stage).toBe(left(before) > 0 ? "placement" : "rotation");
        expect(left(after)).toBe(Math.max(0, left(before) - 1));
      }
    },
  ],
  ["core.strategy", "A jump needs two bases", jumpsAreRight],
  [
    "core.strategy",
    "G4 has a base in every direction",
    () => {
      for (const { after } of turns) {
        for (const { type, b, taken } of gearsOf(after).values()) {
          const ways = new Set([0, 1, 2, 3].filter((k) => taken[k] !== null).map((k) => (b + k) & 3));
          if (type === "G4") expect(ways.size).toBe(4);
          if (type === "G1") expect([...ways]).toEqual([b]);
        }
      }
    },
  ],
  [
    "core.strategy",
    "may join blocks that were apart",
    () => {
      const blocks = (match: Match) => {
        const gears = gearsOf(match);
        return new Set([...gears.keys()].map((tile) => [...blockOf(match, gears, tile)].sort().join())).size;
      };
      witness(turns.filter(({ before, after }) => blocks(after) < blocks(before)));
      turns.forEach(expectTurned);
    },
  ],
  [
    "core.strategy",
    "A pre-move changes the b of one gear alone",
    () => {
      // Neighbours turn against each other: what their b add up to stays, unless a pre-move changed it.
      let kept = 0;
      let changed = 0;
      for (const { before, after, events } of rotationStage) {
        const [was, is] = [gearsOf(before), gearsOf(after)];
        const premoved = events.find((event) => event.type === "premoved");
        for (const [tile, gear] of was) {
          for (const direction of [0, 3]) {
            const other = was.get(next(before, tile, direction) ?? "");
            if (other === undefined) continue;
            const sum = (gears: typeof was) => (gears.get(tile)!.b + gears.get(other.tile)!.b) & 3;
            const same = sum(was) === sum(is);
            const named = premoved?.tile === gear.tile || premoved?.tile === other.tile;
            if (!named || premoved?.from === premoved?.to) expect(same).toBe(true);
            else expect(same).toBe(false);
            if (named) changed += same ? 0 : 1;
            else kept++;
          }
        }
      }
      expect(kept).toBeGreaterThan(100);
      expect(changed).toBeGreaterThan(100);
    },
  ],
  [
    "core.strategy",
    "A turn moves every mouse of the block",
    () =>
      witness(
        turns.filter(({ after, events }) => {
          const block = new Set<string>(
            events.flatMap((e) => (e.type === "turned" ? e.gears.map(({ tile }) => tile) : [])),
          );
          return Object.values(mice(after)).filter(({ pos }) => block.has(pos)).length > 2;
        }),
      ),
  ],
  [
    "core.protocol",
    "Place (only while you have stock)",
    () => {
      const [turn] = played("1v1", 1, ["G4@P21(b=0)-90"]);
      expect(turn?.events.map(({ type }) => type).slice(0, 1)).toEqual(["placed"]);
      expect(refusalOf(rotationStage[0]!.before, "G1@P11(b=0)+90")).toBe("wrong_phase");
    },
  ],
  [
    "core.protocol",
    "Turn (only once your stock is empty)",
    () => {
      expect(refusalOf(start("1v1", 1), "G@P21+90")).toBe("wrong_phase");
      expect(refusalOf(rotationStage.find(({ before }) => before.format === "1v1")!.before, "G@P21+90")).toBeNull();
    },
  ],
  [
    "core.protocol",
    "Turn with a pre-move",
    () => {
      const { before } = rotationStage.find(({ before }) => before.format === "1v1")!;
      expect(refusalOf(before, "G@P11:b=2 ; G@P21+90")).toBeNull();
      expect(refusalOf(before, "G@P11:b=2 ; G@P11+90")).toBeNull();
    },
  ],
  [
    "core.protocol",
    "your first on your start edge",
    () => {
      for (const { before, player } of turns) {
        const factors = legalFactors(before);
        if (factors?.stage !== "placement") continue;
        const gears = gearsOf(before);
        const owns = Object.values(gearOwners(before)).includes(player);
        const free = tiles(before).filter((t, i) => !gears.has(t) && board(before)[i] !== "obstacle");
        const edge = free.filter((tile) => isOnEdge(before, tile, player));
        const network = networkOf(before, player);
        const beside = (tile: string, set: { has(tile: string): boolean }) =>
          [0, 1, 2, 3].some((d) => set.has(next(before, tile, d) ?? ""));
        const legal = owns
          ? free.filter((t) => beside(t, network))
          : edge.length > 0
            ? edge
            : free.filter((t) => beside(t, gears));
        expect([...factors.tiles].sort()).toEqual([...legal].sort());
      }
    },
  ],
  [
    "core.protocol",
    "nothing before or after it",
    () => {
      const size = { width: 4, height: 4 };
      for (const text of ["g4@p21(b=0)-90", " G4@P21(b=0)-90", "G4@P21(b=0)-90.", "G4@P21 (b=0)-90", "G@P21+90;"]) {
        expect([text, parseCommand(text, size).ok]).toEqual([text, false]);
      }
      const read = parseCommand("G@P11:b=2;G@P21+90", size);
      expect(read.ok && makeCommand(read.value)).toBe("G@P11:b=2 ; G@P21+90");
    },
  ],
  [
    "core.protocol",
    "Answer with one JSON object",
    () => {
      const shown = /\{.*\}/.exec(linesOf("core.protocol").at(-1) ?? "")?.[0] ?? "";
      expect(Object.keys(JSON.parse(shown))).toEqual(["command", "reasoning"]);
    },
  ],
];
