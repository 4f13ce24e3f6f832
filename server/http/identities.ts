/** Guests: a name and a token (PROTOCOL 6). Nothing is stored for them. */
import { Router } from "express";
import { v7 as uuidV7 } from "uuid";
import type { IdentityId } from "../../shared/protocol/ids.ts";
import { identitySchema } from "../../shared/protocol/requests.ts";
import { bodyOf, type HttpPorts, limited } from "./common.ts";

export function identitiesRouter(ports: HttpPorts): Router {
  const router = Router();
  router.post("/identities", limited(ports, "identity"), (req, res) => {
    const { name } = bodyOf(req, identitySchema);
    const id = uuidV7() as IdentityId;
    res.status(201).json({ token: ports.tokens.issueIdentity({ id, name }), id, name });
  });
  return router;
}
