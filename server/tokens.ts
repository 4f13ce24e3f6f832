/**
 * Signed tokens (PROTOCOL 1): `gm1.<use>.<key id>.<payload>.<mac>`, HMAC-SHA-256 with a key made on first start.
 * Nothing is stored for them, so they survive crashes and open the same seats in any process with the same keys.
 * Keys can be rotated: new tokens are signed with the newest, older keys still verify until they are removed.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { SeatClaim, SeatTokens } from "../rooms/ports.ts";
import { type IdentityId, type MatchId, parseMatchId } from "../shared/protocol/ids.ts";
import { playerSchema } from "../shared/protocol/requests.ts";

export const TOKEN_FILE = "token-keys.json";
const MAX_TOKEN = 1_024;

const keysSchema = z.object({
  current: z.string().regex(/^[a-z0-9]{4,16}$/),
  keys: z.record(z.string().regex(/^[a-z0-9]{4,16}$/), z.string().regex(/^[0-9a-f]{64}$/)),
});
export type TokenKeys = z.infer<typeof keysSchema>;

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

export function makeTokens(keys: TokenKeys): Tokens {
  const bytes = new Map(Object.entries(keys.keys).map(([id, hex]) => [id, Buffer.from(hex, "hex")]));
  const current = bytes.get(keys.current);
  if (current === undefined) throw new Error("the current token key is missing");

  const mac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const issue = (use: Use, payload: object) => {
    const body = `gm1.${use}.${keys.current}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}`;
    return `${body}.${mac(current, body).toString("base64url")}`;
  };
  const verify = <T>(use: Use, token: string, schema: z.ZodType<T>): T | null => {
    if (token.length > MAX_TOKEN) return null;
    const parts = token.split(".");
    const [version, given, keyId = "", payload = "", signature = ""] = parts;
    if (parts.length !== 5 || version !== "gm1" || given !== use) return null;
    const key = bytes.get(keyId);
    if (key === undefined) return null;
    const expected = mac(key, token.slice(0, token.lastIndexOf(".")));
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

/** Reads the keys of `dir`, or makes the first one (file mode 0600). */
export async function openTokenKeys(dir: string): Promise<TokenKeys> {
  const file = join(dir, TOKEN_FILE);
  try {
    return keysSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Never the text of the error: what JSON says of a damaged file quotes it.
    if (code === undefined) throw new Error(`${file} holds no token keys; put the right file back or move it away`);
    if (code !== "ENOENT") throw error;
  }
  return writeKeys(dir, withNewKey({ current: "", keys: {} }));
}

/** Signs with a new key from now on; tokens of the older keys stay good. */
export async function rotateTokenKeys(dir: string): Promise<TokenKeys> {
  return writeKeys(dir, withNewKey(await openTokenKeys(dir)));
}

function withNewKey(keys: TokenKeys): TokenKeys {
  const id = randomBytes(4).toString("hex");
  return { current: id, keys: { ...keys.keys, [id]: randomBytes(32).toString("hex") } };
}

async function writeKeys(dir: string, keys: TokenKeys): Promise<TokenKeys> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, TOKEN_FILE);
  const half = `${file}.${randomBytes(4).toString("hex")}.new`;
  const handle = await open(half, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(keys, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(half, file);
  return keys;
}
