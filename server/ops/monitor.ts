/**
 * Colyseus' own monitor, for looking only. As it comes it calls any method of any room by GET, edits states and throws
 * clients out: of its calls only its page, its list and one room's data pass, and the latter without what could be
 * used (socket ids) and with nothing but the public mirror of the match.
 */
import { matchMaker, type Room } from "@colyseus/core";
import { type RequestHandler, Router } from "express";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";

const ASSET = /^\/assets\/[\w.-]+$/;
/** The page makes its styles as it goes; nothing of it comes from elsewhere. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'; form-action 'none'";

/** What the monitor's package adds to every room. */
interface Inspected {
  getInspectData(): Promise<{
    readonly roomId: string;
    readonly maxClients: number;
    readonly locked: boolean;
    readonly clients: readonly { readonly elapsedTime: number }[];
    readonly state: unknown;
    readonly stateSize: number;
  }>;
}

export function monitorRouter(): Router {
  let page: Promise<RequestHandler> | null = null;
  const router = Router();
  router.use((_req, res, next) => {
    res.set({ "Content-Security-Policy": POLICY, "Cache-Control": "no-store" });
    next();
  });
  router.get("/api/room", async (req, res) => {
    await loaded();
    const room = matchMaker.getLocalRoomById(String(req.query.roomId)) as (Room & Inspected) | undefined;
    if (room === undefined) throw new RefusalError(refuse("not_found", "There is no such room here."));
    const { roomId, maxClients, locked, clients, state, stateSize } = await room.getInspectData();
    const shown = clients.map(({ elapsedTime }, i) => ({ sessionId: `connection ${i + 1}`, elapsedTime }));
    // A room that nobody has entered has no mirror yet.
    res.json({ roomId, maxClients, locked, clients: shown, state: state ?? {}, stateSize });
  });
  router.use(async (req, res, next) => {
    const passes = req.method === "GET" && (req.path === "/" || req.path === "/api" || ASSET.test(req.path));
    if (!passes) throw new RefusalError(refuse("forbidden", "The monitor is for looking only."));
    (await loaded())(req, res, next);
  });
  return router;

  /** Loaded with the first who asks: it is not small, and changes rooms' prototype. */
  function loaded(): Promise<RequestHandler> {
    page ??= import("@colyseus/monitor").then(({ monitor }) => monitor() as unknown as RequestHandler);
    return page;
  }
}
