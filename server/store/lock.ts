/**
 * One process per data folder. The lock is a file with the holder's pid and start time: it survives `kill -9` and
 * is then taken over, since no process with that pid and start time lives. A holder on another machine (a shared
 * volume, another container) cannot be looked up; it counts as alive as long as it touches its file.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "./disk.ts";

const TOUCH_EVERY_MS = 5_000;
const SILENT_AFTER_MS = 20_000;
/** Two processes that take over a dead holder's lock at once both look again after this time; the last one stays. */
const SETTLE_MS = 50;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process as the system counts it; null where it cannot be read. */
  readonly started: string | null;
  readonly token: string;
}

export class DataDirLocked extends Error {
  override readonly name = "DataDirLocked";
}

export interface FolderLock {
  release(): void;
}

/** Locks `dir` or throws DataDirLocked. `onLost` is called when another process has taken the lock away. */
export async function lockFolder(dir: string, onLost: () => void): Promise<FolderLock> {
  const path = join(dir, "lock");
  const me: Holder = { pid: process.pid, host: hostname(), started: startTime("self"), token: randomUUID() };
  const draft = `${path}.${me.token}`;
  writeFileSync(draft, JSON.stringify(me), { mode: 0o600 });
  try {
    linkSync(draft, path);
    unlinkSync(draft);
  } catch (error) {
    const holder = codeOf(error) === "EEXIST" ? read(path) : null;
    if (codeOf(error) !== "EEXIST" || (holder !== null && isAlive(holder, path))) {
      unlinkSync(draft);
      if (holder === null) throw error;
      throw new DataDirLocked(`${dir} is in use by process ${holder.pid} on ${holder.host}`);
    }
    renameSync(draft, path);
    await sleep(SETTLE_MS);
    if (read(path)?.token !== me.token) throw new DataDirLocked(`${dir} was taken by another process`);
  }
  heldHere.add(me.token);

  const mine = () => read(path)?.token === me.token;
  const timer = setInterval(() => {
    try {
      if (!mine()) return stop(onLost);
      utimesSync(path, new Date(), new Date());
    } catch {
      // A disk that refuses this also refuses the journal's writes, which answer for it.
    }
  }, TOUCH_EVERY_MS).unref();
  const stop = (then: () => void) => {
    clearInterval(timer);
    heldHere.delete(me.token);
    then();
  };
  return {
    release: () =>
      stop(() => {
        if (mine()) unlinkSync(path);
      }),
  };
}

/** Tokens held by this very process: its own pid in a lock file may also be a remnant of a container restarted. */
const heldHere = new Set<string>();

function isAlive(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) return Date.now() - statSync(path).mtimeMs < SILENT_AFTER_MS;
  if (holder.pid === process.pid) return heldHere.has(holder.token);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
  }
  const started = startTime(String(holder.pid));
  return started === null || holder.started === null || started === holder.started;
}

/** Field 22 of /proc/<pid>/stat, "dead" for a zombie; the name in field 2 may hold blanks and brackets. */
function startTime(pid: string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "dead" : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** Null when there is no lock or it is damaged (cut short by a crash): then nobody holds it. */
function read(path: string): Holder | null {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, "utf8"));
    const known = typeof holder === "object" && holder !== null && "pid" in holder && "host" in holder;
    return known && Number.isInteger(holder.pid) && Number(holder.pid) > 0 ? (holder as Holder) : null;
  } catch {
    return null;
  }
}
