/** Scripts of the ledger of certificates (server/ranking). */
import { script } from "./script.ts";

/**
 * Keeps a certificate and counts it, once: 0 when it was there. Efficiencies are compared as doubles; their text is exact.
 * KEYS certificates, board, row of the player; ARGV id, certificate, "1" when ranked, player, efficiency, row, end, won.
 */
export const addCertificate = script<0 | 1>(`
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
if ARGV[3] ~= '1' then return 1 end
redis.call('HINCRBY', KEYS[3], 'matches', 1)
redis.call('HINCRBY', KEYS[3], 'wins', ARGV[8])
local best = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[4]))
local new = tonumber(ARGV[5])
local ended = tonumber(redis.call('HGET', KEYS[3], 'ended'))
if best == nil or new > best or (new == best and tonumber(ARGV[7]) < ended) then
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
  redis.call('HSET', KEYS[3], 'best', ARGV[6], 'ended', ARGV[7])
end
return 1
`);
