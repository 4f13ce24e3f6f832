/** `POST /sessions`: a Lab or Benchmark session for the one match that is created with it. */
import { Router } from "express";
import { levelOf } from "../../shared/engine/index.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { createSessionSchema } from "../../shared/protocol/requests.ts";
import type { Sessions } from "../accounts/sessions.ts";
import { bodyOf, type HttpPorts, identityOf, limited, rootOf, stored } from "./common.ts";

export function sessionsRouter(ports: HttpPorts, sessions: Pick<Sessions, "make">): Router {
  const router = Router();
  router.post("/sessions", limited(ports, "codes"), async (req, res) => {
    const { id: owner } = identityOf(req, ports.tokens);
    const request = bodyOf(req, createSessionSchema);
    const { mode, format = "solo", level = 1 } = request;
    if (levelOf(format, level) === null)
      throw new RefusalError(refuse("bad_options", `${format} has no level ${level}.`));
    const { id, expires_at } = await stored(sessions.make(owner, { ...request, format, level }));
    const how = format === "solo" ? "play" : `arena create --format ${format}`;
    // As it stands: what plays is the one thing that is left to say.
    const command = `npx gearmice ${how} --level ${level} --mode ${mode} --session ${id} --server ${rootOf(req)}`;
    res.status(201).json({ session_id: id, mode, format, level, command, expires_at });
  });
  return router;
}
