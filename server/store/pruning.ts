/**
 * Throwing away what need not be kept (retention.ts): in rounds, each a day's folder at a time, from the newest day to the
 * oldest. Files tell by their own time when their match ended; a copy that has lost it keeps them longer, not shorter.
 */

import type { Reporter } from "../../rooms/ports.ts";
import type { MatchId } from "../../shared/protocol/ids.ts";
import type { FinishedList } from "./finishedList.ts";
import type { MatchFiles } from "./matchFiles.ts";
import { keepsAll, type Retention, settledBefore, tooOldBefore } from "./retention.ts";

interface RoundPorts {
  readonly files: MatchFiles;
  readonly list: FinishedList;
  readonly retention: Retention;
  /** Whether the match is running, or part of its log is still in the journal. */
  inJournal(id: MatchId): "no" | "over" | "running";
}

export interface PruningPorts extends RoundPorts {
  readonly report: Reporter;
  /** Begins a new segment of the journal, so that the one before is emptied. */
  renew(): void;
  /** There is a step to do. */
  wake(): void;
}

/** Rounds, now and again; none when all is kept. */
export class PruneRounds {
  readonly #ports: PruningPorts;
  #round: Round | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Where what was found in the journal stands: not looked for, asked to be emptied, or emptied for this round. */
  #journal: "untouched" | "renewing" | "renewed" = "untouched";
  #stopped = false;

  constructor(ports: PruningPorts) {
    this.#ports = ports;
  }

  begin(): void {
    if (keepsAll(this.#ports.retention) || this.#stopped) return;
    this.#round = new Round(this.#ports, Date.now());
    this.#ports.wake();
  }

  /** The journal has a new segment. */
  rotated(): void {
    if (this.#journal !== "renewing") return;
    this.#journal = "renewed";
    this.begin();
  }

  /** False when there is no more to do for now. */
  async step(): Promise<boolean> {
    if (this.#round === null) return false;
    if (await this.#round.step()) return true;
    const { removed, blocked } = this.#round;
    const { report, retention, renew } = this.#ports;
    this.#round = null;
    if (removed > 0) report.info("finished matches thrown away", { matches: removed });
    if (blocked && this.#journal === "untouched") {
      this.#journal = "renewing";
      renew();
      return false;
    }
    this.#journal = "untouched";
    if (!this.#stopped) this.#timer = setTimeout(() => this.begin(), retention.everyMs).unref();
    return false;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

class Round {
  readonly #ports: RoundPorts;
  readonly #nowMs: number;
  /** Newest first; null before the first step. */
  #days: string[] | null = null;
  /** Matches that are over and stay. */
  #kept = 0;
  removed = 0;
  /** Something is to go that lies in the journal: that must be emptied first. */
  blocked = false;

  constructor(ports: RoundPorts, nowMs: number) {
    this.#ports = ports;
    this.#nowMs = nowMs;
  }

  /** Looks through one day; false when the round is done. */
  async step(): Promise<boolean> {
    this.#days ??= await this.#ports.files.days();
    const day = this.#days.shift();
    if (day !== undefined) {
      await this.#lookAt(day);
      return true;
    }
    if (this.removed > 0) await this.#ports.list.prune((id) => this.#ports.files.hasLog(id), this.#isInJournal);
    return false;
  }

  readonly #isInJournal = (id: MatchId): boolean => this.#ports.inJournal(id) !== "no";

  async #lookAt(day: string): Promise<void> {
    const { files, retention, inJournal } = this.#ports;
    const nowMs = this.#nowMs;
    const tooOld = tooOldBefore(retention, nowMs) ?? Number.NEGATIVE_INFINITY;
    const settled = settledBefore(retention, nowMs);
    let left = 0;
    for (const { id, endedMs } of await files.matchesOf(day)) {
      const where = inJournal(id);
      const tooMany = retention.matches !== null && this.#kept >= retention.matches && endedMs < settled;
      if (where !== "running" && (endedMs < tooOld || tooMany)) {
        if (where === "no") {
          await files.remove(id);
          this.removed++;
          continue;
        }
        this.blocked = true;
      }
      if (where !== "running") this.#kept++;
      left++;
    }
    if (left === 0) await files.removeDay(day);
  }
}
