/** Six ways to think in the Arena. */
import { type Fragment, fragment } from "./fragment.ts";

export const arenaStrategies: readonly Fragment[] = [
  fragment("arena.advance", "Advance", [
    "Bring your own mice on: each row gained is +10, the exit is +10 more, and the first mouse out turns your points into efficiency.", // R6.5, R10.4
  ]),
  fragment("arena.collaborate", "Collaborate", [
    "Any mouse may ride on any player's gear: a base that you turn towards another's mouse carries it as well as your own. Where a turn helps both of you, it costs you nothing.", // R6.2
  ]),
  fragment("arena.isolate", "Isolate", [
    "Others may turn only blocks that hold a gear of theirs. As long as your block touches none of their gears, nobody but you can turn it.", // R2.6, R4.4
  ]),
  fragment("arena.merge", "Merge", [
    "A gear placed so that it touches a gear of another block makes one block of both: from then on everyone with a gear in it may turn all of it, and may place next to all of it.", // R2.4, R2.6, R4.3
  ]),
  fragment("arena.sabotage", "Sabotage", [
    "Points go to a mouse's owner whoever moved: turn a shared block so that a rival's mouse jumps backward and it is the rival who loses 10. A mouse of yours on the base it wants to reach keeps it where it is.", // R6.5, R3.6
  ]),
  fragment("arena.dual-purpose", "Dual purpose", [
    "All mice jump in every turn, so one command can bring yours forward and a rival's backward at once. Prefer such commands to those that do one of the two.", // R5.6
  ]),
];
