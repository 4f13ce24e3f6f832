/** Scripts of the lease: who holds which match. */
import { LUA_KEY, NOBODY } from "./keys.ts";
import { script } from "./script.ts";

/** [id of the stream entry, [field name, JSON]] */
export type StreamEntry = readonly [id: string, fields: readonly string[]];

export type Adopted =
  | readonly [outcome: "none" | "held" | "lapsed"]
  | readonly [outcome: "ok", token: string, alive: string, entries: readonly StreamEntry[]];

/**
 * Renews the lease of a whole process, whatever number of matches it holds. 0: it had lapsed, so others may have
 * taken some of them. KEYS process, processes; ARGV process, milliseconds, address.
 */
export const renewLease = script<0 | 1>(`
local stood = redis.call('EXISTS', KEYS[1])
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
redis.call('SADD', KEYS[2], ARGV[1])
return stood
`);

/** Takes a task that no living process has. KEYS task, process; ARGV prefix, process. */
export const leadTask = script<0 | 1>(`${LUA_KEY}
local leader = redis.call('GET', KEYS[1])
if leader ~= ARGV[2] then
  if leader and redis.call('EXISTS', key('process', leader)) == 1 then return 0 end
  if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
  redis.call('SET', KEYS[1], ARGV[2])
end
return 1
`);

/** The living processes but the caller: id, address, id, address … KEYS processes; ARGV prefix, process. */
export const findPeers = script<readonly string[]>(`${LUA_KEY}
local found = {}
for _, process in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local address = process ~= ARGV[2] and redis.call('GET', key('process', process))
  if address then
    found[#found + 1] = process
    found[#found + 1] = address
  end
end
return found
`);

/** Those of some matches that are no longer the caller's. ARGV prefix, process, then id, token for each. */
export const findLost = script<readonly string[]>(`${LUA_KEY}
local lost = {}
for i = 3, #ARGV, 2 do
  local owner, token = unpack(redis.call('HMGET', key('match', ARGV[i]), 'owner', 'token'))
  if owner ~= ARGV[2] or token ~= ARGV[i + 1] then lost[#lost + 1] = ARGV[i] end
end
return lost
`);

/**
 * Takes a match and reads it in one step; the new token shuts out whoever held it. What is the caller's already is
 * taken again. Of those that are over only one that was not let go of is there to take.
 * KEYS log, match, process, held, processes; ARGV prefix, process, id, "over" or "open".
 */
export const adoptMatch = script<Adopted>(`${LUA_KEY}
local process, id = ARGV[2], ARGV[3]
local owner, over, alive = unpack(redis.call('HMGET', KEYS[2], 'owner', 'over', 'alive'))
if not owner then return {'none'} end
if ARGV[4] == 'over' then
  if not over or owner == '${NOBODY}' then return {'none'} end
elseif over then
  return {'none'}
end
if owner ~= process then
  if redis.call('EXISTS', key('process', owner)) == 1 then return {'held'} end
  if redis.call('EXISTS', KEYS[3]) == 0 then return {'lapsed'} end
end
local token = redis.call('HINCRBY', KEYS[2], 'token', 1)
redis.call('HSET', KEYS[2], 'owner', process)
if not over then
  redis.call('SREM', key('held', owner), id)
  redis.call('SADD', KEYS[4], id)
  redis.call('SADD', KEYS[5], process)
end
return {'ok', tostring(token), alive or '', redis.call('XRANGE', KEYS[1], '-', '+')}
`);

/** Gives a match to nobody. KEYS match, held, processes; ARGV prefix, process, id, token. */
export const releaseMatch = script<0 | 1>(`${LUA_KEY}
local owner, token, over = unpack(redis.call('HMGET', KEYS[1], 'owner', 'token', 'over'))
if owner ~= ARGV[2] or token ~= ARGV[4] then return 0 end
redis.call('HINCRBY', KEYS[1], 'token', 1)
redis.call('HSET', KEYS[1], 'owner', '${NOBODY}')
if not over then
  redis.call('SREM', KEYS[2], ARGV[3])
  redis.call('SADD', key('held', '${NOBODY}'), ARGV[3])
  redis.call('SADD', KEYS[3], '${NOBODY}')
end
return 1
`);

/** Where a match is. KEYS none; ARGV prefix, match id or "", room code or "". [id, over, living owner or "", its address] */
export const locateMatch = script<
  readonly [id: string, over: string, process: string, address: string] | null
>(`${LUA_KEY}
local id = ARGV[2]
if id == '' then
  id = redis.call('GET', key('code', ARGV[3]))
  if not id or string.sub(id, 1, 9) == 'reserved:' then id = redis.call('GET', key('past', ARGV[3])) end
  if not id then return false end
end
local owner, over = unpack(redis.call('HMGET', key('match', id), 'owner', 'over'))
if not owner then return false end
local address = redis.call('GET', key('process', owner))
if not address then owner = '' end
return {id, over or '0', owner, address or ''}
`);

/**
 * Matches that were held by processes which have gone, at most as many as asked for, picked at random so that
 * several processes rarely try the same; what such a process no longer holds it is forgotten for.
 * KEYS processes; ARGV prefix, limit.
 */
export const findOrphans = script<readonly string[]>(`${LUA_KEY}
local found, limit = {}, tonumber(ARGV[2])
for _, process in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if #found < limit and redis.call('EXISTS', key('process', process)) == 0 then
    local some = redis.call('SRANDMEMBER', key('held', process), limit - #found)
    if #some == 0 then redis.call('SREM', KEYS[1], process) end
    for _, id in ipairs(some) do found[#found + 1] = id end
  end
end
return found
`);
