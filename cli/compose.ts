/** The parts of a server put together: the store, the doors and rooms, the house's bots. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ThreadSupervisor } from "../agents/supervisor.ts";
import type { Reporter } from "../rooms/ports.ts";
import { openSmallFile, SMALL_FILE, type SmallStore, smallRedis } from "../server/accounts/smallStore.ts";
import { type RunningApp, startServer } from "../server/app.ts";
import { systemClock } from "../server/clock.ts";
import { shareKeys } from "../server/cluster/sharedKeys.ts";
import type { CodeKeeper } from "../server/codes.ts";
import type { Config } from "../server/config.ts";
import { openKeyring } from "../server/keys/keyring.ts";
import { LEDGER_FILE, openFileLedger } from "../server/ranking/fileLedger.ts";
import { type Ledger, rankedSeal } from "../server/ranking/ledger.ts";
import { redisLedger } from "../server/ranking/redisLedger.ts";
import { type Logs, openReporter } from "../server/reporter.ts";
import { startSealer } from "../server/sealer.ts";
import { type SharedLimiters, sharedLimiters } from "../server/sharedLimits.ts";
import { openFileStore } from "../server/store/fileStore.ts";
import type { MatchStore, Seal } from "../server/store/MatchStore.ts";
import { Link } from "../server/store/redis/link.ts";
import { openRedisStore } from "../server/store/redis/redisStore.ts";
import { KEEP_ALL } from "../server/store/retention.ts";

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
  const retention = { ...KEEP_ALL, days: config.KEEP_DAYS ?? null, matches: config.KEEP_MATCHES ?? null };
  if (url === undefined) return { store: await openFileStore(DATA_DIR, { seal, report, retention }), codes: null };
  const store = await openRedisStore({ url, prefix, leaseMs: LEASE_SECONDS * 1_000, seal, report, retention });
  return { store, codes: store.codes };
}

interface Kept {
  readonly ledger: Ledger;
  readonly small: SmallStore;
  /** Brings the folder's keys up to those of the other processes; null when there are none. */
  readonly pullKeys: (() => Promise<void>) | null;
  /** What the processes count together; null when this is the only one. */
  readonly sharedLimits: SharedLimiters | null;
  close(): Promise<void>;
}

/** What stays small, and the certificates: in the folder, or in Redis for all processes, which share their keys there. */
async function openKept(config: Config, report: Reporter): Promise<Kept> {
  const { REDIS_URL: url, REDIS_PREFIX: prefix, DATA_DIR } = config;
  if (url === undefined) {
    const ledger = await openFileLedger(join(DATA_DIR, LEDGER_FILE));
    const small = await openSmallFile(join(DATA_DIR, SMALL_FILE), Date.now);
    return {
      ledger,
      small,
      pullKeys: null,
      sharedLimits: null,
      close: async () => void (await Promise.all([ledger.close(), small.close()])),
    };
  }
  const link = await Link.open({ url, report });
  const pullKeys = () => shareKeys(link, prefix, DATA_DIR);
  try {
    await pullKeys();
  } catch (error) {
    link.destroy();
    throw error;
  }
  const [ledger, small] = [redisLedger(link, prefix), smallRedis(link, prefix)];
  const sharedLimits = sharedLimiters(link, prefix);
  return { ledger, small, pullKeys, sharedLimits, close: async () => link.destroy() };
}

/** Rejects when the folder cannot be written, another process holds it, or the port is taken. */
export async function composeServer(config: Config, options: ComposeOptions = {}): Promise<Composed> {
  const logs = options.logs ?? openReporter(config.LOG_LEVEL);
  await mkdir(config.DATA_DIR, { recursive: true });
  const { ledger, small, pullKeys, sharedLimits, close: closeLedger } = await openKept(config, logs);
  // After the keys have been shared.
  const keyring = openKeyring(config.DATA_DIR, {
    clock: systemClock,
    report: logs,
    ...(pullKeys === null ? {} : { pull: pullKeys }),
  });
  const sealer = startSealer(config.DATA_DIR);
  const closeKept = async () => {
    keyring.stop();
    await sealer.stop();
    await closeLedger();
  };
  const { store, codes } = await openStore(config, rankedSeal(sealer.seal, keyring.signer, ledger), logs).catch(
    async (error: unknown) => {
      await closeKept();
      throw error;
    },
  );
  const closeStore = async () => {
    await store.close();
    await closeKept();
  };
  let bots: ThreadSupervisor | null = null;
  try {
    const app = await startServer(config, {
      store,
      keyring,
      ledger,
      small,
      ...(codes === null ? {} : { codes }),
      ...(sharedLimits === null ? {} : { sharedLimits }),
      logs,
      bots: (url) => {
        bots = new ThreadSupervisor({
          url: options.botUrl?.(url) ?? url,
          report: logs,
          models: config.MODELS,
          modelSeats: config.MODEL_SEATS,
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
