import type { LocalSetup } from "../store/localMatch.ts";

const SOLO: LocalSetup = { format: "solo", level: 2 };
const DUEL: LocalSetup = { format: "1v1", level: 1 };

/** Ways to place a gear, each on a position in which it works. */
export const PATTERNS = [
  {
    id: "door",
    title: "The door",
    text: "A base that looks out at a waiting mouse lets it in, before the block turns or after. A gear with several bases may let a mouse in and carry it on in the same turn.",
    task: "Let a mouse in so that it looks sideways at the end of the turn.",
    setup: SOLO,
    opening: [] as string[],
    answer: "G4@P21(b=0)+90",
  },
  {
    id: "ladder",
    title: "The ladder",
    text: "A gear above the one with your mouse, with a base that looks down once everything has turned: the mouse climbs a row, +10.",
    task: "Place a gear above the mouse and turn so that it climbs.",
    setup: SOLO,
    opening: ["G4@P11(b=0)+90"],
    answer: "G4@P12(b=0)-90",
  },
  {
    id: "sidestep",
    title: "The side step",
    text: "A gear beside it, with a base that looks back: the mouse changes lanes, +5. Worth it when its own lane is blocked by an obstacle or by another mouse.",
    task: "Bring the mouse one lane to the right.",
    setup: SOLO,
    opening: ["G4@P11(b=0)+90", "G4@P12(b=0)-90"],
    answer: "G2@P22(b=0)-90",
  },
  {
    id: "bridge",
    title: "The bridge",
    text: "A gear between two blocks makes one of them. In the Arena that opens their side to you, and yours to them.",
    task: "Join your block and yellow's.",
    setup: DUEL,
    opening: ["G4@P21(b=0)+90", "G4@P24(b=0)+90", "G4@P22(b=0)-90", "G3@P34(b=0)-90"],
    answer: "G2@P23(b=0)+90",
  },
] as const;
