/**
 * Which other origins' pages may call. Nothing here acts on cookies; credentials are allowed all the same, because
 * Colyseus' SDK asks with them and a browser would then drop the answer.
 */
import type { RequestHandler } from "express";

const DAY_S = 86_400;

export function cors(origins: readonly string[]): RequestHandler {
  return (req, res, next) => {
    const origin = req.get("origin");
    if (origin === undefined || origins.length === 0) return next();
    res.vary("Origin");
    if (!origins.includes("*") && !origins.includes(origin)) return next();
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
