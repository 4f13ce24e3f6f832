/** Rooms by code: create, list, look, join, leave (PROTOCOL 6). */
import { Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { createRoomSchema, joinRoomSchema } from "../../shared/protocol/requests.ts";
import { LIST_STATUSES, roomRow } from "../summary.ts";
import { bodyOf, callerOf, granted, type HttpPorts, identityOf, limited, param } from "./common.ts";

/** Rooms of one answer. */
const LISTED = 100;

interface RoomList {
  readonly rooms: readonly ReturnType<typeof roomRow>[];
  readonly total: number;
}

export function roomsRouter(ports: HttpPorts): Router {
  const { gateway, service, tokens } = ports;
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
    if (status !== undefined && !LIST_STATUSES.some((s) => s === status)) {
      throw new RefusalError(refuse("bad_request", `status is one of ${LIST_STATUSES.join(", ")}`));
    }
    const rooms = gateway
      .holders()
      .filter(({ match }) => !match.options.private && !match.closed)
      .filter(({ match }) => status === undefined || match.engine.phase === status)
      .reverse();
    const own: RoomList = { rooms: rooms.slice(0, LISTED).map(roomRow), total: rooms.length };
    const { peers } = ports;
    // Another process asks for what is here alone.
    if (peers === null || peers.callerBehind(req) !== null) return void res.json(own);
    const lists = await peers.ask<RoomList>(`/api/v1/rooms${status === undefined ? "" : `?status=${status}`}`);
    const all = [own, ...lists.filter((list) => list !== null)];
    const rows = all.flatMap((list) => list.rooms).sort((a, b) => b.created_at_ms - a.created_at_ms);
    res.json({ rooms: rows.slice(0, LISTED), total: all.reduce((sum, { total }) => sum + total, 0) });
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
