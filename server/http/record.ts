/** The record of a match (PROTOCOL 6 and 10), or its states one by one. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { parseMatchId } from "../../shared/protocol/ids.ts";
import type { MatchStore } from "../store/MatchStore.ts";
import { callerOf, granted, type HttpPorts, param, stored } from "./common.ts";
import { snapshots } from "./snapshots.ts";

const NDJSON = "application/x-ndjson; charset=utf-8";

export function recordRouter(ports: HttpPorts, store: Pick<MatchStore, "read">): Router {
  const { gateway, service, limits } = ports;
  const router = Router();

  const states = async (id: string, caller: ReturnType<typeof callerOf>) => {
    const { handle } = granted(await gateway.enter(id, caller));
    const { id: matchId, engine } = handle.match;
    if (engine.phase === "waiting") throw new RefusalError(refuse("match_not_started", "Nothing has been played yet."));
    if (engine.phase !== "over") throw new RefusalError(refuse("match_not_over", "Snapshots are of finished matches."));
    const tooMany = await limits.take("partial", caller.address);
    if (tooMany) throw new RefusalError(tooMany);
    const entries = await stored(store.read(matchId));
    if (entries === null) throw new RefusalError(refuse("not_found", "This match is kept no longer."));
    return snapshots(entries);
  };

  router.get("/matches/:id/record", async (req, res) => {
    const [id, caller, { as }] = [param(req, "id"), callerOf(req, ports), req.query];
    if (as === "snapshots") {
      const lines = await states(id, caller);
      res.set("Content-Type", NDJSON);
      return void (await pipeline(Readable.from(lines), res).catch(() => {}));
    }
    if (as !== undefined) throw new RefusalError(refuse("bad_request", "as can only be `snapshots`."));
    const { record } = granted(await service.record(caller, id));
    const name = parseMatchId(id) ?? "match";
    res.set({ "Content-Type": NDJSON, "Content-Disposition": `inline; filename="${name}.jsonl"` }).send(record);
  });
  return router;
}
