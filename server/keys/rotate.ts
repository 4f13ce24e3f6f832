/** Rotating keys, where they lie: in a data folder, or in Redis for all processes. What runs takes them up by itself. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sharedKeyAt, shareKeys, swapShared } from "../cluster/sharedKeys.ts";
import { readPrivate, replacePrivate } from "../privateFile.ts";
import type { Link } from "../store/redis/link.ts";
import { isBelieved, type Period, signingAt } from "./period.ts";
import {
  keyIdOf,
  parseRecordKeys,
  retireRecordKeys,
  rotateRecordKeys,
  SIGNER_FILE,
  unlistRecordKey,
} from "./recordKeys.ts";
import { parseTokenKeys, rotateTokenKeys, TOKEN_FILE } from "./tokenKeys.ts";

export interface KeyHome {
  /** The text of a key file. Rejects when there is none. */
  read(name: string): Promise<string>;
  /** False when the text is no longer `before`. */
  swap(name: string, before: string, after: string): Promise<boolean>;
}

export function folderKeys(dir: string): KeyHome {
  return {
    async read(name) {
      const text = readPrivate(join(dir, name));
      if (text === null) throw new Error(`${dir} holds no ${name}: no server has run on it (set DATA_DIR)`);
      return text;
    },
    async swap(name, before, after) {
      const path = join(dir, name);
      if (readPrivate(path) !== before) return false;
      replacePrivate(path, after);
      return true;
    },
  };
}

/** The keys in Redis under `prefix`. Those that `dir` holds, if any, may be newer and are brought there first. */
export async function redisKeys(link: Pick<Link, "run">, prefix: string, dir: string): Promise<KeyHome> {
  // Whoever calls from a folder without keys needs no copy of them.
  const own = existsSync(join(dir, TOKEN_FILE));
  if (own) await shareKeys(link, prefix, dir);
  return {
    async read(name) {
      const text = await link.run((redis) => redis.get(sharedKeyAt(prefix, name)));
      if (text === null) throw new Error(`Redis holds no ${sharedKeyAt(prefix, name)}: no server has run on it`);
      return text;
    },
    async swap(name, before, after) {
      const swapped = await swapShared(link, sharedKeyAt(prefix, name), before, after);
      if (swapped && own) replacePrivate(join(dir, name), after);
      return swapped;
    },
  };
}

const ATTEMPTS = 10;

async function change(home: KeyHome, name: string, to: (text: string) => string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const text = await home.read(name);
    if (await home.swap(name, text, to(text))) return;
  }
  throw new Error(`${name} is being changed by somebody else`);
}

export interface RotateOptions {
  /** Milliseconds until the new keys sign. */
  readonly afterMs: number;
  /** Milliseconds for which tokens of the keys before stay good, after that. */
  readonly keepMs: number;
}

/** One new key for tokens and one for records. Old records stay checkable; old tokens stay good for `keepMs`. */
export async function rotateKeys(home: KeyHome, nowMs: number, { afterMs, keepMs }: RotateOptions): Promise<void> {
  const fromMs = nowMs + afterMs;
  await change(home, TOKEN_FILE, (text) => rotateTokenKeys(text, { fromMs, untilMs: fromMs + keepMs }, nowMs));
  await change(home, SIGNER_FILE, (text) => rotateRecordKeys(text, fromMs));
}

/** Throws the private halves of record keys that sign no more away. */
export async function retireKeys(home: KeyHome, nowMs: number): Promise<void> {
  await change(home, SIGNER_FILE, (text) => retireRecordKeys(text, nowMs));
}

/** Takes a record key that signs no more out of the published list: what it signed is by nobody known then. */
export async function unlistKey(home: KeyHome, id: string, nowMs: number): Promise<void> {
  await change(home, SIGNER_FILE, (text) => unlistRecordKey(text, id, nowMs));
}

export interface KeyRow extends Period {
  readonly use: "tokens" | "records";
  readonly id: string;
  /** `next`: signs from `from_ms` on; `past`: signs no more, and what it signed is believed; `expired`: not even that. */
  readonly state: "signs" | "next" | "past" | "expired";
}

/** All keys, the newest first, without what is secret of them. */
export async function listKeys(home: KeyHome, nowMs: number): Promise<KeyRow[]> {
  const rows = <T extends Period>(
    use: KeyRow["use"],
    keys: readonly T[],
    idOf: (key: T) => string,
    can: (key: T) => boolean,
  ) => {
    const current = signingAt(keys, nowMs, can);
    return keys.toReversed().map((key): KeyRow => {
      const { from_ms, until_ms } = key;
      const state = key === current ? "signs" : !isBelieved(key, nowMs) ? "expired" : from_ms > nowMs ? "next" : "past";
      return { use, id: idOf(key), state, from_ms, until_ms };
    });
  };
  const tokens = parseTokenKeys(await home.read(TOKEN_FILE), TOKEN_FILE);
  const records = parseRecordKeys(await home.read(SIGNER_FILE), SIGNER_FILE);
  return [
    ...rows(
      "tokens",
      tokens,
      ({ id }) => id,
      ({ key }) => key !== null,
    ),
    ...rows("records", records, keyIdOf, ({ d }) => d !== undefined),
  ];
}
