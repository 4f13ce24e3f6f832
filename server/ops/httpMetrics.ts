/** What the HTTP door is asked, by the template of the route and never by the address: that may hold anything. */
import type { Request, RequestHandler, Response } from "express";
import { Counter, Histogram, type Registry } from "prom-client";

const METHODS = ["GET", "POST", "OPTIONS", "HEAD"];
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** To stand before everything else. A refusal's code is looked for in `res.locals.code`. */
export function httpMetrics(registry: Registry): RequestHandler {
  const registers = [registry];
  const requests = new Counter({
    name: "gearmice_http_requests_total",
    help: "Answered calls of the HTTP door, by route and status; route other: files, pages, and what there is not",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "gearmice_http_seconds",
    help: "From a call to its whole answer, by route; without streams and calls that wait for a turn",
    labelNames: ["route"],
    buckets: SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: "gearmice_http_refusals_total",
    help: "Refusals of the HTTP door, by code",
    labelNames: ["code"],
    registers,
  });
  return (req, res, next) => {
    const end = seconds.startTimer();
    res.once("finish", () => {
      const route = routeOf(req);
      const method = METHODS.includes(req.method) ? req.method : "other";
      requests.inc({ method, route, status: String(res.statusCode) });
      const { code } = res.locals;
      if (typeof code === "string") refusals.inc({ code });
      if (!isLong(req, res)) end({ route });
    });
    next();
  };
}

/** The template as the router has it, which is unique without where that hangs. */
function routeOf(req: Request): string {
  const path: unknown = req.route?.path;
  return typeof path === "string" ? path : "other";
}

function isLong(req: Request, res: Response): boolean {
  return req.query.wait !== undefined || String(res.getHeader("content-type") ?? "").includes("ndjson");
}
