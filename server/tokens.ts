/**
 * Signed tokens (PROTOCOL 1): `gm1.<use>.<key id>.<payload>.<mac>`, HMAC-SHA-256 with a key made on first start.
 * Nothing is stored for them, so they survive crashes and open the same seats in any process with the same keys.
 * Keys can be rotated (keys/): new tokens are signed with the newest, those of older keys are good until a stated time.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { SeatClaim, SeatTokens } from "../rooms/ports.ts";
import { type IdentityId, type MatchId, parseMatchId } from "../shared/protocol/ids.ts";
import { playerSchema } from "../shared/protocol/requests.ts";
import { isBelieved, signingAt } from "./keys/period.ts";
import type { TokenKeys } from "./keys/tokenKeys.ts";

const MAX_TOKEN = 1_024;

export interface Identity {
  readonly id: IdentityId;
  readonly name: string;
}

export interface Tokens extends SeatTokens {
  issueIdentity(identity: Identity): string;
  /** Null when the token is not ours, damaged or of another use. */
  verifyIdentity(token: string): Identity | null;
}

type Use = "id" | "seat";

const identitySchema = z.object({ id: z.string().min(1).max(64), name: z.string().min(1).max(256) });
const seatSchema = z.object({ m: z.string(), s: playerSchema, g: z.number().int().nonnegative() });

/** `keys`: those that hold now; asked for each token, since they may be rotated. `now`: Unix ms. */
export function makeTokens(keys: TokenKeys | (() => TokenKeys), now: () => number = Date.now): Tokens {
  const held = typeof keys === "function" ? keys : () => keys;
  const mac = (key: string, text: string) => createHmac("sha256", Buffer.from(key, "hex")).update(text).digest();
  const issue = (use: Use, payload: object) => {
    const current = signingAt(held(), now(), ({ key }) => key !== null);
    if (!current?.key) throw new Error("there is no token key to sign with");
    const body = `gm1.${use}.${current.id}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}`;
    return `${body}.${mac(current.key, body).toString("base64url")}`;
  };
  const verify = <T>(use: Use, token: string, schema: z.ZodType<T>): T | null => {
    if (token.length > MAX_TOKEN) return null;
    const parts = token.split(".");
    const [version, given, keyId = "", payload = "", signature = ""] = parts;
    if (parts.length !== 5 || version !== "gm1" || given !== use) return null;
    const signed = held().find(({ id }) => id === keyId);
    if (!signed?.key || !isBelieved(signed, now())) return null;
    const expected = mac(signed.key, token.slice(0, token.lastIndexOf(".")));
    const got = Buffer.from(signature, "base64url");
    if (got.length !== expected.length || !timingSafeEqual(got, expected)) return null;
    try {
      return schema.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
    } catch {
      return null;
    }
  };
  return {
    // `r` decides nothing; it makes every token a fresh one.
    issue: ({ match_id, seat, generation }: SeatClaim) =>
      issue("seat", { m: match_id, s: seat, g: generation, r: randomBytes(6).toString("base64url") }),
    verify(token) {
      const claim = verify("seat", token, seatSchema);
      const matchId: MatchId | null = claim && parseMatchId(claim.m);
      return claim && matchId ? { match_id: matchId, seat: claim.s, generation: claim.g } : null;
    },
    issueIdentity: ({ id, name }) => issue("id", { id, name }),
    verifyIdentity(token) {
      const identity = verify("id", token, identitySchema);
      return identity && { id: identity.id as IdentityId, name: identity.name };
    },
  };
}
