/** What is over goes after the time or the number that was set, on a real Redis; nothing else does. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { MatchId } from "../../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../../shared/protocol/log.ts";
import { createdEntry, playedLog, SEED } from "../../../test/support/logs.ts";
import { type RunningRedis, startRedis } from "../../../test/support/redis.ts";
import { storeLog } from "../contract.ts";
import { eventually } from "../eventually.ts";
import { KEEP_ALL, type Retention } from "../retention.ts";
import { Keys } from "./keys.ts";
import type { RedisStore } from "./redisStore.ts";
import { type RedisHome, rawRedis, redisHome } from "./testHome.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const SPEC = { format: "solo", level: 1, seed: SEED } as const;

let redis: RunningRedis;
let raw: Awaited<ReturnType<typeof rawRedis>>;
beforeAll(async () => {
  redis = await startRedis();
  raw = await rawRedis(redis.url);
});
afterAll(async () => {
  raw.destroy();
  await redis.stop();
});

let home: RedisHome;
let store: RedisStore;
let ids: MatchId[];
beforeEach(async () => {
  home = await redisHome(redis.url);
  store = await home.open();
  ids = [];
  for (let i = 0; i < 4; i++) {
    const log = playedLog(SPEC);
    await storeLog(store, log, true);
    ids.push((log[0] as CreatedEntry).match_id);
  }
  await eventually(async () => (await store.finished(9)).length).toBe(4);
  // One after another, a second apart.
  for (const [i, id] of ids.entries()) await raw.zAdd(new Keys(home.prefix).ended, { value: id, score: age(10, i) });
});
afterEach(async () => {
  await store.close();
  expect(home.reported).toEqual([]);
  await home.dispose();
});
const age = (days: number, seconds = 0) => Date.now() - days * DAY_MS + seconds * 1_000;
const keep = (retention: Partial<Retention>) =>
  home.open({ retention: { ...KEEP_ALL, leastMs: 0, everyMs: 10, ...retention } });
const left = async () => {
  const records = await Promise.all(ids.map((id) => store.record(id)));
  return ids.filter((_, i) => records[i] !== null);
};

test("by number, by one of two processes: log, record and line of the others go, and nothing else of this installation", async () => {
  const waiting = createdEntry(SPEC);
  const running: LogEntry[] = playedLog(SPEC, 3);
  await store.create(waiting);
  await storeLog(store, running, false);
  const pruning = [await keep({ matches: 2 }), await keep({ matches: 2 })];
  await eventually(left).toEqual(ids.slice(2));
  await eventually(async () => (await store.finished(9)).map(({ match_id }) => match_id)).toEqual([ids[3], ids[2]]);
  for (const id of ids.slice(0, 2)) {
    expect(await store.read(id)).toBeNull();
    expect(await store.claims.ownerOf(id)).toBeNull();
    expect(await raw.keys(`${home.prefix}*${id}*`)).toEqual([]);
  }
  expect(await store.read(waiting.match_id)).toEqual([waiting]);
  expect(await store.read((running[0] as CreatedEntry).match_id)).toEqual(running);
  await Promise.all(pruning.map((each) => each.close()));
});

test("by age, more than one portion of it; what ended within the last hour stays", async () => {
  const ended = new Keys(home.prefix).ended;
  await raw.zAdd(ended, { value: ids[3] as string, score: age(0) });
  // Long gone otherwise: what is left of them goes too.
  const more = Array.from({ length: 250 }, () => ({ value: createdEntry(SPEC).match_id, score: age(20) }));
  await raw.zAdd(ended, more);
  const pruning = await keep({ days: 7, matches: 1, leastMs: 60 * 60 * 1_000 });
  await eventually(left).toEqual(ids.slice(3));
  await eventually(() => raw.zCard(ended)).toBe(1);
  await pruning.close();
});

test("what has no record yet stays until it has one", async () => {
  const { ended, unsealed } = new Keys(home.prefix);
  await raw.zAdd(unsealed, { value: ids[0] as string, score: Date.now() + DAY_MS });
  const pruning = await keep({ days: 7 });
  await eventually(left).toEqual(ids.slice(0, 1));
  await raw.zRem(unsealed, ids[0] as string);
  await eventually(left).toEqual([]);
  expect(await raw.zCard(ended)).toBe(0);
  await pruning.close();
});

test("left out: everything stays", async () => {
  const keeping = await keep({});
  expect(await left()).toEqual(ids);
  await keeping.close();
});
