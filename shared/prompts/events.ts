/** What chance does: in Solo alone (R7). */
import { type Fragment, fragment } from "./fragment.ts";

export const entropySolo: Fragment = fragment("entropy.solo", "Entropy", [
  "Once in a match, in the turn in which you place your last gear, after the block has turned: the gears of row H-1 are shuffled over the tiles they lie on, and each gets a random b. Then waiting mice enter and mice jump as ever.", // R7.1, R5.4
  "Mice stay on their gear and go where it goes.", // R7.1
  "The history tells it as `[EVENT] ⚠️ TOTAL ENTROPY: P32->P12(b=0), P12->P32(b=2)`: from where to where, with the new b.", // R7.1
  "So count on nothing in row H-1 before your last placement, and look at the board anew after it.",
]);

export const entropyArena: Fragment = fragment("entropy.arena", "Entropy", [
  "There is no entropy in the Arena: nothing moves but what players turn.", // R7.3
]);

export const orbSolo: Fragment = fragment("orb.solo", "The Orb", [
  "From turn 5 + 2 x (level - 1) on, as soon as a base is free at the end of a turn, a decoy mouse Orb_1 appears on a free base chosen by chance.", // R7.2
  "It rides and jumps as a mouse of P1 would and takes up the base it sits on, so it can stand in the way of yours; it brings no points and counts for nothing.", // R7.2
  "It never leaves: once it looks out over row H at its time to jump it is locked (`is_locked`) and never jumps again, but still turns with its gear.", // R7.2
  "In `data.mice` it has `owner` null and `is_decoy` true. The history tells of it as `Turn 5 [EVENT] 🔮 ORB ANOMALY INJECTED AT G4_Base_180 (P21)`: type of the gear, direction in degrees, tile.", // R7.2
]);
