/** Where a player starts and what brings points, by seat (R3.2, R6.5). */
import type { PlayerId } from "../engine/index.ts";
import { type Fragment, fragment, type Reader } from "./fragment.ts";

interface Way {
  /** The start edge, the tiles of it, and where the mice wait. */
  readonly edge: string;
  readonly tiles: string;
  readonly outside: string;
  readonly lane: "column" | "row";
  readonly outwards: string;
  readonly forward: string;
  readonly backward: string;
  readonly sideways: string;
  readonly exit: string;
  /** A first command on 4x4 that lets a mouse in. */
  readonly first: string;
  readonly firstMouse: string;
}

export const WAYS: Readonly<Record<PlayerId, Way>> = {
  P1: {
    edge: "row 1, the bottom row",
    tiles: "P11, P21, P31 and so on",
    outside: "below it",
    lane: "column",
    outwards: "S",
    forward: "N",
    backward: "S",
    sideways: "W or E",
    exit: "row H, the top row",
    first: "G2@P21(b=0)+90",
    firstMouse: "M2_P1",
  },
  P2: {
    edge: "row H, the top row",
    tiles: "P14, P24, P34 and so on on 4x4",
    outside: "above it",
    lane: "column",
    outwards: "N",
    forward: "S",
    backward: "N",
    sideways: "W or E",
    exit: "row 1, the bottom row",
    first: "G2@P34(b=0)+90",
    firstMouse: "M3_P2",
  },
  P3: {
    edge: "column W, the rightmost column",
    tiles: "P41, P42, P43 and so on on 4x4",
    outside: "to the right of it",
    lane: "row",
    outwards: "E",
    forward: "W",
    backward: "E",
    sideways: "N or S",
    exit: "column 1, the leftmost column",
    first: "G2@P42(b=1)+90",
    firstMouse: "M2_P3",
  },
  P4: {
    edge: "column 1, the leftmost column",
    tiles: "P11, P12, P13 and so on",
    outside: "to the left of it",
    lane: "row",
    outwards: "W",
    forward: "E",
    backward: "W",
    sideways: "N or S",
    exit: "column W, the rightmost column",
    first: "G2@P13(b=1)+90",
    firstMouse: "M3_P4",
  },
};

export function startRule({ player }: Reader): Fragment {
  const way = WAYS[player];
  return fragment("start", "Where you start", [
    `Your start edge is ${way.edge}. Your mice wait ${way.outside}, one for each ${way.lane}: M<i>_${player} at ${way.lane} i.`, // R3.3
    `Your first gear goes on your start edge (${way.tiles}). Only when no tile of it is free may it go on any free tile next to any gear.`, // R4.3
    `Your waiting mouse enters when the gear on its first tile has a free base that looks ${way.outwards}. Example of a first command on 4x4: \`${way.first}\` lets ${way.firstMouse} in.`, // R6.1
  ]);
}

export function scoring({ player }: Reader): Fragment {
  const way = WAYS[player];
  return fragment("scoring", "What brings you points", [
    `Forward is ${way.forward} for you: each jump of a mouse of yours to ${way.forward} is +10, to ${way.backward} (backward) -10, to ${way.sideways} (sideways) +5.`, // R6.5
    `A mouse of yours leaves over ${way.exit}, when it stands there and looks ${way.forward}: +10. It must be let out by a turn of its block; standing there is not enough.`, // R6.3
    "Your score is never negative, and what others' mice do changes nothing in it.", // R6.5
  ]);
}
