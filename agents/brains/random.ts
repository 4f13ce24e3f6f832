import { createRng, decodeMove, makeCommand, randomMove } from "../../shared/engine/index.ts";
import { type Brain, type BrainKind, turnSeed } from "./brain.ts";
import { searchPosition } from "./look.ts";

/** Every legal command equally likely. */
export const random: BrainKind = {
  name: "random",
  create(searchSeed): Brain {
    return {
      choose(view, seat) {
        const seed = turnSeed(searchSeed, view, seat);
        const position = searchPosition(view, seat, seed);
        return { command: makeCommand(decodeMove(position, randomMove(position, createRng(seed)))) };
      },
    };
  },
};
