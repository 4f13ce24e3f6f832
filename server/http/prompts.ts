/** `GET /prompts/:mode/:player`: the system prompt of one seat, with the modules that it is made of. */
import { Router } from "express";
import { fragmentsFor, PROMPT_MODES, promptOf, readerOf } from "../../shared/prompts/index.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { sha256Hex } from "../../shared/protocol/hash.ts";
import { param } from "./common.ts";

export function promptsRouter(): Router {
  const router = Router();
  router.get("/prompts", (_req, res) => void res.json({ modes: PROMPT_MODES }));
  router.get("/prompts/:mode/:player", (req, res) => {
    const { ally } = req.query;
    const mode = param(req, "mode");
    const asked = readerOf(mode, param(req, "player"), typeof ally === "string" && ally !== "" ? ally : undefined);
    if (!asked.ok) throw new RefusalError(refuse(asked.code, asked.message));
    const fragments = fragmentsFor(asked.value);
    const prompt = promptOf(fragments);
    const { player, ally: partner } = asked.value;
    res.json({ mode, player, ally: partner, prompt, prompt_hash: sha256Hex(prompt), fragments });
  });
  return router;
}
