/** Rooms by code: create, list, look, join, leave (PROTOCOL 6). */
import { Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { createRoomSchema, joinRoomSchema } from "../../shared/protocol/requests.ts";
import { LIST_STATUSES, roomInfo, roomRow } from "../summary.ts";
import { bodyOf, callerOf, granted, type HttpPorts, identityOf, limited, param } from "./common.ts";

/** Rooms of one answer. */
const LISTED = 100;

interface RoomList {
  readonly rooms: readonly ReturnType<typeof roomRow>[];
  readonly total: number;
}

export function roomsRouter(ports: HttpPorts): Router {
  const { gateway, tokens, limits } = ports;
  const router = Router();

  router.post("/codes", limited(ports, "codes"), async (req, res) => {
    identityOf(req, tokens);
    const handedOut = await gateway.handOutCode().catch(() => null);
    if (handedOut === null)
      throw new RefusalError(refuse("unavailable", "No code can be made just now; try again.", 1));
    res.status(201).json(handedOut);
  });

  router.post("/rooms", limited(ports, "create"), async (req, res) => {
    const identity = identityOf(req, tokens);
    const tooMany = await limits.take("create", ports.addressOf(req), identity.id);
    if (tooMany) throw new RefusalError(tooMany);
    const { ok: _, ...created } = granted(await gateway.create(identity, bodyOf(req, createRoomSchema)));
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

  /** A code that is not there counts as a guess. */
  const roomOf = async (req: Parameters<typeof param>[0]) => {
    const room = await gateway.room(param(req, "code"));
    if (!room.ok && room.code === "not_found") {
      const refusal = await limits.take("miss", ports.addressOf(req));
      if (refusal) throw new RefusalError(refusal);
    }
    return granted(room).holder;
  };

  router.get("/rooms/:code", limited(ports, "join"), async (req, res) => {
    res.json(roomInfo(await roomOf(req)));
  });

  router.post("/rooms/:code/join", limited(ports, "join"), async (req, res) => {
    const identity = identityOf(req, tokens);
    const request = bodyOf(req, joinRoomSchema);
    const { code } = await roomOf(req);
    const { ok: _, ...seated } = granted(await gateway.join(code, identity, request));
    res.json(seated);
  });

  router.post("/rooms/:code/leave", async (req, res) => {
    const { code } = await roomOf(req);
    res.json(granted(await gateway.leave(code, callerOf(req))));
  });

  return router;
}
