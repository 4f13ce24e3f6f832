/** Rooms of the last minutes: those that are over and may be opened again, by code, and rematches, by the match before. */
import { AFTER_OVER_MS } from "../../rooms/lifetime.ts";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import type { Frame } from "./frame.ts";
import { Recent } from "./recent.ts";

export class RecentRooms {
  readonly #overByCode = new Recent<RoomCode>(AFTER_OVER_MS);
  readonly #rematches = new Recent<MatchId>(2 * AFTER_OVER_MS);

  /** The match under this code that is over. */
  over(code: RoomCode): MatchId | undefined {
    return this.#overByCode.get(code);
  }

  rematchOf(id: MatchId): MatchId | undefined {
    return this.#rematches.get(id);
  }

  noteCreated({ match_id, rematch_of, at_ms }: CreatedEntry): void {
    if (rematch_of !== null) this.#rematches.note(rematch_of, match_id, at_ms);
  }

  /** A room that was closed before its match began has nothing to open again. */
  noteOver(code: RoomCode, id: MatchId, last: LogEntry | undefined): void {
    if (last !== undefined && last.type !== "closed") this.#overByCode.note(code, id, last.at_ms);
  }

  noteFinished(code: RoomCode, id: MatchId, endedAtMs: number): void {
    this.#overByCode.note(code, id, endedAtMs);
  }

  /** What the frames of a segment tell, oldest first. */
  noteFrames(frames: readonly Frame[], codeOf: (id: MatchId) => RoomCode | undefined): void {
    for (const { kind, match, version, payload } of frames) {
      if (kind !== "last" && !(kind === "entries" && version === 0)) continue;
      const entries = JSON.parse(payload) as LogEntry[];
      const [first] = entries;
      if (first?.type === "created") this.noteCreated(first);
      const code = codeOf(match as MatchId);
      if (kind === "last" && code !== undefined) this.noteOver(code, match as MatchId, entries.at(-1));
    }
  }
}
