/** Matches that have no holder any more: over, or closed before they began. They are read from the store. */
import { type Answer, refuse } from "../shared/protocol/codes.ts";
import type { MatchId, RoomCode } from "../shared/protocol/ids.ts";
import { foldLog, type LiveMatch } from "../shared/protocol/match.ts";
import type { CodeKeeper } from "./codes.ts";
import type { GatewayPorts } from "./gateway.ts";
import { archivedHandle, type MatchHandle } from "./handle.ts";

/** Matches that are kept in memory, the latest that were asked for, and for how long: the store may throw them away. */
const KEPT = 200;
const KEPT_MS = 10 * 60_000;
/** Finished matches of the store's list in which a code is looked for. */
const FINISHED_ASKED = 200;

export type ArchivePorts = Pick<GatewayPorts, "clock" | "log" | "report" | "tokens"> & {
  readonly codes: Pick<CodeKeeper, "isPast">;
};

export class Archive {
  readonly #ports: ArchivePorts;
  readonly #kept = new Map<MatchId, { readonly match: LiveMatch; readonly untilMs: number }>();

  constructor(ports: ArchivePorts) {
    this.#ports = ports;
  }

  /** `not_found` when there is none, `unavailable` when it cannot be read or should have a holder. */
  async find(id: MatchId): Promise<Answer<{ readonly handle: MatchHandle }>> {
    const { tokens, clock, log, report } = this.#ports;
    const kept = this.#kept.get(id);
    let match = kept === undefined || kept.untilMs < clock.monotonicMs() ? undefined : kept.match;
    if (match === undefined) {
      this.#kept.delete(id);
      try {
        const entries = await log.read(id);
        if (entries === null) return refuse("not_found", "There is no such match.");
        match = foldLog(entries);
      } catch (error) {
        report.error(error, { match_id: id, at: "archive.find" });
        return refuse("unavailable", "The match cannot be read now; try again.", 1);
      }
      if (match.engine.phase !== "over" && !match.closed) {
        return refuse("unavailable", "Nobody holds this match now; try again.", 2);
      }
      this.#keep(match);
    }
    return { ok: true, handle: archivedHandle(match, tokens, () => clock.wallMs()) };
  }

  /** Whether a room of this code has been: known here, or by the store's list of finished matches. */
  async isPast(code: RoomCode): Promise<boolean> {
    const { codes, log } = this.#ports;
    if (await codes.isPast(code)) return true;
    const finished = await log.finished(FINISHED_ASKED).catch(() => []);
    return finished.some(({ room_code }) => room_code === code);
  }

  #keep(match: LiveMatch): void {
    this.#kept.set(match.id, { match, untilMs: this.#ports.clock.monotonicMs() + KEPT_MS });
    if (this.#kept.size <= KEPT) return;
    for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest);
  }
}
