/** In whose name a token lets somebody call, for limits: one identity, or one seat. */
import type { Tokens } from "./tokens.ts";

/** Null for no token, and for one that is none of ours. */
export function whoOf(token: string | null, tokens: Pick<Tokens, "verify" | "verifyIdentity">): string | null {
  if (token === null) return null;
  const identity = tokens.verifyIdentity(token);
  if (identity !== null) return identity.id;
  const claim = tokens.verify(token);
  return claim && `${claim.match_id} ${claim.seat}`;
}
