/**
 * Which other origins' pages may call. Nothing here acts on cookies; credentials are allowed all the same, because
 * Colyseus' SDK asks with them and a browser would then drop the answer.
 */
import type { RequestHandler } from "express";
import { RefusalError } from "../../shared/protocol/codes.ts";
import { FOREIGN_PAGE, isNamed, mayCall, type OriginSettings } from "../origin.ts";

const DAY_S = 86_400;

/** A page of another origin that is not named may look, which its browser hides from it, and do nothing. */
export function cors(settings: OriginSettings): RequestHandler {
  return (req, res, next) => {
    const origin = req.get("origin");
    if (origin === undefined) return next();
    if (settings.CORS_ORIGINS.length > 0) res.vary("Origin");
    if (!isNamed(origin, settings)) {
      const looks = req.method === "GET" || req.method === "HEAD" || req.method === "OPTIONS";
      if (!looks && !mayCall(req, settings)) throw new RefusalError(FOREIGN_PAGE);
      return next();
    }
    res.set({
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Credentials": "true",
      "Access-Control-Expose-Headers": "Retry-After, Location",
    });
    if (req.method !== "OPTIONS") return next();
    res.set({
      "Access-Control-Allow-Methods": "GET, POST",
      "Access-Control-Allow-Headers": "Authorization, Content-Type",
      "Access-Control-Max-Age": String(DAY_S),
    });
    res.sendStatus(204);
  };
}
