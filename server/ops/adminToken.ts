/**
 * Who may run the server by its own port: whoever can read its data folder. The token is made on first start and lies
 * there, as does the address under which this process answers.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { makePrivate, readPrivate, replacePrivate } from "../privateFile.ts";

export const ADMIN_TOKEN_FILE = "admin-token";
export const ADMIN_ADDRESS_FILE = "admin-address";

const FORM = /^gma1\.[\w-]{43}$/;

/** The token of the folder; makes one if there is none. Throws when the file holds something else. */
export function openAdminToken(dir: string): string {
  const path = join(dir, ADMIN_TOKEN_FILE);
  const text = readPrivate(path) ?? makePrivate(path, `gma1.${randomBytes(32).toString("base64url")}\n`);
  const token = text.trim();
  if (!FORM.test(token)) throw new Error(`${path} holds no admin token; move it away to have a new one made`);
  return token;
}

/** Notes where this process answers; returns what takes the note away. */
export function noteAddress(dir: string, address: string): () => void {
  const path = join(dir, ADMIN_ADDRESS_FILE);
  replacePrivate(path, `${address}\n`);
  return () => {
    // Not the note of a process that has started since.
    if (readPrivate(path)?.trim() === address) unlinkSync(path);
  };
}

/** What the folder says of the process that runs on it: null for what it does not say. */
export function readAdmin(dir: string): { readonly token: string | null; readonly address: string | null } {
  const read = (name: string) => readPrivate(join(dir, name))?.trim() ?? null;
  return { token: read(ADMIN_TOKEN_FILE), address: read(ADMIN_ADDRESS_FILE) };
}

/** Compares in a time that tells nothing of `token`. */
export function isSameToken(given: string, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
