/** `GET /leaderboard` and `GET /certificates/:uuid` (PROTOCOL 6). */
import { Router } from "express";
import { z } from "zod";
import { FORMATS, levelOf } from "../../shared/engine/index.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { Ledger } from "../ranking/ledger.ts";
import { param, stored } from "./common.ts";

/** Lab matches are never ranked. */
const querySchema = z.object({
  kind: z.enum(["casual", "benchmark"]).default("benchmark"),
  format: z.enum(FORMATS).default("solo"),
  level: z.coerce.number<string>().int().positive().default(1),
  limit: z.coerce.number<string>().int().min(1).max(100).default(100),
});

export function rankingRouter(ledger: Pick<Ledger, "board" | "certificate">): Router {
  const router = Router();
  router.get("/leaderboard", async (req, res) => {
    const read = querySchema.safeParse(req.query);
    if (!read.success || levelOf(read.data.format, read.data.level) === null) {
      throw new RefusalError(refuse("bad_request", "There is no such leaderboard: ?kind=&format=&level=&limit="));
    }
    const { limit, ...board } = read.data;
    const rows = await stored(ledger.board(board, limit));
    // Equal efficiency is equal rank (R10.6).
    const rank = (efficiency: number) => 1 + rows.filter((row) => row.efficiency > efficiency).length;
    res.json({ ...board, rows: rows.map((row) => ({ rank: rank(row.efficiency), ...row })) });
  });
  router.get("/certificates/:uuid", async (req, res) => {
    const certificate = await stored(ledger.certificate(param(req, "uuid")));
    if (certificate === null) throw new RefusalError(refuse("not_found", "There is no such certificate."));
    res.json(certificate);
  });
  return router;
}
