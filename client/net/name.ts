/** Guests get a name until they choose one. */
import { saveName } from "./storage.ts";

const FIRST = ["Brass", "Copper", "Nimble", "Quiet", "Clever", "Silver", "Rusty", "Merry", "Swift", "Velvet"];
const SECOND = ["Cog", "Whisker", "Sprocket", "Pinion", "Ratchet", "Nibble", "Tinker", "Flywheel", "Spindle", "Crumb"];

/** Makes a name such as "Brass Whisker" and keeps it. */
export function inventName(random: () => number = Math.random): string {
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? words[0];
  const name = `${pick(FIRST)} ${pick(SECOND)}`;
  saveName(name);
  return name;
}
