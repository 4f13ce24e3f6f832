/**
 * The keys of one installation: the token keys and the keys that sign records are the same in every process, so that
 * each opens the seats that another gave. The first process that starts puts the files of its folder into Redis; the
 * others write what they find there into theirs (mode 0600), at the start and whenever it has changed. Folders that are
 * shared by other means already agree.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { keyIdOf, openRecordKeys, parseRecordKeys, restrictRecordKeys, SIGNER_FILE } from "../keys/recordKeys.ts";
import { openTokenKeys, parseTokenKeys, restrictTokenKeys, TOKEN_FILE } from "../keys/tokenKeys.ts";
import { readPrivate, replacePrivate } from "../privateFile.ts";
import type { Link } from "../store/redis/link.ts";

/** A key file: how one is made in a folder, and which keys a text holds. */
interface KeyFile {
  readonly name: string;
  make(dir: string): unknown;
  ids(text: string, from: string): readonly string[];
  /** `text` with what `by` has taken back of it. */
  restrict(text: string, by: string): string;
}

export const KEY_FILES: readonly KeyFile[] = [
  {
    name: TOKEN_FILE,
    make: openTokenKeys,
    ids: (text, from) => parseTokenKeys(text, from).map(({ id }) => id),
    restrict: restrictTokenKeys,
  },
  {
    name: SIGNER_FILE,
    make: openRecordKeys,
    ids: (text, from) => parseRecordKeys(text, from).map(keyIdOf),
    restrict: restrictRecordKeys,
  },
];

export function sharedKeyAt(prefix: string, name: string): string {
  return `${prefix}keys:${name}`;
}

/** Another process that begins in the same folder may just have made keys that it is about to replace. */
const ATTEMPTS = 10;
const AGAIN_MS = 50;

/** Rejects with StoreUnavailable when Redis is not there, with Error when `dir` holds keys of another installation. */
export async function shareKeys(link: Pick<Link, "run">, prefix: string, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const file of KEY_FILES) {
    for (let attempt = 1; !(await share(link, prefix, dir, file)); attempt++) {
      if (attempt === ATTEMPTS) {
        const [path, key] = [join(dir, file.name), sharedKeyAt(prefix, file.name)];
        throw new Error(`${path} is not the key of this installation; move it away, or delete ${key} in Redis`);
      }
      await sleep(AGAIN_MS);
    }
  }
}

/** False when the keys in the folder are none of those in Redis. */
async function share(link: Pick<Link, "run">, prefix: string, dir: string, file: KeyFile): Promise<boolean> {
  const key = sharedKeyAt(prefix, file.name);
  const path = join(dir, file.name);
  const own = readPrivate(path);
  let shared = await link.run((redis) => redis.get(key));
  if (shared === null) {
    if (own === null) file.make(dir);
    const made = readPrivate(path) ?? "";
    await link.run((redis) => redis.set(key, made, { condition: "NX" }));
    shared = await link.run((redis) => redis.get(key));
  }
  if (shared === null) throw new Error(`Redis does not keep ${key}`);
  if (own === shared) return true;
  if (own === null) {
    // What was made just now, and was not the first, has signed nothing.
    replacePrivate(path, shared);
    return true;
  }
  const [here, there] = [file.ids(own, path), file.ids(shared, key)];
  let agreed: string;
  // The same keys or fewer: a rotation that this folder has not seen. More: it was rotated without Redis.
  if (here.every((id) => there.includes(id))) agreed = file.restrict(shared, own);
  else if (there.every((id) => here.includes(id))) agreed = file.restrict(own, shared);
  else return false;
  // When somebody else was quicker in Redis, the next look settles it.
  if (agreed !== shared && !(await swapShared(link, key, shared, agreed))) return true;
  if (agreed !== own) replacePrivate(path, agreed);
  return true;
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
