/**
 * What stays small and must outlive the process: accounts, access codes, sessions. One JSON file of this process
 * (lowdb writes a new file and renames it), or keys in Redis when several processes share it.
 */
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import { StoreUnavailable } from "../../rooms/ports.ts";
import type { Link } from "../store/redis/link.ts";

export const SMALL_FILE = "accounts.json";

export interface SmallStore {
  /** Null when there is none, or it has expired. Rejects with StoreUnavailable, as all calls do. */
  get(key: string): Promise<unknown>;
  /** `expiresAtMs`: Unix milliseconds; null: never. */
  put(key: string, value: object, expiresAtMs: number | null): Promise<void>;
  /** Reads and removes in one step: of several callers one gets it. */
  take(key: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Kept {
  readonly value: unknown;
  readonly until: number | null;
}

/** The store in the file `path`, which this process alone writes. Rejects when the file is damaged. */
export async function openSmallFile(path: string, now: () => number): Promise<SmallStore> {
  const db = new Low<Record<string, Kept>>(new JSONFile(path), {});
  await db.read();
  const fresh = (kept: Kept | undefined): kept is Kept =>
    kept !== undefined && (kept.until === null || kept.until > now());
  const own = (key: string) => (Object.hasOwn(db.data, key) ? db.data[key] : undefined);
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    for (const [key, kept] of Object.entries(db.data)) if (!fresh(kept)) delete db.data[key];
    // One after the other; each writes all that is there by then.
    const done = writing.then(() => db.write());
    writing = done.catch(() => {});
    return done.catch((cause: unknown) => {
      throw new StoreUnavailable("the file of accounts could not be written", { cause });
    });
  };
  const get = (key: string) => {
    const kept = own(key);
    return fresh(kept) ? kept.value : null;
  };
  return {
    get: async (key) => get(key),
    async put(key, value, until) {
      db.data[key] = { value, until };
      await write();
    },
    async take(key) {
      const value = get(key);
      delete db.data[key];
      if (value !== null) await write();
      return value;
    },
    close: () => writing,
  };
}

/** The store under `prefix` of a Redis; the link stays its owner's. */
export function smallRedis(link: Pick<Link, "run">, prefix: string): SmallStore {
  const at = (key: string) => `${prefix}small:${key}`;
  const read = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return {
    get: async (key) => read(await link.run((redis) => redis.get(at(key)))),
    async put(key, value, until) {
      const expiring = until === null ? {} : { expiration: { type: "PXAT", value: until } as const };
      await link.run((redis) => redis.set(at(key), JSON.stringify(value), expiring));
    },
    take: async (key) => read(await link.run((redis) => redis.getDel(at(key)))),
    close: async () => {},
  };
}
