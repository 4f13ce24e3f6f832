/** SHA-256 and RFC 8785 in one place, the same in Node and in the browser. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalizeJson from "canonicalize";

/** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The RFC 8785 form of a JSON value. */
export function canonicalize(value: unknown): string {
  const text = canonicalizeJson(value);
  if (text === undefined) throw new TypeError("not a JSON value");
  return text;
}

/** R11.2: what is published of a seed before the first move. */
export function seedCommitment(seed: string): string {
  return sha256Hex(seed);
}
