/** R9.4: how long the mover's clock had run when the process that held the match was last known to live. */
import type { LogEntry } from "../../shared/protocol/log.ts";
import { applyEntry, LogError, openMatch } from "../../shared/protocol/match.ts";

/** A sign of life: `elapsedMs` of the mover's clock, noted when the log had `version` entries. */
export interface AliveSign {
  readonly version: number;
  readonly elapsedMs: number;
}

/**
 * Milliseconds the present mover's clock had run in the present turn at the last sign of life; null when there was
 * none in this turn. A stored refusal that left the turn to its player is a sign of life too.
 */
export function elapsedInTurn(entries: readonly LogEntry[], sign: AliveSign | null): number | null {
  const began = turnBegan(entries);
  if (began === null) return null;
  const signs = sign !== null && sign.version >= began ? [sign.elapsedMs] : [];
  for (const entry of entries.slice(began)) if (entry.type === "refused") signs.push(entry.elapsed_ms);
  return signs.length === 0 ? null : Math.max(...signs);
}

/** Version at which the present turn of the present mover began; null when nobody is to move. */
function turnBegan(entries: readonly LogEntry[]): number | null {
  const last = entries.findLastIndex((e) => e.type === "turn" || e.type === "start");
  if (last < 0) return null;
  const after = entries.slice(last + 1);
  // A turn that ended the match is followed by nothing, so nobody asks for its clock.
  if (after.length === 0) return entries.length;
  // Whether a refusal lost the turn (R8.2, R8.3), or who leaves was the mover (R9.3), is for the rules to say.
  const [first, ...rest] = entries;
  if (first?.type !== "created") return null;
  try {
    let match = openMatch(first);
    let began = 1;
    for (const entry of rest) {
      const { turn, currentPlayer } = match.engine;
      match = applyEntry(match, entry).match;
      if (match.engine.turn !== turn || match.engine.currentPlayer !== currentPlayer) began = match.version;
    }
    return match.engine.phase === "playing" ? began : null;
  } catch (error) {
    if (error instanceof LogError) return null;
    throw error;
  }
}
