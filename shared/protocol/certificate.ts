/** Certificates (PROTOCOL 6) as a zod schema, and the check of one that needs no server. */
import { hexToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { FORMATS, PLAYER_STATUSES, PLAYERS, RESULTS } from "../engine/index.ts";
import { canonicalize, sha256Hex } from "./hash.ts";
import { KINDS } from "./log.ts";
import type { SignatureCheck } from "./recordVerify.ts";

export const CERTIFICATE_FORMAT = "gearmice-certificate/1";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();

export const certificateSchema = z.strictObject({
  certificate: z.literal(CERTIFICATE_FORMAT),
  id: z.uuid(),
  match_id: z.string(),
  record_hash: hash.describe("SHA-256 of the last line of the match's record, which it pins"),
  format: z.enum(FORMATS),
  level: z.number().int().positive(),
  kind: z.enum(KINDS),
  ranked: z.boolean().describe("false without Orb or entropy (R7.4)"),
  seat: z.enum(PLAYERS),
  player_id: z.string().describe("the same for one identity in all its matches"),
  name: z.string(),
  player_kind: z.enum(["human", "ai"]),
  model: z.string().nullable(),
  prompt_hash: z.string().nullable(),
  result: z.enum(RESULTS),
  won: z.boolean(),
  place: count,
  status: z.enum(PLAYER_STATUSES),
  score: count,
  escaped: count,
  rescued: z.number().describe("percent (R10.2)"),
  efficiency: z.number().describe("of the player (R10.3, R10.4)"),
  side_efficiency: z.number().describe("of the team in 2v2, else the player's"),
  turns: count,
  tokens: count,
  ended_at_ms: count,
  key_id: hash.describe("the Ed25519 public key that signed"),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});
export type Certificate = z.infer<typeof certificateSchema>;

export type CertificateVerdict =
  | { readonly ok: true; readonly certificate: Certificate; readonly signer: "known" | "unknown" }
  | { readonly ok: false; readonly problem: string };

/** Checks a certificate against its own key, and says whether that key (64 hex digits) is one of `keys`. */
export async function verifyCertificate(
  text: string,
  { keys, checkSignature }: { readonly keys: readonly string[]; readonly checkSignature: SignatureCheck },
): Promise<CertificateVerdict> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: "not JSON" };
  }
  const read = certificateSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { ok: false, problem: `${issue?.path.join(".") || "certificate"}: ${issue?.message}` };
  }
  const { signature, ...unsigned } = read.data;
  const message = hexToBytes(sha256Hex(canonicalize(unsigned)));
  if (!(await checkSignature(hexToBytes(unsigned.key_id), message, hexToBytes(signature)))) {
    return { ok: false, problem: "the signature does not fit" };
  }
  return { ok: true, certificate: read.data, signer: keys.includes(unsigned.key_id) ? "known" : "unknown" };
}
