/** Matches that begin in this page, by the same engine. */
import { createMatch, type Match, step } from "../../shared/engine/index.ts";
import type { Format } from "../../shared/engine/types.ts";

/** Entropy and the Orb draw from here; nobody else does. */
export const LOCAL_SEED = "0123456789abcdef0123456789abcdef";

export interface LocalSetup {
  readonly format: Format;
  readonly level: number;
  /** Left out: neither entropy nor Orb. */
  readonly events?: boolean;
}

/** A started match after `commands`, each of the player to move. Throws RangeError when one of them is refused. */
export function matchAfter(setup: LocalSetup, commands: readonly string[]): Match {
  const events = setup.events ?? false;
  const made = createMatch({ ...setup, seed: LOCAL_SEED, options: { orb: events, entropy: events } });
  if (!made.ok) throw new RangeError(made.message);
  let match = step(made.value, { type: "start" }).match;
  for (const command of commands) {
    const player = match.currentPlayer;
    const done = player === null ? null : step(match, { type: "command", player, command });
    if (done === null || !done.ok) throw new RangeError(`${command}: ${done?.message ?? "the match is over"}`);
    match = done.match;
  }
  return match;
}
