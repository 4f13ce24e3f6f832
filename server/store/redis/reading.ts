/** Reading logs. Anybody may, whoever holds the match. */
import { type MatchId, parseMatchId } from "../../../shared/protocol/ids.ts";
import type { LogEntry } from "../../../shared/protocol/log.ts";
import { elapsedInTurn } from "../alive.ts";
import type { UnfinishedMatch } from "../MatchStore.ts";
import type { Keys } from "./keys.ts";
import type { Link } from "./link.ts";
import { entriesOf, signOf } from "./stored.ts";

const SCANNED_AT_ONCE = 200;

/** The whole log, or null when there is none. */
export async function readLog(link: Link, keys: Keys, id: MatchId): Promise<LogEntry[] | null> {
  const stream = await link.run((redis) => redis.xRange(keys.log(id), "-", "+"));
  if (stream === null || stream.length === 0) return null;
  return entriesOf(stream.map((entry) => [entry.id, ["e", entry.message.e ?? ""]]));
}

/** Null when it has ended meanwhile. */
export async function readUnfinished(link: Link, keys: Keys, id: MatchId): Promise<UnfinishedMatch | null> {
  const [entries, [over, alive]] = await Promise.all([
    readLog(link, keys, id),
    link.run((redis) => redis.hmGet(keys.match(id), ["over", "alive"])),
  ]);
  if (entries === null || over === "1") return null;
  return { matchId: id, entries, aliveElapsedMs: elapsedInTurn(entries, signOf(alive)) };
}

/** The ids of all matches that are not over, in portions; some may come twice. */
export async function* scanUnfinished(link: Link, keys: Keys): AsyncGenerator<MatchId[]> {
  let cursor = "0";
  do {
    const from = cursor;
    const found = await link.run((redis) => redis.sScan(keys.unfinished, from, { COUNT: SCANNED_AT_ONCE }));
    cursor = found.cursor;
    yield found.members.flatMap((member) => parseMatchId(member) ?? []);
  } while (cursor !== "0");
}
