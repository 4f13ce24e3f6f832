/** How the presets of behaviour change the house's brains: what they value, how far they look, how often they gamble. */
import { type StyleName, styleOf } from "../../shared/prompts/styles.ts";
import { WEIGHTS, type Weights } from "./evaluate.ts";

export interface Temper {
  readonly weights: Weights;
  /** Of the positions that a brain would look at otherwise. */
  readonly effort: number;
  /** Of a hundred turns, those in which any legal command is played. */
  readonly gambles: number;
}

export const EVEN: Temper = { weights: WEIGHTS, effort: 1, gambles: 0 };

const TEMPERS: Readonly<Record<StyleName, Temper>> = {
  sabotage: { ...EVEN, weights: { ...WEIGHTS, own: 0.7, rivals: 1.3 } },
  cooperate: { ...EVEN, weights: { ...WEIGHTS, rivals: -0.3 } },
  chaos: { ...EVEN, gambles: 50 },
  genius: { ...EVEN, effort: 4 },
  // Points in the hand, and nothing for what they may lead to.
  lazy: {
    effort: 0,
    gambles: 0,
    weights: { ...WEIGHTS, outside: 0, atTheDoor: 0, inPlay: 0, advance: 0, canAdvance: 0, canSidestep: 0, point: 1 },
  },
};

/** The temper of a seat's style; an even one for none. Throws for a text that names no preset. */
export function temperOf(style: string | null): Temper {
  if (style === null) return EVEN;
  const known = styleOf(style);
  if (known === null) throw new Error("this brain knows no such style");
  return TEMPERS[known.name];
}
