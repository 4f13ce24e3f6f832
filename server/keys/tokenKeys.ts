/** The keys that sign tokens, as they lie in `token-keys.json`: made on first start, readable by this user alone. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { makePrivate, readPrivate } from "../privateFile.ts";
import { earlier, isBelieved, periodSchema, type Rotation } from "./period.ts";

export const TOKEN_FILE = "token-keys.json";

const id = z.string().regex(/^[a-z0-9]{4,16}$/);
const secret = z.string().regex(/^[0-9a-f]{64}$/);
const keySchema = periodSchema.extend({
  id,
  /** Hex; null when its tokens are believed no more: then only its id is kept. */
  key: secret.nullable(),
});
/** What was written before keys had dates. */
const undatedSchema = z.object({ current: id, keys: z.record(id, secret) }).transform(({ current, keys }) => ({
  keys: Object.entries(keys).map(([id, key]) => ({ id, key, from_ms: id === current ? 1 : 0, until_ms: null })),
}));
const fileSchema = z.union([z.object({ keys: z.array(keySchema).min(1) }), undatedSchema]);

export type TokenKey = z.infer<typeof keySchema>;
export type TokenKeys = readonly TokenKey[];

/** Reads the keys of `dir`, or makes the first one. Throws when the file is damaged or unreadable. */
export function openTokenKeys(dir: string): TokenKeys {
  const path = join(dir, TOKEN_FILE);
  return parseTokenKeys(readPrivate(path) ?? makePrivate(path, makeTokenKeys([freshKey(0)])), path);
}

/** Throws an Error that names `path` and quotes nothing. */
export function parseTokenKeys(text: string, path: string): TokenKeys {
  try {
    const { keys } = fileSchema.parse(JSON.parse(text));
    if (keys.some(({ key }) => key !== null)) return keys;
  } catch {
    // Never the text of the error: what JSON says of a damaged file quotes it.
  }
  throw new Error(`${path} holds no token keys; put the right file back or move it away`);
}

function makeTokenKeys(keys: TokenKeys): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/** The text of a file with one key more; those before are believed until `untilMs`, no longer than they were anyway. */
export function rotateTokenKeys(text: string, { fromMs, untilMs }: Rotation, nowMs: number): string {
  const before = parseTokenKeys(text, TOKEN_FILE).map((key) => {
    const until_ms = Math.min(key.until_ms ?? Number.POSITIVE_INFINITY, Math.max(untilMs, fromMs));
    return isBelieved({ ...key, until_ms }, nowMs) ? { ...key, until_ms } : { ...key, until_ms, key: null };
  });
  return makeTokenKeys([...before, freshKey(fromMs)]);
}

/** The text of a file whose keys are good for no more than they are in another: what was taken back stays taken back. */
export function restrictTokenKeys(text: string, by: string): string {
  const others = parseTokenKeys(by, TOKEN_FILE);
  return makeTokenKeys(
    parseTokenKeys(text, TOKEN_FILE).map((key) => {
      const other = others.find(({ id }) => id === key.id) ?? key;
      return { ...key, key: other.key === null ? null : key.key, until_ms: earlier(key.until_ms, other.until_ms) };
    }),
  );
}

function freshKey(fromMs: number): TokenKey {
  return { id: randomBytes(4).toString("hex"), key: randomBytes(32).toString("hex"), from_ms: fromMs, until_ms: null };
}
