/** `GET /seats`: where an identity sits, so that a program that has forgotten finds its matches again. */
import { Router } from "express";
import { callerOf, granted, type HttpPorts } from "./common.ts";

export function seatsRouter(ports: HttpPorts): Router {
  const router = Router();
  router.get("/seats", async (req, res) => {
    // Another process asks for what is here alone.
    const service = ports.peers?.callerBehind(req) ? ports.service : ports.everywhere;
    const { seats } = granted(await service.seats(callerOf(req, ports)));
    res.json({ seats });
  });
  return router;
}
