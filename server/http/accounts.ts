/** Personal access codes (PROTOCOL 6): made by an identity, exchanged for its token anywhere. */
import { Router } from "express";
import { RefusalError } from "../../shared/protocol/codes.ts";
import { exchangeSchema } from "../../shared/protocol/requests.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { bodyOf, granted, type HttpPorts, identityOf, limited, stored } from "./common.ts";

export function accountsRouter(ports: HttpPorts, accounts: Accounts): Router {
  const { tokens, limits } = ports;
  const router = Router();
  router.post("/access-codes", limited(ports, "codes"), async (req, res) => {
    const identity = identityOf(req, tokens);
    const tooMany = await limits.take("codes", ports.addressOf(req), identity.id);
    if (tooMany) throw new RefusalError(tooMany);
    res.status(201).json(await stored(accounts.makeCode(identity)));
  });
  router.post("/access-codes/exchange", limited(ports, "identity"), async (req, res) => {
    const { code } = bodyOf(req, exchangeSchema);
    res.json(await exchanged(ports, accounts, code, ports.addressOf(req)));
  });
  return router;
}

/** The identity of a code, with its token. A code that is nobody's counts as a guess of that address. */
export async function exchanged(
  { tokens, limits }: Pick<HttpPorts, "tokens" | "limits">,
  accounts: Accounts,
  code: string,
  address: string,
) {
  const found = await stored(accounts.exchange(code));
  const guessed = found.ok ? null : await limits.take("miss", address);
  if (guessed) throw new RefusalError(guessed);
  const { identity, expires_at } = granted(found);
  return { token: tokens.issueIdentity(identity), ...identity, expires_at };
}
