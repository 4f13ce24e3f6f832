/** The Playroom's rooms, and which formats and levels a room of one's own may have. */
import { Router } from "express";
import { FORMATS, LEVELS, levelOf } from "../../shared/engine/index.ts";
import { PRESETS } from "../../shared/protocol/presets.ts";

export function presetsRouter(): Router {
  const router = Router();
  const levels = FORMATS.flatMap((format) =>
    LEVELS[format].map((level) => ({ format, level, dimensions: levelOf(format, level)?.dimensions ?? "" })),
  );
  router.get("/presets", (_req, res) => void res.json({ presets: PRESETS, levels }));
  return router;
}
