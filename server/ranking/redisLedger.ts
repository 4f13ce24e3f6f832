/** The ledger that several processes share: a hash of certificates, a sorted set and a hash of rows for each board. */
import { createClient, defineScript } from "redis";
import { StoreUnavailable } from "../../rooms/ports.ts";
import { certificateSchema } from "../../shared/protocol/certificate.ts";
import { type BoardRow, boardKey, type Ledger, rowOf } from "./ledger.ts";

/**
 * KEYS: certificates, board, row of the player. ARGV: id, certificate, "1" when ranked, player, efficiency, row, end,
 * won. What is there already is not counted again. Efficiencies are compared as doubles; their text is exact.
 */
const ADD = `
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
`;

const scripts = {
  addCertificate: defineScript({
    SCRIPT: ADD,
    NUMBER_OF_KEYS: 3,
    parseCommand(parser, keys: readonly string[], args: readonly string[]) {
      for (const key of keys) parser.pushKey(key);
      parser.push(...args);
    },
    transformReply: (reply: unknown) => Number(reply),
  }),
};

/** Rejects when Redis is not there. */
export async function openRedisLedger(url: string, prefix: string): Promise<Ledger> {
  const redis = createClient({ url, scripts, disableOfflineQueue: true, socket: { connectTimeout: 5_000 } });
  // Every call tells its own failure.
  redis.on("error", () => {});
  await redis.connect();
  const certificates = `${prefix}certificates`;
  const boardAt = (board: string) => `${prefix}board:${board}`;
  const rowAt = (board: string, player: string) => `${prefix}row:${board}:${player}`;
  const run = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (cause) {
      throw new StoreUnavailable("Redis did not do it", { cause });
    }
  };
  return {
    add: (added) =>
      run(async () => {
        for (const certificate of added) {
          const [board, row] = [boardKey(certificate), rowOf(certificate)];
          await redis.addCertificate(
            [certificates, boardAt(board), rowAt(board, row.player_id)],
            [
              certificate.id,
              JSON.stringify(certificate),
              certificate.ranked ? "1" : "0",
              row.player_id,
              String(row.efficiency),
              JSON.stringify(row),
              String(row.ended_at_ms),
              String(row.wins),
            ],
          );
        }
      }),
    board: (name, limit) =>
      run(async () => {
        const board = boardKey(name);
        const players = await redis.zRange(boardAt(board), 0, limit - 1, { REV: true });
        const rows = await Promise.all(players.map((player) => redis.hGetAll(rowAt(board, player))));
        return rows
          .map(
            ({ best, matches, wins }): BoardRow => ({
              ...JSON.parse(best ?? "{}"),
              matches: Number(matches),
              wins: Number(wins),
            }),
          )
          .sort((a, b) => b.efficiency - a.efficiency || a.ended_at_ms - b.ended_at_ms);
      }),
    certificate: (id) =>
      run(async () => {
        const text = await redis.hGet(certificates, id);
        return text === null ? null : certificateSchema.parse(JSON.parse(text));
      }),
    close: async () => redis.destroy(),
  };
}
