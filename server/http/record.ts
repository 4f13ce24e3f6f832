/** The signed record of a match that is over, and the keys it can be checked with (PROTOCOL 6 and 10). */
import { Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { MatchStore } from "../store/MatchStore.ts";
import { callerOf, granted, type HttpPorts, param } from "./common.ts";

export function recordRouter({ gateway }: HttpPorts, store: Pick<MatchStore, "record">): Router {
  const router = Router();
  router.get("/matches/:id/record", async (req, res) => {
    const { handle } = granted(await gateway.enter(param(req, "id"), callerOf(req)));
    const { id, engine } = handle.match;
    if (engine.phase !== "over") throw new RefusalError(refuse("match_not_over", "The record is made at the end."));
    const record = await store.record(id).catch(() => null);
    if (record === null) throw new RefusalError(refuse("unavailable", "The record is still being made.", 2));
    res.set({
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": `inline; filename="${id}.jsonl"`,
    });
    res.send(record);
  });
  return router;
}
