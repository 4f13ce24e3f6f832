/** The record of a match (PROTOCOL 6 and 10): signed when it is over, before that what the caller may see of it. */
import { Router } from "express";
import type { PlayerId } from "../../shared/engine/index.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { MatchId } from "../../shared/protocol/ids.ts";
import { partialRecord } from "../../shared/protocol/record.ts";
import type { MatchStore } from "../store/MatchStore.ts";
import { callerOf, granted, type HttpPorts, param } from "./common.ts";

export function recordRouter({ gateway }: HttpPorts, store: Pick<MatchStore, "read" | "record">): Router {
  const router = Router();
  router.get("/matches/:id/record", async (req, res) => {
    const { handle, seat } = granted(await gateway.enter(param(req, "id"), callerOf(req)));
    const { id, engine } = handle.match;
    if (engine.phase === "waiting") throw new RefusalError(refuse("match_not_started", "Nothing has been played yet."));
    const record = await (engine.phase === "over" ? store.record(id) : partial(store, id, seat)).catch(() => null);
    if (record === null) throw new RefusalError(refuse("unavailable", "The record cannot be read just now.", 2));
    res.set({
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": `inline; filename="${id}.jsonl"`,
    });
    res.send(record);
  });
  return router;
}

/** What `viewer` may know of a match that is being played; verify refuses it. */
async function partial(store: Pick<MatchStore, "read">, id: MatchId, viewer: PlayerId | null): Promise<string | null> {
  const entries = await store.read(id);
  return entries && `${partialRecord(entries, viewer).join("\n")}\n`;
}
