/** Throwing away what need not be kept (retention.ts), in rounds, by one of the processes. */
import { type MatchId, parseMatchId } from "../../../shared/protocol/ids.ts";
import { type Retention, settledBefore, tooOldBefore } from "../retention.ts";
import type { Keys } from "./keys.ts";
import type { Link } from "./link.ts";

const AT_ONCE = 100;

/** One round. Resolves with how many matches have gone; rejects with StoreUnavailable. */
export async function pruneFinished(link: Link, keys: Keys, retention: Retention, nowMs: number): Promise<number> {
  const gone = new Set<MatchId>();
  for (;;) {
    const ids = await expired(link, keys, retention, nowMs);
    let removed = 0;
    for (const id of ids) {
      const own = [keys.log(id), keys.match(id), keys.record(id), keys.ended, keys.unsealed];
      if ((await link.run((redis) => redis.pruneMatch(own, [id]))) === 0) continue;
      gone.add(id);
      removed++;
    }
    // What has not gone has no record yet; the next round finds it again.
    if (removed === 0 || ids.length < AT_ONCE) break;
  }
  if (gone.size > 0) await unlist(link, keys, gone);
  return gone.size;
}

/** Matches that are too old or too many, the oldest first. */
async function expired(link: Link, keys: Keys, retention: Retention, nowMs: number): Promise<MatchId[]> {
  const tooOld = tooOldBefore(retention, nowMs);
  const [old, surplus] = await link.run(async (redis) => {
    const limit = { BY: "SCORE", LIMIT: { offset: 0, count: AT_ONCE } } as const;
    const old = tooOld === null ? [] : await redis.zRange(keys.ended, "-inf", `(${tooOld}`, limit);
    const surplus = retention.matches === null ? 0 : (await redis.zCard(keys.ended)) - retention.matches;
    if (surplus <= old.length) return [old, []];
    const oldest = await redis.zRangeWithScores(keys.ended, 0, Math.min(surplus, AT_ONCE) - 1);
    const settled = settledBefore(retention, nowMs);
    return [old, oldest.filter(({ score }) => score < settled).map(({ value }) => value)];
  });
  return [...new Set([...old, ...surplus])].flatMap((id) => parseMatchId(id) ?? []).slice(0, AT_ONCE);
}

/** Takes matches off the list of the newest. */
async function unlist(link: Link, keys: Keys, gone: ReadonlySet<MatchId>): Promise<void> {
  const texts = await link.run((redis) => redis.lRange(keys.finished, 0, -1));
  for (const text of texts) {
    const { match_id } = JSON.parse(text) as { match_id: MatchId };
    if (gone.has(match_id)) await link.run((redis) => redis.lRem(keys.finished, 1, text));
  }
}
