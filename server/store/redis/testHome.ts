/** Keys of their own on a real Redis with a real signer, for tests of the store on Redis. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import { openSigner } from "../../keys/recordKeys.ts";
import { makeSeal } from "../../signing.ts";
import { openRedisStore, type RedisStore, type RedisStoreOptions } from "./redisStore.ts";

/** A plain client, for tests that look behind the store's back. */
export async function rawRedis(url: string) {
  const client = createClient({ url });
  // A test may break the connections on purpose.
  client.on("error", () => {});
  return client.connect();
}

export interface RedisHome {
  readonly dir: string;
  readonly prefix: string;
  readonly keyId: string;
  /** What was reported, by place; not that the tests' Redis keeps nothing on disk. */
  readonly reported: { readonly at: string; readonly error: unknown }[];
  /** Opens one more store, as another process would. */
  open(options?: Partial<RedisStoreOptions>): Promise<RedisStore>;
  dispose(): Promise<void>;
}

/** `place`: an existing home, for a second process on it. */
export async function redisHome(
  url: string,
  defaults: Partial<RedisStoreOptions> = {},
  place?: { readonly dir: string; readonly prefix: string },
): Promise<RedisHome> {
  const dir = place?.dir ?? (await mkdtemp(join(tmpdir(), "gearmice-redis-home-")));
  const prefix = place?.prefix ?? `test-${randomUUID()}:`;
  const signer = openSigner(dir);
  const reported: { at: string; error: unknown }[] = [];
  return {
    dir,
    prefix,
    keyId: signer.keyId,
    reported,
    open: (options) =>
      openRedisStore({
        url,
        prefix,
        seal: makeSeal(signer),
        report: {
          error: (error, { at }) => void (at === "store.durability" || reported.push({ at, error })),
          info: () => {},
        },
        retryMs: 20,
        ...defaults,
        ...options,
      }),
    dispose: () => rm(dir, { recursive: true, force: true }),
  };
}
