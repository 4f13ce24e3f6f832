/** Scripts that write logs. Each is all or nothing: Redis runs it alone and stores its effects as one unit. */
import { LUA_KEY, PAST_MS, REMATCH_MS } from "./keys.ts";
import { script } from "./script.ts";

/**
 * Opens a log and claims it. KEYS log, match, code, unfinished, held, processes and, of a rematch, that of the match
 * before; ARGV prefix, process, id, code, entry.
 */
export const createLog = script<"ok" | "exists" | "code">(`
local process, id = ARGV[2], ARGV[3]
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return 'exists' end
local taken = redis.call('GET', KEYS[3])
if taken and taken ~= 'reserved:' .. process then return 'code' end
redis.call('XADD', KEYS[1], '1-0', 'e', ARGV[5])
redis.call('HSET', KEYS[2], 'owner', process, 'token', '1', 'code', ARGV[4])
redis.call('SET', KEYS[3], id)
redis.call('SADD', KEYS[4], id)
redis.call('SADD', KEYS[5], id)
redis.call('SADD', KEYS[6], process)
if KEYS[7] then redis.call('SET', KEYS[7], id, 'PX', ${REMATCH_MS}) end
return 'ok'
`);

/**
 * Appends entries if the caller still holds the match and knows its length: owner, token and length are checked in
 * the same step that writes. KEYS log, match; ARGV prefix, process, token, id, version, over ("1" or "0"), entries…
 */
export const appendLog = script<"ok" | "missing" | "notOwner" | "over" | "version">(`${LUA_KEY}
local id, version = ARGV[4], tonumber(ARGV[5])
local owner, token, over, code = unpack(redis.call('HMGET', KEYS[2], 'owner', 'token', 'over', 'code'))
if not owner then return 'missing' end
if owner ~= ARGV[2] or token ~= ARGV[3] then return 'notOwner' end
if over then return 'over' end
if redis.call('XLEN', KEYS[1]) ~= version then return 'version' end
for i = 7, #ARGV do
  redis.call('XADD', KEYS[1], string.format('%d-0', version + i - 6), 'e', ARGV[i])
end
if ARGV[6] == '1' then
  redis.call('HSET', KEYS[2], 'over', '1')
  redis.call('HDEL', KEYS[2], 'alive')
  redis.call('SREM', ARGV[1] .. 'unfinished', id)
  redis.call('SREM', key('held', owner), id)
  if redis.call('GET', key('code', code)) == id then redis.call('DEL', key('code', code)) end
  redis.call('SET', key('past', code), id, 'PX', ${PAST_MS})
  local now = redis.call('TIME')
  local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
  redis.call('ZADD', ARGV[1] .. 'unsealed', now_ms, id)
  redis.call('ZADD', ARGV[1] .. 'ended', now_ms, id)
end
return 'ok'
`);

/**
 * Undoes a creation whose outcome is unknown, also one that has yet to arrive: the id stays spent for an hour.
 * KEYS log, match, code, unfinished, held; ARGV prefix, process, id.
 */
export const discardLog = script<"ok" | "kept">(`
local process, id = ARGV[2], ARGV[3]
local owner, token = unpack(redis.call('HMGET', KEYS[2], 'owner', 'token'))
if owner and (owner ~= process or token ~= '1' or redis.call('XLEN', KEYS[1]) > 1) then return 'kept' end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[2], 'over', '1')
redis.call('PEXPIRE', KEYS[2], 3600000)
if redis.call('GET', KEYS[3]) == id then redis.call('DEL', KEYS[3]) end
redis.call('SREM', KEYS[4], id)
redis.call('SREM', KEYS[5], id)
return 'ok'
`);

/** Signs of life (R9.4) of matches that are still the caller's. ARGV prefix, process, then id, token, sign for each. */
export const noteAlive = script<number>(`${LUA_KEY}
local noted = 0
for i = 3, #ARGV, 3 do
  local match = key('match', ARGV[i])
  local owner, token, over = unpack(redis.call('HMGET', match, 'owner', 'token', 'over'))
  if owner == ARGV[2] and token == ARGV[i + 1] and not over then
    redis.call('HSET', match, 'alive', ARGV[i + 2])
    noted = noted + 1
  end
end
return noted
`);
