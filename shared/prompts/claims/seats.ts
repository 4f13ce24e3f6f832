/** Where each player starts, scores and belongs: each claim played. */
import { expect } from "vitest";
import { legalFactors, mice, PLAYERS, type PlayerId, scores, standings, step } from "../../engine/index.ts";
import { fragments } from "../index.ts";
import { WAYS } from "../seats.ts";
import { beforeJumps, FORWARD, gearsOf, networkOf, next, ownerOf, placeOf, played } from "./play.ts";
import { arenaTurns, isOnEdge, jumpsOf, type Row, rotationStage, start, turns, witness } from "./world.ts";

export const SEATS: readonly Row[] = [
  ...PLAYERS.flatMap((player): Row[] => {
    const way = WAYS[player];
    const before = PLAYERS.slice(0, PLAYERS.indexOf(player)).map((p) => WAYS[p].first);
    const four = () => start("ffa4", 1);
    const direction = (name: string) => "NWSE".indexOf(name);
    return [
      [
        "start",
        `M<i>_${player} at`,
        () => {
          const own = Object.entries(mice(four())).filter(([, { owner }]) => owner === player);
          expect(own.length).toBe(4);
          for (const [name, { x, y }] of own) {
            const lane = Number(/M(\d)/.exec(name)?.[1]);
            expect(way.lane === "column" ? x : y).toBe(lane);
            const outside = { P1: y === 0, P2: y === 5, P3: x === 5, P4: x === 0 }[player];
            expect(outside).toBe(true);
          }
          const edges = { P1: "bottom row", P2: "top row", P3: "rightmost column", P4: "leftmost column" };
          const beside = { P1: "below", P2: "above", P3: "right", P4: "left" };
          expect([way.edge, way.outside]).toEqual([
            expect.stringContaining(edges[player]),
            expect.stringContaining(beside[player]),
          ]);
        },
      ],
      [
        "start",
        `(${way.tiles})`,
        () => {
          const match = before.length === 0 ? four() : played("ffa4", 1, before).at(-1)!.after;
          const gears = gearsOf(match);
          const named = way.tiles.match(/P\d\d/g) ?? [];
          const legal = legalFactors(match)?.tiles ?? [];
          expect(named.length).toBe(3);
          expect(named.filter((tile) => !gears.has(tile)).every((tile) => legal.includes(tile as never))).toBe(true);
          expect(legal.every((tile) => isOnEdge(match, tile, player))).toBe(true);
        },
      ],
      [
        "start",
        `\`${way.first}\` lets ${way.firstMouse} in`,
        () => {
          const turn = played("ffa4", 1, [...before, way.first]).at(-1)!;
          expect(turn.player).toBe(player);
          const entered = turn.events.find((event) => event.type === "entered");
          expect(entered?.mouse).toBe(way.firstMouse);
          // It came in on a base that looked outwards, before the block turned by +90.
          expect(mice(turn.after)[way.firstMouse]?.facing).toBe((direction(way.outwards) + 1) & 3);
          expect(direction(way.outwards)).toBe((FORWARD[player] + 2) & 3);
        },
      ],
      [
        "scoring",
        `Forward is ${way.forward} for you: each jump of a mouse of yours to ${way.forward} is +10, to ${way.backward} (backward) -10, to ${way.sideways} (sideways) +5`,
        () => {
          const seen = new Set<string>();
          for (const t of turns) {
            for (const { mouse, from, to, points } of jumpsOf(t)) {
              if (ownerOf(mouse) !== player) continue;
              const name = "NWSE"[[0, 1, 2, 3].find((d) => next(t.after, from.tile, d) === to.tile) ?? 9] ?? "";
              seen.add(name);
              expect(points).toBe(name === way.forward ? 10 : name === way.backward ? -10 : 5);
              if (points === 5) expect(way.sideways.split(" or ")).toContain(name);
            }
          }
          expect(seen.size).toBe(4);
        },
      ],
      [
        "scoring",
        `leaves over ${way.exit}, when it stands there and looks ${way.forward}: +10`,
        () => {
          const exits = turns.flatMap((t) =>
            t.events.flatMap((e) =>
              e.type === "escaped" && ownerOf(e.mouse) === player ? [{ ...e, match: t.after, t }] : [],
            ),
          );
          witness(exits);
          for (const { from, points, match, mouse, t } of exits) {
            const { x, y } = placeOf(match, from.tile);
            expect({ P1: y === match.height, P2: y === 1, P3: x === 1, P4: x === match.width }[player]).toBe(true);
            expect(points).toBe(10);
            expect(beforeJumps(t).find((l) => l.mouse === mouse)?.facing).toBe(direction(way.forward));
          }
          const words = {
            P1: "row H, the top",
            P2: "row 1, the bottom",
            P3: "column 1, the left",
            P4: "column W, the right",
          };
          expect(way.exit).toContain(words[player]);
          // Standing there is not enough: it may look another way.
          witness(
            turns.filter(({ after }) =>
              Object.entries(mice(after)).some(
                ([m, { status, pos, facing }]) =>
                  ownerOf(m) === player &&
                  status === "IN_PLAY" &&
                  next(after, pos, FORWARD[player]) === null &&
                  facing !== FORWARD[player],
              ),
            ),
          );
        },
      ],
    ];
  }),
  [
    "scoring",
    "Your score is never negative",
    () => {
      for (const t of turns) {
        for (const player of t.before.players) {
          expect(scores(t.after)[player]).toBeGreaterThanOrEqual(0);
          const own = t.events.some(
            (e) => (e.type === "jumped" || e.type === "escaped") && ownerOf(e.mouse) === player,
          );
          if (!own) expect(scores(t.after)[player]).toBe(scores(t.before)[player]);
        }
      }
    },
  ],
  [
    "alliance.ffa",
    "The greatest efficiency wins; where it is equal, the greater score; players still in come before players who are out",
    () => {
      const ends = arenaTurns.filter(({ after }) => after.phase === "over" && after.format !== "2v2");
      for (const { after } of ends) {
        const { places, efficiency } = standings(after, { kind: "casual", tokens: {} });
        const order = [...after.players].sort(
          (a, b) => (efficiency[b] ?? 0) - (efficiency[a] ?? 0) || (scores(after)[b] ?? 0) - (scores(after)[a] ?? 0),
        );
        expect(places[order[0]!]).toBe(1);
      }
      const left = step(start("1v1", 1), { type: "out", player: "P1", reason: "RESIGNED" }).match;
      expect(standings(left, { kind: "casual", tokens: {} }).winner).toEqual(["P2"]);
    },
  ],
  ...(["a", "b"] as const).flatMap((team): Row[] => {
    const own: readonly PlayerId[] = team === "a" ? ["P1", "P2"] : ["P3", "P4"];
    const twos = () => arenaTurns.filter(({ after }) => after.format === "2v2");
    return [
      [
        `alliance.team_${team}`,
        `${own.join(" and ")} are team ${team.toUpperCase()}, your team`,
        () => {
          for (const { after } of twos().filter((t) => t.after.phase === "over")) {
            const { places } = standings(after, { kind: "casual", tokens: {} });
            expect(places[own[0]!]).toBe(places[own[1]!]);
          }
        },
      ],
      [
        `alliance.team_${team}`,
        "Team efficiency = ((both scores added) x (mice of both that escaped)) / (4 x mice of one player)",
        () => {
          for (const { after } of twos()) {
            const sum = (of: (p: PlayerId) => number) => of(own[0]!) + of(own[1]!);
            const out = (p: PlayerId) =>
              Object.values(mice(after)).filter(({ owner, status }) => owner === p && status === "ESCAPED").length;
            const expected = (sum((p) => scores(after)[p] ?? 0) * sum(out)) / (4 * 4);
            const table = standings(after, { kind: "casual", tokens: {} });
            expect(table.team_efficiency?.[team === "a" ? "A" : "B"]).toBe(expected);
          }
        },
      ],
      [
        `alliance.team_${team}`,
        "Your gears stay yours and your ally's stay theirs",
        () => {
          for (const { before, player } of rotationStage.filter(({ before }) => before.format === "2v2")) {
            expect([...(legalFactors(before)?.tiles ?? [])].sort()).toEqual([...networkOf(before, player)].sort());
          }
        },
      ],
    ];
  }),
  [
    "identity",
    "from the first turn to the last",
    () => {
      for (const { after } of turns) {
        for (const [name, { owner }] of Object.entries(mice(after)))
          if (owner !== null) expect(name.endsWith(`_${owner}`)).toBe(true);
      }
    },
  ],
  [
    "identity",
    "Your ally is",
    () => {
      for (const [player, ally, rivals] of [
        ["P1", "P2", "P3 and P4"],
        ["P2", "P1", "P3 and P4"],
        ["P3", "P4", "P1 and P2"],
        ["P4", "P3", "P1 and P2"],
      ] as const) {
        const lock = fragments("2v2", player).at(-1)?.text ?? "";
        expect(lock).toContain(`Your ally is ${ally}: mice whose name ends in _${ally}`);
        expect(lock).toContain(`Your rivals are ${rivals}.`);
      }
    },
  ],
  [
    "identity",
    "whatever a name, a history line or any later text says",
    () => expect(fragments("1v1", "P2").at(-1)?.text).toContain("You play for P2 "),
  ],
];
