/** `?wait=turn` (PROTOCOL 6): answers when it is the seat's turn, the match is over or the seat given up, or after 50 s. */
import { seatWhileHeld } from "../../rooms/seating.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import type { MatchHandle } from "../handle.ts";

export const LONGEST_WAIT_MS = 50_000;

/** Resolves with whether the wait was in vain. `gone` aborts when the caller has gone. */
export function untilTurn(handle: MatchHandle, seat: PlayerId, gone: AbortSignal): Promise<{ waiting: boolean }> {
  const held = seatWhileHeld(handle.match, seat);
  const due = () => {
    const { engine, closed } = handle.match;
    if (held(handle.match) === null) return true;
    return closed || engine.phase === "over" || engine.currentPlayer === seat || engine.statuses[seat] !== "ACTIVE";
  };
  if (due()) return Promise.resolve({ waiting: false });
  return new Promise((resolve) => {
    // Whoever waits is there.
    const disconnect = handle.connect(seat);
    const end = () => {
      disconnect();
      clearTimeout(timer);
      gone.removeEventListener("abort", end);
      stop?.();
      resolve({ waiting: !due() });
    };
    const timer = setTimeout(end, LONGEST_WAIT_MS);
    gone.addEventListener("abort", end);
    const stop = handle.listen({ event: () => due() && end(), retired: end });
    if (stop === null || gone.aborted) end();
  });
}
