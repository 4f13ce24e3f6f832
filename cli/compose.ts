/** The parts of a server put together: the store, the doors and rooms, the house's bots. */
import { mkdir } from "node:fs/promises";
import { ThreadSupervisor } from "../agents/supervisor.ts";
import type { Reporter } from "../rooms/ports.ts";
import { type RunningApp, startServer } from "../server/app.ts";
import { shareKeys } from "../server/cluster/sharedKeys.ts";
import type { CodeKeeper } from "../server/codes.ts";
import type { Config } from "../server/config.ts";
import { type Logs, openReporter } from "../server/reporter.ts";
import { startSealer } from "../server/sealer.ts";
import { openSigner } from "../server/signing.ts";
import { openFileStore } from "../server/store/fileStore.ts";
import type { MatchStore, Seal } from "../server/store/MatchStore.ts";
import { openRedisStore } from "../server/store/redis/redisStore.ts";

export interface Composed {
  readonly app: RunningApp;
  readonly bots: ThreadSupervisor;
  /** Ends everything in order: doors, bots, store. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  readonly logs?: Logs;
  /** Where the bots connect, given where the server listens. */
  readonly botUrl?: (url: string) => string;
  readonly botThreads?: number;
}

interface OpenedStore {
  readonly store: MatchStore;
  /** Null when this process has the store to itself. */
  readonly codes: CodeKeeper | null;
}

async function openStore(config: Config, seal: Seal, report: Reporter): Promise<OpenedStore> {
  const { REDIS_URL: url, REDIS_PREFIX: prefix, LEASE_SECONDS, DATA_DIR } = config;
  if (url === undefined) return { store: await openFileStore(DATA_DIR, { seal, report }), codes: null };
  const store = await openRedisStore({ url, prefix, leaseMs: LEASE_SECONDS * 1_000, seal, report });
  return { store, codes: store.codes };
}

/** Rejects when the folder cannot be written, another process holds it, or the port is taken. */
export async function composeServer(config: Config, options: ComposeOptions = {}): Promise<Composed> {
  const logs = options.logs ?? openReporter(config.LOG_LEVEL);
  await mkdir(config.DATA_DIR, { recursive: true });
  if (config.REDIS_URL !== undefined) await shareKeys(config.REDIS_URL, config.REDIS_PREFIX, config.DATA_DIR);
  const { keyList } = openSigner(config.DATA_DIR);
  const sealer = startSealer(config.DATA_DIR);
  const { store, codes } = await openStore(config, sealer.seal, logs);
  const closeStore = async () => {
    await store.close();
    await sealer.stop();
  };
  let bots: ThreadSupervisor | null = null;
  try {
    const app = await startServer(config, {
      store,
      keys: keyList,
      ...(codes === null ? {} : { codes }),
      logs,
      bots: (url) => {
        bots = new ThreadSupervisor({
          url: options.botUrl?.(url) ?? url,
          report: logs,
          ...(options.botThreads === undefined ? {} : { threads: options.botThreads }),
        });
        return bots;
      },
    });
    const supervisor = bots as ThreadSupervisor | null;
    if (supervisor === null) throw new Error("the server asked for no bots");
    return {
      app,
      bots: supervisor,
      async close() {
        await app.close();
        await supervisor.close();
        await closeStore();
      },
    };
  } catch (error) {
    await (bots as ThreadSupervisor | null)?.close();
    await closeStore();
    throw error;
  }
}
