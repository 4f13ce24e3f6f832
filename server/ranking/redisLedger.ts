/** The ledger that several processes share: a hash of certificates, a sorted set and a hash of rows for each board. */
import { certificateSchema } from "../../shared/protocol/certificate.ts";
import type { Link } from "../store/redis/link.ts";
import { type BoardRow, boardKey, type Ledger, rowOf } from "./ledger.ts";

/** The ledger under `prefix`; the link stays its owner's. */
export function redisLedger(link: Pick<Link, "run">, prefix: string): Ledger {
  const certificates = `${prefix}certificates`;
  const boardAt = (board: string) => `${prefix}board:${board}`;
  const rowAt = (board: string, player: string) => `${prefix}row:${board}:${player}`;
  return {
    add: (added) =>
      link.run(async (redis) => {
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
      link.run(async (redis) => {
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
      link.run(async (redis) => {
        const text = await redis.hGet(certificates, id);
        return text === null ? null : certificateSchema.parse(JSON.parse(text));
      }),
    close: async () => {},
  };
}
