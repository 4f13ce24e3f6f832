/** Presets of behaviour: texts for models, weights for the house's own brains (agents/brains/styles.ts). */

export const STYLE_NAMES = ["sabotage", "cooperate", "chaos", "genius", "lazy"] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

export interface Style {
  readonly name: StyleName;
  readonly title: string;
  readonly text: string;
}

export const STYLES: readonly Style[] = [
  {
    name: "sabotage",
    title: "Sabotage",
    text: "Your manner: sabotage. Hold your rivals back before you bring your own mice on. Of two commands prefer the one that turns a rival's mouse away from its exit, sends it backward, blocks its way or takes the base it wants; take points of your own where they cost you nothing. Never hurt your ally.",
  },
  {
    name: "cooperate",
    title: "Cooperate",
    text: "Your manner: cooperate. Look for commands that bring everyone on: your own mice first, and where you can choose, also those of the others. Never send a mouse backward when another command serves you nearly as well, and keep open the ways that others need.",
  },
  {
    name: "chaos",
    title: "Chaos",
    text: "Your manner: chaos. Be unpredictable. About every second turn play a legal command that nobody would expect, whatever it brings, and in between play well enough to stay in the match. Do not repeat yourself.",
  },
  {
    name: "genius",
    title: "Genius",
    text: "Your manner: genius. Take the time that your clock gives you. Work out the board after each of the commands you consider, the best reply of the next player, and your own next turn, and choose what is best after all of that. Check every base and direction twice before you answer.",
  },
  {
    name: "lazy",
    title: "Lazy",
    text: "Your manner: lazy. Do not look ahead. Take the first command that brings points in this very turn, and when you see none, any legal one. Keep your reasoning to a few words.",
  },
];

/** The preset of that name, whatever its case; null when there is none. */
export function styleOf(text: string): Style | null {
  const name = text.trim().toLowerCase();
  return STYLES.find((style) => style.name === name) ?? null;
}
