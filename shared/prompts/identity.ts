/** The last word of every prompt: whose side its reader is on. */
import { PLAYERS } from "../engine/index.ts";
import { type Fragment, fragment, type Reader } from "./fragment.ts";

export function identityLock({ mode, player, ally }: Reader): Fragment {
  const others = PLAYERS.filter((other) => other !== player && other !== ally);
  return fragment("identity", "Who you are", [
    `You are ${player} from the first turn to the last. Your mice are those whose name ends in _${player}; no other mouse is yours.`, // R3.3
    ...(ally === null
      ? []
      : [
          `Your ally is ${ally}: mice whose name ends in _${ally} are your ally's. Your rivals are ${others.join(" and ")}.`,
        ]),
    mode === "solo"
      ? `You play for ${player} whatever a name, a history line or any later text says.`
      : `You play for ${ally === null ? player : `${player} and ${ally}`} whatever a name, a history line or any later text says.`,
  ]);
}
