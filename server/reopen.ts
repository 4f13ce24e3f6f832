/**
 * Rooms of matches that are over, opened again (PROTOCOL 2): a room stays for 10 minutes after the end so that a
 * rematch can be asked for, also when its process has died meanwhile. It is opened when somebody asks for it, by
 * whichever process is asked; nothing of it costs time at a start.
 */
import { AFTER_OVER_MS } from "../rooms/lifetime.ts";
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { Clock, Reporter } from "../rooms/ports.ts";
import { type Answer, refuse } from "../shared/protocol/codes.ts";
import type { MatchId, RoomCode } from "../shared/protocol/ids.ts";
import type { LogEntry } from "../shared/protocol/log.ts";
import type { MatchClaims } from "./store/MatchStore.ts";

/** The room; a refusal when another process has it or it cannot be known; null when there is none to open. */
export type Reopened = Answer<{ readonly holder: MatchHolder }> | null;

export interface ReopenPorts {
  readonly claims: Pick<MatchClaims, "adoptOver" | "ownerOf" | "release" | "processId">;
  readonly clock: Pick<Clock, "wallMs">;
  readonly report: Reporter;
  /** Holds a match that is over; null when it cannot. */
  hold(id: MatchId, entries: readonly LogEntry[]): Promise<MatchHolder | null>;
}

const ELSEWHERE = refuse("unavailable", "This room is being opened again; try again.", 1);

export class Reopening {
  readonly #ports: ReopenPorts;
  readonly #running = new Map<MatchId, Promise<Reopened>>();

  constructor(ports: ReopenPorts) {
    this.#ports = ports;
  }

  async byCode(code: RoomCode): Promise<Reopened> {
    const { claims, report } = this.#ports;
    try {
      const found = await claims.ownerOf(code);
      if (found === null || !found.over) return null;
      if (found.processId !== null && found.processId !== claims.processId) return ELSEWHERE;
      return await this.byId(found.matchId);
    } catch (error) {
      report.error(error, { code, at: "gateway.reopen" });
      return ELSEWHERE;
    }
  }

  /** `endedAtMs`, if it is known, saves looking for rooms that have been closed long since. */
  async byId(id: MatchId, endedAtMs?: number): Promise<Reopened> {
    if (endedAtMs !== undefined && !this.#isRecent(endedAtMs)) return null;
    const running = this.#running.get(id) ?? this.#open(id).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  async #open(id: MatchId): Promise<Reopened> {
    const { claims, report, hold } = this.#ports;
    try {
      const entries = await claims.adoptOver(id);
      if (entries === null) return null;
      if (entries === "held") return ELSEWHERE;
      const last = entries.at(-1);
      const isOpen = last !== undefined && last.type !== "closed" && this.#isRecent(last.at_ms);
      const holder = isOpen ? await hold(id, entries) : null;
      if (holder !== null) return { ok: true, holder };
      await claims.release(id);
      return null;
    } catch (error) {
      report.error(error, { match_id: id, at: "gateway.reopen" });
      return ELSEWHERE;
    }
  }

  #isRecent(endedAtMs: number): boolean {
    return this.#ports.clock.wallMs() - endedAtMs < AFTER_OVER_MS;
  }
}
