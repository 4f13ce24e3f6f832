/** Rooms by code: create, list, look, join, leave (PROTOCOL 6). */
import { Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { createRoomSchema, joinRoomSchema } from "../../shared/protocol/requests.ts";
import { LIST_STATUSES } from "../summary.ts";
import { bodyOf, callerOf, granted, type HttpPorts, identityOf, limited, param } from "./common.ts";

export function roomsRouter(ports: HttpPorts): Router {
  const { gateway, service, everywhere, tokens } = ports;
  const router = Router();

  router.post("/codes", limited(ports, "codes"), async (req, res) => {
    identityOf(req, tokens);
    const handedOut = await gateway.handOutCode().catch(() => null);
    if (handedOut === null)
      throw new RefusalError(refuse("unavailable", "No code can be made just now; try again.", 1));
    res.status(201).json(handedOut);
  });

  router.post("/rooms", async (req, res) => {
    const { ok: _, ...created } = granted(await service.create(callerOf(req, ports), bodyOf(req, createRoomSchema)));
    res.status(201).location(`/api/v1/rooms/${created.code}`).json(created);
  });

  router.get("/rooms", async (req, res) => {
    const { status } = req.query;
    const asked = LIST_STATUSES.find((one) => one === status);
    if (status !== undefined && asked === undefined) {
      throw new RefusalError(refuse("bad_request", `status is one of ${LIST_STATUSES.join(", ")}`));
    }
    // Another process asks for what is here alone.
    const alone = ports.peers?.callerBehind(req) != null;
    res.json(await (alone ? service : everywhere).rooms(asked));
  });

  router.get("/rooms/:code", async (req, res) => {
    res.json(granted(await service.room(callerOf(req, ports), param(req, "code"))).room);
  });

  router.post("/rooms/:code/join", async (req, res) => {
    const request = bodyOf(req, joinRoomSchema);
    const { ok: _, ...seated } = granted(await service.join(callerOf(req, ports), param(req, "code"), request));
    res.json(seated);
  });

  router.post("/rooms/:code/leave", async (req, res) => {
    res.json(granted(await service.leave(callerOf(req, ports), param(req, "code"))));
  });

  return router;
}
