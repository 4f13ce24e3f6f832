/** The record of a match (PROTOCOL 6 and 10): signed when it is over, before that what the caller may see of it. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { partialRecords } from "../partialRecords.ts";
import type { MatchStore } from "../store/MatchStore.ts";
import { callerOf, granted, type HttpPorts, param, stored } from "./common.ts";
import { snapshots } from "./snapshots.ts";

export function recordRouter(ports: HttpPorts, store: Pick<MatchStore, "read" | "record">): Router {
  const { gateway, limits } = ports;
  const partial = partialRecords(store);
  const router = Router();
  router.get("/matches/:id/record", async (req, res) => {
    const { handle, seat } = granted(await gateway.enter(param(req, "id"), callerOf(req, ports)));
    const { id, engine } = handle.match;
    if (engine.phase === "waiting") throw new RefusalError(refuse("match_not_started", "Nothing has been played yet."));
    const { as } = req.query;
    if (as !== undefined && as !== "snapshots") {
      throw new RefusalError(refuse("bad_request", "as can only be `snapshots`."));
    }
    if (as === "snapshots") {
      if (engine.phase !== "over")
        throw new RefusalError(refuse("match_not_over", "Snapshots are of finished matches."));
      const tooMany = await limits.take("partial", ports.addressOf(req));
      if (tooMany) throw new RefusalError(tooMany);
      const entries = await stored(store.read(id));
      res.set("Content-Type", "application/x-ndjson; charset=utf-8");
      await pipeline(Readable.from(snapshots(entries ?? [])), res).catch(() => {});
      return;
    }
    if (engine.phase === "playing") {
      const tooMany = await limits.take("partial", ports.addressOf(req));
      if (tooMany) throw new RefusalError(tooMany);
    }
    const asked = engine.phase === "over" ? store.record(id) : partial(handle.match, seat);
    const record = await asked.catch((error: unknown) => {
      if (error instanceof RefusalError) throw error;
      return null;
    });
    if (record === null) throw new RefusalError(refuse("unavailable", "The record cannot be read just now.", 2));
    res.set({
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": `inline; filename="${id}.jsonl"`,
    });
    res.send(record);
  });
  return router;
}
