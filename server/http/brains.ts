/** `GET /brains`: what the house's seats can be given to, and in which manners they play. */
import { Router } from "express";
import type { BotSupervisor } from "../../rooms/ports.ts";
import { STYLES } from "../../shared/prompts/styles.ts";

export function brainsRouter(bots: Pick<BotSupervisor, "offered">): Router {
  const router = Router();
  router.get("/brains", (_req, res) => void res.json({ brains: bots.offered(), styles: STYLES }));
  return router;
}
