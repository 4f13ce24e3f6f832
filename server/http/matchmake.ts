/**
 * The Colyseus door's one HTTP call: `POST /matchmake/joinById/<code>` reserves a connection in a room that exists.
 * Colyseus' own route would also let anybody create rooms. Errors carry the envelope and, for the SDK, `message`.
 */
import express, { type Request, type Response, Router } from "express";
import { type Refusal, refuse, STATUS_OF } from "../../shared/protocol/codes.ts";
import { joinOptionsSchema, MAX_FRAME_BYTES } from "../../shared/protocol/requests.ts";
import { unreadable } from "../../shared/protocol/unreadable.ts";
import type { Colyseus } from "../colyseus.ts";
import type { HttpPorts } from "./common.ts";

export function matchmakeRouter(ports: HttpPorts, colyseus: Pick<Colyseus, "reserve">): Router {
  const { gateway, limits } = ports;
  const router = Router();
  router.post("/joinById/:code", express.json({ limit: MAX_FRAME_BYTES, type: () => true }), async (req, res) => {
    const address = ports.addressOf(req);
    const read = joinOptionsSchema.safeParse(req.body ?? {});
    if (!read.success) return refused(res, unreadable(read.error));
    const room = await gateway.room(String(req.params.code));
    if (!room.ok) {
      const tooMany = room.code === "not_found" ? await limits.take("miss", address) : null;
      return refused(res, tooMany ?? room);
    }
    const { holder } = room;
    if (read.data.seatToken !== undefined) {
      // A seat token is no guess: its owner may come back as often as the line breaks.
      const claim = holder.claim(read.data.seatToken);
      if (!claim.ok) return refused(res, claim);
    } else {
      const tooMany = await limits.take("join", address);
      if (tooMany) return refused(res, tooMany);
    }
    res.json(await colyseus.reserve(holder, read.data));
  });
  router.use((req: Request, res: Response) =>
    refused(res, refuse("not_found", `There is no ${req.method} ${req.originalUrl.slice(0, 100)}; only joinById.`)),
  );
  return router;
}

function refused(res: Response, refusal: Refusal): void {
  const { code, message, retry_after_s } = refusal;
  if (retry_after_s !== undefined) res.set("Retry-After", String(retry_after_s));
  res.status(STATUS_OF[code]).json({
    error: { code, message, ...(retry_after_s === undefined ? {} : { retry_after_s }) },
    message: `${code}: ${message}`,
  });
}
