/** Scripts of room codes (PROTOCOL 1): free, handed out, reserved, a room's, or past. */
import { script } from "./script.ts";

/** Reserves a code that nobody has. KEYS code, past, handed; ARGV process, milliseconds. */
export const reserveCode = script<0 | 1>(`
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then return 0 end
redis.call('SET', KEYS[1], 'reserved:' .. ARGV[1], 'PX', ARGV[2])
return 1
`);

/** Gives a reservation back. KEYS code; ARGV process. */
export const releaseCode = script<0 | 1>(`
if redis.call('GET', KEYS[1]) ~= 'reserved:' .. ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

/**
 * Hands out a code that nobody has. Unix ms until which it can be redeemed, or 0.
 * KEYS code, past, handed; ARGV milliseconds, milliseconds for which it is told why it cannot be redeemed.
 */
export const handOutCode = script<number>(`
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then return 0 end
local now = redis.call('TIME')
local expires = now[1] * 1000 + math.floor(now[2] / 1000) + tonumber(ARGV[1])
redis.call('SET', KEYS[3], string.format('%d', expires), 'PX', ARGV[2])
return expires
`);

/** Reserves a code that was handed out. KEYS code, past, handed; ARGV process, milliseconds. */
export const redeemCode = script<"ok" | "used" | "expired" | "unknown">(`
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return 'used' end
local expires = redis.call('GET', KEYS[3])
if not expires then return 'unknown' end
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(expires) then return 'expired' end
redis.call('SET', KEYS[1], 'reserved:' .. ARGV[1], 'PX', ARGV[2])
return 'ok'
`);
