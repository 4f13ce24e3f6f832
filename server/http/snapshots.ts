/** `?as=snapshots`: a match that is over as whole states, one a line, the state before the first move included. */
import { setImmediate as breathe } from "node:timers/promises";
import { LEVELS } from "../../shared/engine/index.ts";
import { classicState } from "../../shared/protocol/classic.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import { applyEntry, openMatch } from "../../shared/protocol/match.ts";
import { view } from "../../shared/protocol/view.ts";

/** Solo in the classic form, Arena in the native one, as a spectator sees them. Lets the rooms work in between. */
export async function* snapshots(entries: readonly LogEntry[]): AsyncGenerator<string> {
  const [first, ...rest] = entries;
  if (first?.type !== "created") return;
  let match = openMatch(first);
  for (const entry of rest) {
    match = applyEntry(match, entry).match;
    if (match.engine.phase === "waiting") continue;
    const state = view(match, null, { now: entry.at_ms, deadline: null, connected: new Set(), spectators: 0 });
    const id = match.seats[0]?.name ?? "";
    const told = match.engine.format === "solo" ? classicState(state, { id, levels: LEVELS.solo }) : state;
    yield `${JSON.stringify(told)}\n`;
    await breathe();
  }
}
