/** Scripts that keep records: made once for each match, whoever makes them. */
import { KEPT_AT_HAND } from "../finishedList.ts";
import { script } from "./script.ts";

/**
 * Keeps a record unless there is one, and then lists the match as finished. Null when it was kept, else the one that
 * was there. KEYS record, unsealed, finished; ARGV id, record, summary.
 */
export const keepRecord = script<string | null>(`
local kept = redis.call('SET', KEYS[1], ARGV[2], 'NX')
if kept then
  redis.call('LPUSH', KEYS[3], ARGV[3])
  redis.call('LTRIM', KEYS[3], 0, ${KEPT_AT_HAND - 1})
end
redis.call('ZREM', KEYS[2], ARGV[1])
if kept then return false end
return redis.call('GET', KEYS[1])
`);

/** There is no record to make of this match. KEYS match, unsealed; ARGV id. */
export const keepNoRecord = script<0 | 1>(`
redis.call('HSET', KEYS[1], 'unsealable', '1')
return redis.call('ZREM', KEYS[2], ARGV[1])
`);

/** Matches that ended at least so many milliseconds ago and have no record yet. KEYS unsealed; ARGV milliseconds, limit. */
export const findUnsealed = script<readonly string[]>(`
local now = redis.call('TIME')
local before = now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(ARGV[1])
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', before, 'LIMIT', 0, tonumber(ARGV[2]))
`);

/**
 * Throws a match away that is over and whose record is made, or that has none to make: log, record and all. 1 when it
 * has gone. KEYS log, match, record, ended, unsealed; ARGV id.
 */
export const pruneMatch = script<0 | 1>(`
if redis.call('ZSCORE', KEYS[5], ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
return redis.call('ZREM', KEYS[4], ARGV[1])
`);
