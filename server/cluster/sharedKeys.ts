/**
 * The keys of one installation: the token keys and the keys that sign records are the same in every process, so that
 * each opens the seats that another gave. The first process that starts puts the files of its folder into Redis; the
 * others write what they find there into theirs (mode 0600), at the start and whenever it has changed. Folders that are
 * shared by other means already agree.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { keyIdOf, openRecordKeys, parseRecordKeys, SIGNER_FILE } from "../keys/recordKeys.ts";
import { openTokenKeys, parseTokenKeys, TOKEN_FILE } from "../keys/tokenKeys.ts";
import { readPrivate, replacePrivate } from "../privateFile.ts";
import type { Link } from "../store/redis/link.ts";

/** A key file: how one is made in a folder, and which keys a text holds. */
interface KeyFile {
  readonly name: string;
  make(dir: string): unknown;
  ids(text: string, from: string): readonly string[];
}

export const KEY_FILES: readonly KeyFile[] = [
  { name: TOKEN_FILE, make: openTokenKeys, ids: (text, from) => parseTokenKeys(text, from).map(({ id }) => id) },
  { name: SIGNER_FILE, make: openRecordKeys, ids: (text, from) => parseRecordKeys(text, from).map(keyIdOf) },
];

export function sharedKeyAt(prefix: string, name: string): string {
  return `${prefix}keys:${name}`;
}

/** Rejects with StoreUnavailable when Redis is not there, with Error when `dir` holds keys of another installation. */
export async function shareKeys(link: Pick<Link, "run">, prefix: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const { name, make, ids } of KEY_FILES) {
    const key = sharedKeyAt(prefix, name);
    const path = join(dir, name);
    const own = readPrivate(path);
    let shared = await link.run((redis) => redis.get(key));
    if (shared === null) {
      if (own === null) make(dir);
      const made = readPrivate(path) ?? "";
      await link.run((redis) => redis.set(key, made, { condition: "NX" }));
      shared = await link.run((redis) => redis.get(key));
    }
    if (shared === null) throw new Error(`Redis does not keep ${key}`);
    if (own === shared) continue;
    // What was made just now, and was not the first, has signed nothing.
    const [here, there] = [own === null ? [] : ids(own, path), ids(shared, key)];
    if (here.every((id) => there.includes(id))) {
      // The same keys or fewer: a rotation that this folder has not seen.
      replacePrivate(path, shared);
    } else if (own !== null && there.every((id) => here.includes(id))) {
      // Keys were rotated in this folder, without Redis.
      await swapShared(link, key, shared, own);
    } else {
      throw new Error(`${path} is not the key of this installation; move it away, or delete ${key} in Redis`);
    }
  }
}

const SWAP = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** Puts `after` in the place of `before`; false when something else stands there. */
export async function swapShared(
  link: Pick<Link, "run">,
  key: string,
  before: string,
  after: string,
): Promise<boolean> {
  return (await link.run((redis) => redis.eval(SWAP, { keys: [key], arguments: [before, after] }))) === 1;
}
