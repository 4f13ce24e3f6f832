/**
 * Throwing away what need not be kept (retention.ts): in rounds, each a day's folder at a time, from the newest day to the
 * oldest. Files tell by their own time when their match ended; a copy that has lost it keeps them longer, not shorter.
 */

import type { Reporter } from "../../rooms/ports.ts";
import type { MatchId } from "../../shared/protocol/ids.ts";
import { changedMs } from "./disk.ts";
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
  #isFirst = true;
  #timer: NodeJS.Timeout | null = null;
  /** Where what was found in the journal stands: not looked for, asked to be emptied, or emptied for this round. */
  #journal: "untouched" | "renewing" | "renewed" = "untouched";
  #stopped = false;

  constructor(ports: PruningPorts) {
    this.#ports = ports;
  }

  begin(): void {
    if (keepsAll(this.#ports.retention) || this.#stopped) return;
    this.#round = new Round(this.#ports, Date.now(), this.#isFirst);
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
    this.#isFirst = false;
    if (removed.size > 0) report.info("finished matches thrown away", { matches: removed.size });
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

/** Matches looked at in one step, so that what else the store has to do does not wait long. */
const AT_ONCE = 200;

class Round {
  readonly #ports: RoundPorts;
  readonly #nowMs: number;
  readonly #isFirst: boolean;
  /** Newest first; null before the first step. */
  #days: string[] | null = null;
  /** What is left of the day that is looked through, and whether anything of it stays. */
  #today: { readonly day: string; readonly matches: [id: MatchId, path: string][]; stays: boolean } | null = null;
  /** Matches that are over and stay. */
  #kept = 0;
  readonly removed = new Set<MatchId>();
  /** Something is to go that lies in the journal: that must be emptied first. */
  blocked = false;

  /** `isFirst` of this process: the one before may have been cut short. */
  constructor(ports: RoundPorts, nowMs: number, isFirst: boolean) {
    this.#ports = ports;
    this.#nowMs = nowMs;
    this.#isFirst = isFirst;
  }

  /** False when the round is done. */
  async step(): Promise<boolean> {
    const { files, list, inJournal } = this.#ports;
    this.#days ??= await files.days();
    if (this.#today === null) {
      const day = this.#days.shift();
      if (day === undefined) {
        const isThere = async (id: MatchId) => inJournal(id) !== "no" || (await files.hasLog(id));
        if (this.#isFirst) await list.keepOnly(isThere);
        else if (this.removed.size > 0) await list.keepOnly(async (id) => !this.removed.has(id));
        return false;
      }
      this.#today = { day, matches: await files.matchesOf(day), stays: false };
    }
    for (const [id, path] of this.#today.matches.splice(0, AT_ONCE)) {
      if (await this.#stays(id, path)) this.#today.stays = true;
    }
    if (this.#today.matches.length > 0) return true;
    if (!this.#today.stays) await files.removeDay(this.#today.day);
    this.#today = null;
    return true;
  }

  async #stays(id: MatchId, path: string): Promise<boolean> {
    const { files, retention, inJournal } = this.#ports;
    const where = inJournal(id);
    if (where === "running") return true;
    const endedMs = await changedMs(path);
    const isOld = endedMs < (tooOldBefore(retention, this.#nowMs) ?? Number.NEGATIVE_INFINITY);
    const isSurplus =
      retention.matches !== null && this.#kept >= retention.matches && endedMs < settledBefore(retention, this.#nowMs);
    if ((isOld || isSurplus) && where === "no") {
      await files.remove(id);
      this.removed.add(id);
      return false;
    }
    if (isOld || isSurplus) this.blocked = true;
    this.#kept++;
    return true;
  }
}
