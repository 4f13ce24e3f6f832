/** The lessons of the first game: a position that real commands lead to, and what has to come of the next one. */
import type { MatchEvent, PlayerId } from "../../shared/engine/types.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { LocalSetup } from "../store/localMatch.ts";

export interface Lesson {
  readonly id: string;
  readonly title: string;
  /** What is to be learnt, a paragraph each. */
  readonly text: readonly string[];
  readonly task: string;
  readonly setup: LocalSetup;
  /** The position: commands of the players in turn. */
  readonly opening: readonly string[];
  /** Whether what was played does what the task says. `before` is the state it was played in. */
  readonly met: (events: readonly MatchEvent[], before: NativeState) => boolean;
  /** Said when it does not. */
  readonly missed: string;
  /** One command that does. */
  readonly answer: string;
}

const SOLO: LocalSetup = { format: "solo", level: 1 };
const DUEL: LocalSetup = { format: "1v1", level: 1 };

const of = (state: NativeState, mouse: string): PlayerId | null => state.data.mice[mouse]?.owner ?? null;
const jumps = (events: readonly MatchEvent[]) => events.filter((e) => e.type === "jumped");

export const LESSONS: readonly Lesson[] = [
  {
    id: "enter",
    title: "Place a gear, let a mouse in",
    text: [
      "Your three blue mice wait below the board, one in each lane. They cannot walk: they sit on gears and are carried.",
      "A gear has dark bases. When one of them points at a waiting mouse, the mouse comes in and sits down.",
    ],
    task: "Place a gear on the bottom row so that a mouse comes in.",
    setup: SOLO,
    opening: [],
    met: (events) => events.some((e) => e.type === "entered"),
    missed: "No base pointed down at a waiting mouse. Choose another gear, or another facing.",
    answer: "G4@P21(b=0)+90",
  },
  {
    id: "jump",
    title: "Turn it, make the mouse jump",
    text: [
      "Every placement also turns: left (+90) or right (−90). All gears that touch turn with it, neighbours against each other, mice and all.",
      "Then each mouse looks where its base points. If a free base there looks straight back, the mouse jumps over: +10 for a row forward, +5 sideways, −10 for a row back.",
    ],
    task: "Place the next gear so that your mouse jumps one row up.",
    setup: SOLO,
    opening: ["G4@P11(b=0)+90"],
    met: (events) => jumps(events).some((e) => e.type === "jumped" && e.points === 10),
    missed: "The mouse did not get up a row. Hold the pointer over a turn, and the arrows show what it would do.",
    answer: "G4@P12(b=0)-90",
  },
  {
    id: "exit",
    title: "Bring one home",
    text: [
      "A mouse on the far row that looks over its edge leaves the board. It is home, for good, and that is another +10.",
      "Mice home are what counts most: your points are multiplied with the share of your mice that made it.",
    ],
    task: "Bring a mouse home in this turn.",
    setup: SOLO,
    opening: [
      "G3@P11(b=1)-90",
      "G4@P21(b=1)-90",
      "G4@P12(b=0)-90",
      "G2@P13(b=2)+90",
      "G1@P31(b=1)+90",
      "G1@P23(b=2)-90",
    ],
    met: (events) => events.some((e) => e.type === "escaped"),
    missed: "Nobody got home. Which way must the gear with the mouse on the top row turn, so that the mouse looks up?",
    answer: "G2@P32(b=0)-90",
  },
  {
    id: "block",
    title: "One block, two ways",
    text: [
      "Your gears are all placed; from now on you only turn. Brass gears stand on R tiles, steel gears on L tiles: when brass turns left, steel turns right.",
      "It makes no difference which gear of a block you take: choosing a brass one and +90 is the same as a steel one and −90.",
    ],
    task: "Move three mice forward at once.",
    setup: SOLO,
    opening: [
      "G1@P31(b=2)-90",
      "G1@P21(b=2)-90",
      "G2@P11(b=0)-90",
      "G3@P12(b=2)+90",
      "G4@P32(b=2)+90",
      "G4@P13(b=1)-90",
      "G2@P23(b=2)-90",
      "G2@P33(b=1)-90",
      "G@P21:b=2 ; G@P11+90",
    ],
    met: (events) => events.filter((e) => (e.type === "jumped" && e.points === 10) || e.type === "escaped").length >= 3,
    missed: "Fewer than three mice moved forward. Try the other way round.",
    answer: "G@P11+90",
  },
  {
    id: "premove",
    title: "The pre-move",
    text: [
      "Before the block turns, you may set one single gear to any facing: the pre-move. Nobody jumps by that alone.",
      "It is the only way to change how two neighbours stand to each other, and often the way out.",
    ],
    task: "No plain turn brings a mouse home here. Find a pre-move that does.",
    setup: SOLO,
    opening: [
      "G3@P11(b=3)+90",
      "G4@P21(b=1)-90",
      "G4@P31(b=2)-90",
      "G2@P12(b=1)-90",
      "G2@P32(b=1)-90",
      "G2@P13(b=2)+90",
      "G1@P23(b=1)+90",
      "G1@P33(b=0)-90",
      "G@P13:b=3 ; G@P32+90",
    ],
    met: (events) => events.some((e) => e.type === "premoved") && events.some((e) => e.type === "escaped"),
    missed: "Not home yet. Press Pre-move, choose the gear of a mouse on the top row, and set where it looks.",
    answer: "G@P33:b=1 ; G@P11-90",
  },
  {
    id: "merge",
    title: "Against others: merge",
    text: [
      "In the Arena, yellow comes towards you from the far edge. As long as no gear of yours touches one of theirs, nobody can turn what is yours.",
      "A gear that touches both makes one block of two: from then on each of you may turn all of it.",
    ],
    task: "Place a gear that joins your block and yellow's.",
    setup: DUEL,
    opening: ["G4@P21(b=0)+90", "G4@P24(b=0)+90", "G4@P22(b=0)-90", "G3@P34(b=0)-90"],
    met: (events, before) =>
      events.some((e) => e.type === "turned" && e.gears.some(({ tile }) => before.data.gear_owners[tile] === "P2")),
    missed: "The blocks are still apart. One tile touches a gear of yours and a gear of theirs.",
    answer: "G2@P23(b=0)+90",
  },
  {
    id: "sabotage",
    title: "Sabotage",
    text: [
      "Points go to the mouse's owner, whoever moved. In a shared block your turn carries their mice too, and a mouse that jumps a row back costs its owner 10.",
      "The best turn brings yours forward and theirs back at once. Look at both outcomes before you choose.",
    ],
    task: "Gain points while yellow loses some.",
    setup: DUEL,
    opening: [
      "G3@P11(b=3)+90",
      "G2@P44(b=0)-90",
      "G3@P12(b=1)-90",
      "G4@P43(b=0)+90",
      "G1@P21(b=3)-90",
      "G3@P34(b=1)+90",
      "G4@P31(b=1)-90",
      "G4@P24(b=0)+90",
      "G2@P41(b=2)-90",
      "G2@P14(b=2)+90",
      "G2@P42(b=1)+90",
      "G1@P23(b=1)-90",
      "G1@P33(b=3)+90",
      "G1@P22(b=3)+90",
      "G4@P13(b=2)-90",
      "G3@P32(b=1)+90",
    ],
    met: (events, before) => {
      const gain = (player: PlayerId) =>
        events.reduce((n, e) => n + ("points" in e && of(before, e.mouse) === player ? e.points : 0), 0);
      return gain("P1") > 0 && gain("P2") < 0;
    },
    missed: "That was not it: one of the two ways helps you and hurts yellow.",
    answer: "G@P11+90",
  },
];
