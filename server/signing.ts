/**
 * The key that signs records (PROTOCOL 10): Ed25519, made on first start, readable by this user alone.
 * Its id is its public key in hex, so a record names its signer and whoever trusts that key needs nothing else.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
  verify,
} from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { standings } from "../shared/engine/index.ts";
import { type LiveMatch, LogError } from "../shared/protocol/match.ts";
import { recordLines, type Signer } from "../shared/protocol/record.ts";
import type { SignatureCheck } from "../shared/protocol/recordVerify.ts";
import { codeOf } from "./store/disk.ts";
import type { FinishedMatch, Seal } from "./store/MatchStore.ts";

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
  readonly keyList: KeyList;
}

/** The signer whose key lies in `dir`; makes one if there is none. Throws when the file is damaged or unreadable. */
export function openSigner(dir: string): RecordSigner {
  const path = join(dir, SIGNER_FILE);
  const key = readKey(path) ?? makeKey(path);
  const jwk = createPublicKey(key).export({ format: "jwk" });
  const keyId = Buffer.from(jwk.x ?? "", "base64url").toString("hex");
  return {
    keyId,
    sign: (message) => sign(null, message, key),
    keyList: { keys: [{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid: keyId, x: jwk.x ?? "" }] },
  };
}

/** Ed25519 as Node has it. */
export const checkSignature: SignatureCheck = (publicKey, message, signature) => {
  const x = Buffer.from(publicKey).toString("base64url");
  try {
    return verify(null, message, createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } }), signature);
  } catch {
    return false; // 32 bytes that are no point of the curve
  }
};

/** A record is replayed in slices of this many milliseconds, so that rooms on the same thread stay responsive. */
const SLICE_MS = 4;

/** Makes and signs the record of a match that is over, for a store. */
export function makeSeal(signer: Signer): Seal {
  return async (entries) => {
    if (entries.at(-1)?.type === "closed") return null;
    const lines: string[] = [];
    const making = recordLines(entries, signer);
    for (let sliceEnd = performance.now() + SLICE_MS; ; ) {
      const next = making.next();
      if (next.done) return { lines, summary: summaryOf(next.value) };
      lines.push(next.value);
      if (performance.now() > sliceEnd) {
        await breathe();
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
  };
}

function summaryOf(match: LiveMatch): FinishedMatch {
  const { engine, tokens } = match;
  if (engine.result === null || match.ended_at_ms === null) throw new LogError(`match ${match.id} is not over`);
  const totals = Object.fromEntries(engine.players.map((p) => [p, tokens[p]?.total ?? 0]));
  return {
    match_id: match.id,
    room_code: match.code,
    format: engine.format,
    level: engine.level,
    kind: match.kind,
    preset: match.preset,
    private: match.options.private,
    ended_at_ms: match.ended_at_ms,
    result: engine.result,
    winner: standings(engine, { kind: match.kind, tokens: totals }).winner,
    seats: match.seats.map((s) => ({ seat: s.seat, kind: s.occupant ?? s.kind, name: s.name, brain: s.brain })),
  };
}

/** Null when there is none. */
function readKey(path: string): KeyObject | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
    // A copy out of a backup may have lost its mode.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const key = createPrivateKey({ format: "jwk", key: JSON.parse(text) });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Never the text of the error: it may quote the key.
  }
  throw new Error(`${path} holds no Ed25519 key; put the right file back, or move it away to have a new key made`);
}

function makeKey(path: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  const draft = `${path}.${randomUUID()}`;
  const fd = openSync(draft, "wx", 0o600);
  try {
    writeSync(fd, JSON.stringify(privateKey.export({ format: "jwk" })));
    fsyncSync(fd);
    // Never over a key that is there: whoever came first has signed with it.
    linkSync(draft, path);
    syncFolderOf(path);
    return privateKey;
  } catch (error) {
    const key = codeOf(error) === "EEXIST" ? readKey(path) : null;
    if (key === null) throw error;
    return key;
  } finally {
    closeSync(fd);
    unlinkSync(draft);
  }
}

function syncFolderOf(path: string): void {
  const fd = openSync(dirname(path), "r");
  fsyncSync(fd);
  closeSync(fd);
}
