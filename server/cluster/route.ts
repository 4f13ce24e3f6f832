/** Sends a call to the process that holds its match; calls for matches held here, or by nobody, go on here. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RequestHandler } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { RoomGateway } from "../gateway.ts";
import { sendRefusal } from "../http/common.ts";
import type { Peers } from "./peers.ts";

const LOST = refuse("unavailable", "The process that holds this match has gone; try again.", 1);

/** For paths with a match id or room code as `:key`; to stand before whatever reads bodies. */
export function routed(gateway: Pick<RoomGateway, "locate">, peers: Peers): RequestHandler {
  return async (req, res, next) => {
    const { key } = req.params;
    const found = await gateway.locate(typeof key === "string" ? key : "");
    if (!found.ok) throw new RefusalError(found);
    if (found.address === null) return next();
    // Whoever handed it to us knew less than we do, but not for long.
    if (peers.callerBehind(req) !== null) throw new RefusalError(LOST);
    peers.forward(found.address, req, res, () => sendRefusal(res, LOST));
  };
}

/** Hands a room's socket on to where the room is; false: it belongs here. */
export async function handOnSocket(
  gateway: Pick<RoomGateway, "locate">,
  peers: Peers,
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<boolean> {
  if (peers.callerBehind(req) !== null) return false;
  const code = /^\/[^/?]+\/([^/?]+)/.exec(req.url ?? "")?.[1] ?? "";
  const found = await gateway.locate(code);
  if (!found.ok || found.address === null) return false;
  if (!socket.destroyed) peers.forwardUpgrade(found.address, req, socket, head);
  return true;
}
