/**
 * Who an agent of the classic door is. One with an identity token is that identity, and `agent_id` names one of its
 * agents. One without is known by its `agent_id` and its address, as the classic protocol has it: enough to find its
 * game again, and its games are private, so that nobody else learns their ids.
 */
import { createHash } from "node:crypto";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { IdentityId } from "../../shared/protocol/ids.ts";
import { nameSchema } from "../../shared/protocol/requests.ts";
import { addressKey } from "../address.ts";
import type { Caller } from "../service/MatchService.ts";
import type { Tokens } from "../tokens.ts";

const NAMELESS = "agent";

export interface Agent {
  /** With the token in whose name the service is called. */
  readonly caller: Caller;
  /** The seat's name, by which several agents of one identity are told apart; null: any of them. */
  readonly name: string | null;
  /** Whether others may find its games. */
  readonly isPublic: boolean;
}

/** Throws `unauthorized` when neither a token nor an `agent_id` says who calls, or the token is none of ours. */
export function agentOf(
  { token, address }: { readonly token: string | null; readonly address: string },
  agentId: string | undefined,
  tokens: Pick<Tokens, "issueIdentity" | "verifyIdentity">,
): Agent {
  const name = agentId === undefined ? null : nameOf(agentId);
  if (token !== null) {
    if (tokens.verifyIdentity(token) === null) {
      throw new RefusalError(refuse("unauthorized", "This is no identity token; leave it out or get one."));
    }
    return { caller: { token, code: null, address }, name, isPublic: true };
  }
  if (agentId === undefined) {
    throw new RefusalError(refuse("unauthorized", "Say who you are: agent_id, or an identity token as bearer."));
  }
  const hash = createHash("sha256")
    .update(`${addressKey(address)} ${agentId}`)
    .digest("hex");
  const id = `a2a-${hash.slice(0, 40)}` as IdentityId;
  const own = tokens.issueIdentity({ id, name: name ?? NAMELESS });
  return { caller: { token: own, code: null, address }, name, isPublic: false };
}

/** An agent's id as a name that others are shown. */
export function nameOf(agentId: string): string {
  const read = nameSchema.safeParse([...agentId].slice(0, 32).join(""));
  return read.success ? read.data : NAMELESS;
}
