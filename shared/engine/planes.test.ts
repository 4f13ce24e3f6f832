import { describe, expect, test } from "vitest";
import { playing, playRandom, randomCommand, SEED, seedFrom, spots } from "../../test/unit/engine/helpers.ts";
import {
  createRng,
  facingOf,
  IN_PLAY,
  orientation,
  type Position,
  playMove,
  positionOf,
  randomMove,
  restoreMatch,
  step,
  visibleOf,
  WAITING,
} from "./index.ts";

const BASES = [[], [0], [0, 2], [1, 2, 3], [0, 1, 2, 3]] as const; // R2.1
const OUTWARD = { P1: 2, P2: 0, P3: 3, P4: 1 } as const; // R6.1

/** Everything that planes.ts keeps, as sorted lists of "tile direction what". */
type Drawing = Record<"planes" | "waits" | "networks" | "occupants", string[]> & { nearExit: number };

/** As it follows from gears, mice and owners alone. */
function expected(position: Position): Drawing {
  const { geometry, gear, owner } = position;
  const { labels, level, mouseIds, neighbour } = geometry;
  const all: Drawing = { planes: [], waits: [], networks: [], occupants: [], nearExit: 0 };
  const riders = new Map<string, number>();
  for (let mouse = 0; mouse <= geometry.orb; mouse++) {
    if (position.mouseStatus[mouse] === WAITING) {
      const player = level.players[geometry.mouseOwner[mouse]!]!;
      all.waits.push(`${labels[geometry.mouseStart[mouse]!]} ${OUTWARD[player]}`);
    }
    if (position.mouseStatus[mouse] !== IN_PLAY) continue;
    const forward = geometry.mouseForward[mouse]!;
    if ((mouse !== geometry.orb || !position.orbLocked) && neighbour[4 * position.mouseTile[mouse]! + forward]! < 0)
      all.nearExit++;
    const label = labels[position.mouseTile[mouse]!];
    riders.set(`${label} ${facingOf(position, mouse)}`, mouse);
    all.occupants.push(`${label} ${position.mouseBase[mouse]} ${mouseIds[mouse]}`);
  }
  for (const [tile, label] of labels.entries()) {
    for (const base of BASES[gear[tile]! as 0]) {
      const facing = (orientation(position, tile) + base) & 3;
      const rider = riders.get(`${label} ${facing}`);
      if (rider === undefined) all.planes.push(`${label} ${facing} free`);
      else if (rider !== geometry.orb || !position.orbLocked) all.planes.push(`${label} ${facing} mouse`);
    }
  }
  for (const [p, player] of level.players.entries()) {
    const network = new Set([...labels.keys()].filter((tile) => owner[tile] === p));
    for (const tile of network) {
      for (let d = 0; d < 4; d++) {
        const next = neighbour[4 * tile + d]!;
        if (next >= 0 && gear[next] !== 0) network.add(next);
      }
    }
    for (const tile of network) all.networks.push(`${labels[tile]} ${player}`);
  }
  return sorted(all);
}

/** As the words have it; a bit that stands for no tile shows as "undefined". */
function drawn(position: Position): Drawing {
  const { geometry, occupant } = position;
  const { labels, level, mouseIds, sign } = geometry;
  const { words, tilesPerWord } = geometry.layout;
  const all: Drawing = { planes: [], waits: [], networks: [], occupants: [], nearExit: position.nearExit };
  const each = (word: number, w: number, what: (tile: number) => string, into: string[]) => {
    for (let i = 0; i < 32; i++) {
      const tile = tilesPerWord * w + i;
      if (((word >>> i) & 1) === 1) into.push(`${i < tilesPerWord ? labels[tile] : undefined} ${what(tile)}`);
    }
  };
  for (const [i, word] of position.planes.entries()) {
    const direction = (tile: number) => (sign[tile]! * (i + position.frame)) & 3;
    each(word, Math.floor(i / 8), (tile) => `${direction(tile)} ${i % 8 < 4 ? "free" : "mouse"}`, all.planes);
  }
  for (const [i, word] of position.waits.entries()) {
    each(word, Math.floor(i / 4), (tile) => `${(sign[tile]! * i) & 3}`, all.waits);
  }
  for (const [i, word] of position.networks.entries()) {
    each(word, i % words, () => level.players[Math.floor(i / words)]!, all.networks);
  }
  for (const [tile, label] of labels.entries()) {
    for (const base of BASES[position.gear[tile]! as 0]) {
      if (((position.free[tile]! >> base) & 1) === 1) continue;
      all.occupants.push(`${label} ${base} ${mouseIds[occupant[4 * tile + base]!]}`);
    }
  }
  return sorted(all);
}

function sorted(all: Drawing): Drawing {
  for (const list of [all.planes, all.waits, all.networks, all.occupants]) list.sort();
  return all;
}

describe("planes, networks and occupants are what gears and mice make them", () => {
  test.each(spots())("$format level $level: after every turn of random matches", ({ format, level }) => {
    for (const random of [1, 2, 3]) {
      const position = positionOf(playing({ format, level, seed: seedFrom(random) }), seedFrom(random));
      const rng = createRng(seedFrom(random + 10));
      expect(drawn(position)).toEqual(expected(position));
      while (!position.over) {
        playMove(position, randomMove(position, rng));
        expect(drawn(position)).toEqual(expected(position));
      }
    }
  });

  test.each(spots())("$format level $level: in a restored match", (spot) => {
    for (const turns of [3, 40, 120, 300]) {
      const match = playRandom(playing(spot), turns, turns);
      const restored = restoreMatch(visibleOf(match), SEED);
      if (!restored.ok) throw new Error(restored.message);
      const position = positionOf(restored.value, SEED);
      expect(drawn(position)).toEqual(expected(position));
    }
  });

  test("a locked Orb is in no plane (R7.2)", () => {
    let locked = 0;
    for (let random = 0; random < 60; random++) {
      const position = positionOf(playing({ format: "solo", level: 1 }), seedFrom(random));
      const rng = createRng(seedFrom(random));
      while (!position.over) playMove(position, randomMove(position, rng));
      if (!position.orbLocked) continue;
      locked++;
      expect(drawn(position)).toEqual(expected(position));
    }
    expect(locked).toBeGreaterThan(0);
  });
});

describe("events", () => {
  test.each(spots())("$format level $level: mice are told of in R6.4's order", (spot) => {
    const rng = createRng(SEED);
    let match = playing(spot);
    let longest = 0;
    while (match.phase === "playing") {
      const mover = match.players.indexOf(match.currentPlayer!);
      const order = [...match.players.slice(mover), ...match.players.slice(0, mover)].flatMap((player) =>
        Array.from({ length: match.width }, (_, i) => `M${i + 1}_${player}`),
      );
      order.push("Orb_1");
      const command = randomCommand(match, rng);
      const answer = step(match, { type: "command", player: match.currentPlayer!, command });
      for (const types of [["entered"], ["jumped", "escaped", "locked"]]) {
        // A placement has entries before the turn of the block and after it (R5.2, R5.5).
        const turned = answer.events.findIndex((event) => event.type === "turned");
        for (const events of [answer.events.slice(0, turned), answer.events.slice(turned)]) {
          const told = events.flatMap((event) => ("mouse" in event && types.includes(event.type) ? [event.mouse] : []));
          expect(told).toEqual(order.filter((mouse) => told.includes(mouse)));
          longest = Math.max(longest, told.length);
        }
      }
      match = answer.match;
    }
    expect(longest).toBeGreaterThan(1);
  });
});
