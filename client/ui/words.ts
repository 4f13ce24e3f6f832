/** What formats, players and refusals are called on the page. */
import type { Format, PlayerId } from "../../shared/engine/types.ts";
import type { NativeState, PlayerInfo } from "../../shared/protocol/state.ts";

export const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  solo: "Solo",
  "1v1": "Duel 1v1",
  "2v2": "Teams 2v2",
  ffa4: "Free for all",
};

export const FORMAT_PLAYERS: Readonly<Record<Format, string>> = {
  solo: "1 player",
  "1v1": "2 players",
  "2v2": "2 teams of 2",
  ffa4: "4 players",
};

/** One plain sentence for each room of the Playroom. */
export const PRESET_TEXTS: Readonly<Record<string, string>> = {
  "solo-trial": "You against the machine itself: free every mouse before the moves run out.",
  duel: "Two people, one small board. Share the code and play.",
  alliance: "Two against two. Your ally's gears turn with yours.",
  summit: "Four people, four edges, nobody's friend.",
  "david-goliath": "A quick first match against a house bot.",
  challenger: "The same bot on a wider board: more room, more plans.",
  oracle: "You and a friend against two house bots.",
  colosseum: "You alone among three house bots on the biggest board.",
  arena: "Two house bots on the smallest board. Lean back and watch.",
  titans: "Two house bots with room to think.",
  laboratory: "Four house bots in two teams.",
  pinnacle: "Four house bots on the biggest board.",
};

export function playerName(state: NativeState, player: PlayerId): string {
  const info = state.status.players[player];
  return info?.name ?? (info?.brain ? `House bot (${info.brain})` : player);
}

export function seatText(info: PlayerInfo): string {
  if (info.brain !== null) return `house bot · ${info.brain}`;
  if (!info.taken) return info.kind === "ai" ? "waiting for a program" : "free seat";
  return info.kind === "ai" ? (info.model ?? "program") : "person";
}

/** "P1", "P1 and P2", "P1, P2 and P3". */
export function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** R10.6: one decimal, halves up. */
export function oneDecimal(value: number): string {
  return (Math.floor(value * 10 + 0.5) / 10).toFixed(1);
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
