/**
 * The keys that sign records (PROTOCOL 10), as they lie in `record-key.json`: Ed25519, made on first start, readable by
 * this user alone. A key's id is its public half in hex, so a record names its signer and whoever trusts that key needs
 * nothing else. Of keys that sign no more only the public half is kept, for ever: what they signed stays checkable.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Signer } from "../../shared/protocol/record.ts";
import { makePrivate, readPrivate } from "../privateFile.ts";
import { earlier, isBelieved, periodSchema, signingAt } from "./period.ts";

export const SIGNER_FILE = "record-key.json";

/** A public key as the well-known list gives it: a JSON Web Key (RFC 8037). */
export interface PublicJwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly alg: "EdDSA";
  readonly use: "sig";
  readonly kid: string;
  readonly x: string;
}

/** `/.well-known/gearmice-keys.json` */
export interface KeyList {
  readonly keys: readonly PublicJwk[];
}

export interface RecordSigner extends Signer {
  /** The public halves of all keys that have signed or will, but for those that were unlisted; the newest first. */
  readonly keyList: KeyList;
}

const half = z.string().regex(/^[\w-]{43}$/);
const jwkSchema = z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: half, d: half.optional() });
const keySchema = jwkSchema.extend(periodSchema.shape);
/** What was written before keys had dates: one private key. */
const undatedSchema = jwkSchema
  .required()
  .transform((key) => ({ keys: [{ ...key, from_ms: 0, until_ms: null } as z.infer<typeof keySchema>] }));
const fileSchema = z.union([z.object({ keys: z.array(keySchema).min(1) }), undatedSchema]);

export type RecordKey = z.infer<typeof keySchema>;
export type RecordKeys = readonly RecordKey[];

export function keyIdOf({ x }: Pick<RecordKey, "x">): string {
  return Buffer.from(x, "base64url").toString("hex");
}

/** Reads the keys of `dir`, or makes the first one. Throws when the file is damaged or unreadable. */
export function openRecordKeys(dir: string): RecordKeys {
  const path = join(dir, SIGNER_FILE);
  return parseRecordKeys(readPrivate(path) ?? makePrivate(path, makeRecordKeys([freshKey(0)])), path);
}

/** Throws an Error that names `path` and quotes nothing. */
export function parseRecordKeys(text: string, path: string): RecordKeys {
  try {
    const { keys } = fileSchema.parse(JSON.parse(text));
    if (keys.some(({ d }) => d !== undefined) && keys.every(isWhole)) return keys;
  } catch {
    // Never the text of the error: it may quote the key.
  }
  throw new Error(`${path} holds no Ed25519 key; put the right file back, or move it away to have a new key made`);
}

/** Whether the halves belong together: what is published must verify what is signed. */
function isWhole(key: RecordKey): boolean {
  return key.d === undefined || createPublicKey(privateOf(key)).export({ format: "jwk" }).x === key.x;
}

function privateOf({ kty, crv, x, d }: RecordKey): KeyObject {
  return createPrivateKey({ format: "jwk", key: { kty, crv, x, d: d ?? "" } });
}

/** The signer at an instant. */
export function signerOf(keys: RecordKeys, nowMs: number): RecordSigner {
  const current = signingAt(keys, nowMs, ({ d }) => d !== undefined);
  if (current === null) throw new Error("there is no key to sign with");
  const key = privateOf(current);
  return {
    keyId: keyIdOf(current),
    sign: (message) => sign(null, message, key),
    keyList: {
      keys: keys
        .toReversed()
        .filter((one) => isBelieved(one, nowMs))
        .map((one) => ({
          ...{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" },
          ...{ kid: keyIdOf(one), x: one.x },
        })),
    },
  };
}

/** The signer whose keys lie in `dir`, as of now; makes a key if there is none. Throws as `openRecordKeys`. */
export function openSigner(dir: string): RecordSigner {
  return signerOf(openRecordKeys(dir), Date.now());
}

/** Gives the signer whose keys lie in `dir` now, whenever it is asked: the file is read when it has changed. */
export function followSigner(dir: string): () => RecordSigner {
  const path = join(dir, SIGNER_FILE);
  let seen = "";
  let keys: RecordKeys = [];
  return () => {
    const { mtimeMs, ino, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const now = `${mtimeMs} ${ino} ${size}`;
    if (now !== seen) keys = openRecordKeys(dir);
    seen = now;
    return signerOf(keys, Date.now());
  };
}

function makeRecordKeys(keys: RecordKeys): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/** The text of a file with one key more, which signs from `fromMs`. */
export function rotateRecordKeys(text: string, fromMs: number): string {
  return makeRecordKeys([...parseRecordKeys(text, SIGNER_FILE), freshKey(fromMs)]);
}

/** The text of a file without the private halves of keys that sign no more. */
export function retireRecordKeys(text: string, nowMs: number): string {
  const keys = parseRecordKeys(text, SIGNER_FILE);
  const current = signingAt(keys, nowMs, ({ d }) => d !== undefined);
  return makeRecordKeys(
    keys.map(({ d, ...rest }) =>
      d === undefined || (current !== null && rest.from_ms < current.from_ms) ? rest : { ...rest, d },
    ),
  );
}

/** The text of a file in which the key `id` is believed no more. Throws when there is none, or it is the one that signs. */
export function unlistRecordKey(text: string, id: string, nowMs: number): string {
  const keys = parseRecordKeys(text, SIGNER_FILE);
  const found = keys.find((key) => keyIdOf(key) === id);
  if (found === undefined) throw new Error(`there is no record key ${id}`);
  if (found === signingAt(keys, nowMs, ({ d }) => d !== undefined)) throw new Error("this key signs now: rotate first");
  return makeRecordKeys(keys.map((key) => (key === found ? { ...key, until_ms: nowMs - 1 } : key)));
}

/** The text of a file whose keys are good for no more than they are in another: what was taken back stays taken back. */
export function restrictRecordKeys(text: string, by: string): string {
  const others = parseRecordKeys(by, SIGNER_FILE);
  return makeRecordKeys(
    parseRecordKeys(text, SIGNER_FILE).map(({ d, ...key }) => {
      const other = others.find(({ x }) => x === key.x) ?? { ...key, d };
      const until_ms = earlier(key.until_ms, other.until_ms);
      return d === undefined || other.d === undefined ? { ...key, until_ms } : { ...key, until_ms, d };
    }),
  );
}

function freshKey(fromMs: number): RecordKey {
  const { x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { kty: "OKP", crv: "Ed25519", x: x ?? "", d: d ?? "", from_ms: fromMs, until_ms: null };
}
