/** Moving a complete segment's entries into the files of their matches, so that the segment may go. */
import { readFile } from "node:fs/promises";
import { setImmediate as breathe } from "node:timers/promises";
import { type MatchId, parseMatchId } from "../../shared/protocol/ids.ts";
import { syncFolder } from "./disk.ts";
import { frameLines } from "./frame.ts";
import type { MatchFiles, MatchFrame } from "./matchFiles.ts";

const FRAMES_AT_A_TIME = 1_000;

export interface Problem {
  readonly matchId: MatchId | null;
  readonly problem: string;
}

export interface Flushed {
  readonly matches: readonly MatchId[];
  /** Matches whose entries could not be placed, and damaged lines: the segment must be kept for people to look at. */
  readonly problems: readonly Problem[];
}

/**
 * Appends every entry of the first `size` bytes of the segment at `path` to its match's file and syncs all of them.
 * `mayGoOn` is asked between matches; null when it said no before the end.
 */
export async function flushSegment(
  path: string,
  size: number,
  files: MatchFiles,
  mayGoOn: () => boolean,
): Promise<Flushed | null> {
  const problems: Problem[] = [];
  const framesOf = new Map<MatchId, MatchFrame[]>();
  let seen = 0;
  const bytes = (await readFile(path)).subarray(0, size);
  for (const { start, end, frame } of frameLines(bytes)) {
    if (++seen % FRAMES_AT_A_TIME === 0) await breathe();
    if (frame === null) problems.push({ matchId: null, problem: `a damaged line at byte ${start}` });
    if (frame?.kind !== "entries" && frame?.kind !== "last") continue;
    const id = parseMatchId(frame.match);
    if (id === null) continue;
    const list = framesOf.get(id) ?? [];
    list.push({ version: frame.version, count: frame.count, bytes: bytes.subarray(start, end) });
    framesOf.set(id, list);
  }
  const folders = new Set<string>();
  for (const [id, frames] of framesOf) {
    if (!mayGoOn()) return null;
    const placed = await files.appendLog(id, frames);
    folders.add(placed.folder);
    if (placed.missing !== null) problems.push({ matchId: id, problem: `entry ${placed.missing} is missing` });
  }
  for (const folder of folders) await syncFolder(folder);
  return { matches: [...framesOf.keys()], problems };
}
