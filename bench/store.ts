/**
 * `npm run bench:store`: how long an append takes until it is durable, and how many a second there are, for 1, 32 and
 * 1000 matches that each append one entry after another. `store` = the file store; `baseline` = the same frames in one
 * file with a sync for each, measured in the same run. Where there is a redis-server: `redis` = the store on Redis, and
 * `xadd` = the bare XADD of the same client on the same server, which is started for it with `appendfsync always`.
 * `--appendfsync everysec` measures without waiting for the disk; `--json` prints one object a line; `--seconds n` measures each row that long (default 3); `--window n` sets the
 * store's commit window in milliseconds; `--dir path` chooses the disk.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "redis";
import { openSigner } from "../server/keys/recordKeys.ts";
import { makeSeal } from "../server/signing.ts";
import { closeFile, openFile, realWrites, writeAll } from "../server/store/disk.ts";
import { openFileStore } from "../server/store/fileStore.ts";
import { makeFrame } from "../server/store/frame.ts";
import { openRedisStore } from "../server/store/redis/redisStore.ts";
import type { CreatedEntry, LogEntry } from "../shared/protocol/log.ts";
import { createdEntry, playedLog, SEED } from "../test/support/logs.ts";
import { isRedisThere, type RunningRedis, startRedis } from "../test/support/redis.ts";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    seconds: { type: "string", default: "3" },
    window: { type: "string" },
    appendfsync: { type: "string", default: "always" },
    dir: { type: "string", default: tmpdir() },
  },
});
const milliseconds = Number(options.seconds) * 1_000;
const SPEC = { format: "1v1", level: 1, seed: SEED } as const;
const ENTRY = playedLog(SPEC).find((entry) => entry.type === "turn") as LogEntry;
const WARM_UP_MS = 500;

interface Log {
  append(match: CreatedEntry, version: number): Promise<void>;
}

interface Row {
  readonly appends_per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Every match appends as fast as it is answered; the first half second does not count. */
async function measure(log: Log, matches: readonly CreatedEntry[]): Promise<Row> {
  const took: number[] = [];
  const begin = performance.now() + WARM_UP_MS;
  const end = begin + milliseconds;
  const play = async (match: CreatedEntry) => {
    for (let version = 1, now = performance.now(); now < end; version++) {
      await log.append(match, version);
      const then = performance.now();
      if (now >= begin) took.push(then - now);
      now = then;
    }
  };
  await Promise.all(matches.map(play));
  took.sort((a, b) => a - b);
  const at = (share: number) => Math.round((took[Math.floor(share * (took.length - 1))] ?? 0) * 100) / 100;
  return { appends_per_second: Math.round((1_000 * took.length) / milliseconds), p50_ms: at(0.5), p99_ms: at(0.99) };
}

async function store(dir: string, matches: readonly CreatedEntry[]): Promise<Row & { frames_per_sync: number }> {
  let [syncs, frames] = [0, 0];
  const opened = await openFileStore(join(dir, `store-${matches.length}`), {
    seal: makeSeal(openSigner(dir)),
    report: { error: (error) => console.error(error), info: () => {} },
    ...(options.window === undefined ? {} : { windowMs: Number(options.window) }),
    onCommit: (commit) => {
      syncs += 1;
      frames += commit.frames;
    },
  });
  await Promise.all(matches.map((match) => opened.create(match)));
  const row = await measure(
    { append: ({ match_id }, version) => opened.append(match_id, version, [ENTRY], false) },
    matches,
  );
  await opened.close();
  return { ...row, frames_per_sync: Math.round(frames / syncs) };
}

async function baseline(dir: string, matches: readonly CreatedEntry[]): Promise<Row> {
  const fd = await openFile(join(dir, `baseline-${matches.length}`), "wx");
  let position = 0;
  let last: Promise<void> = Promise.resolve();
  const appendNext = async ({ match_id }: CreatedEntry, version: number) => {
    const payload = JSON.stringify([ENTRY]);
    const bytes = Buffer.from(makeFrame({ kind: "entries", batch: 1, match: match_id, version, count: 1, payload }));
    await writeAll(realWrites, fd, bytes, position);
    await realWrites.sync(fd);
    position += bytes.length;
  };
  const append: Log["append"] = (match, version) => {
    last = last.then(() => appendNext(match, version));
    return last;
  };
  const row = await measure({ append }, matches);
  await closeFile(fd);
  return row;
}

async function redisStore(dir: string, server: RunningRedis, matches: readonly CreatedEntry[]): Promise<Row> {
  const opened = await openRedisStore({
    url: server.url,
    seal: makeSeal(openSigner(dir)),
    report: { error: (error, { at }) => at === "store.durability" || console.error(error), info: () => {} },
  });
  await Promise.all(matches.map((match) => opened.create(match)));
  const row = await measure(
    { append: ({ match_id }, version) => opened.append(match_id, version, [ENTRY], false) },
    matches,
  );
  await opened.close();
  return row;
}

async function xadd(server: RunningRedis, matches: readonly CreatedEntry[]): Promise<Row> {
  const client = await createClient({ url: server.url, commandOptions: { timeout: 0 } }).connect();
  const append: Log["append"] = async ({ match_id }) => {
    await client.xAdd(`bare:${match_id}`, "*", { e: JSON.stringify(ENTRY) });
  };
  const row = await measure({ append }, matches);
  client.destroy();
  return row;
}

function fsyncOption(): "always" | "everysec" {
  const { appendfsync } = options;
  if (appendfsync === "always" || appendfsync === "everysec") return appendfsync;
  throw new Error(`appendfsync is always or everysec, not ${appendfsync}`);
}

function tell(row: Record<string, string | number>): void {
  const cells = Object.values(row).map((value, i) => (i === 0 ? String(value).padEnd(10) : String(value).padStart(20)));
  console.log(options.json ? JSON.stringify(row) : cells.join(""));
}

const dir = await mkdtemp(join(options.dir, "gearmice-bench-"));
const server = isRedisThere() ? await startRedis({ appendonly: fsyncOption(), dir }) : null;
try {
  if (!options.json) {
    const names = ["bench", "matches", "appends_per_second", "p50_ms", "p99_ms", "frames_per_sync"];
    tell(Object.fromEntries(names.map((name) => [name, name])));
  }
  for (const count of [1, 32, 1_000]) {
    const matches = Array.from({ length: count }, () => createdEntry(SPEC));
    tell({ bench: "baseline", matches: count, ...(await baseline(dir, matches)), frames_per_sync: 1 });
    tell({ bench: "store", matches: count, ...(await store(dir, matches)) });
    if (server === null) continue;
    tell({ bench: "xadd", matches: count, ...(await xadd(server, matches)), frames_per_sync: "-" });
    tell({ bench: "redis", matches: count, ...(await redisStore(dir, server, matches)), frames_per_sync: "-" });
  }
  if (server === null) console.error("no redis-server here: the store on Redis was not measured");
} finally {
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
}
