/** Redis that goes and comes back, connections that break at the worst moment: nothing lost, nothing twice. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Journal, NotStored } from "../../../rooms/journal.ts";
import type { MatchId } from "../../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../../shared/protocol/log.ts";
import { openMatch } from "../../../shared/protocol/match.ts";
import { createdEntry, lobbyEntries, playedLog, SEED } from "../../../test/support/logs.ts";
import { startProxy, type Proxy as TcpProxy } from "../../../test/support/proxy.ts";
import { type RunningRedis, startRedis } from "../../../test/support/redis.ts";
import { eventually } from "../eventually.ts";
import { type MatchStore, StoreUnavailable } from "../MatchStore.ts";
import type { RedisStore } from "./redisStore.ts";
import { type RedisHome, rawRedis, redisHome } from "./testHome.ts";

const SPEC = { format: "1v1", level: 1, seed: SEED } as const;

/** What can be read in the end, once the connection is there again. */
async function readAgain(store: MatchStore, id: MatchId): Promise<readonly LogEntry[] | null> {
  let entries: readonly LogEntry[] | null = null;
  await eventually(async () => {
    entries = await store.read(id).catch(() => null);
    return entries !== null;
  }).toBe(true);
  return entries;
}

test("Redis killed at full pace and started again: what was acknowledged is there, the stores come back", async () => {
  const redis = await startRedis({ appendonly: "always" });
  const home = await redisHome(redis.url);
  const stores = [await home.open(), await home.open()];
  const acknowledged = new Map<MatchId, LogEntry[]>();
  let count = 0;
  let stop = false;
  const waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  const reached = (at: number) => new Promise<void>((resolve) => waiting.push({ at, resolve }));

  async function play(store: RedisStore): Promise<void> {
    const log = playedLog(SPEC);
    const [created, ...rest] = log as [CreatedEntry, ...LogEntry[]];
    await store.create(created);
    acknowledged.set(created.match_id, [created]);
    let version = 1;
    while (!stop) {
      const entry = rest[(version - 1) % rest.length] as LogEntry;
      try {
        await store.append(created.match_id, version, [entry], false);
        acknowledged.get(created.match_id)?.push(entry);
        version++;
        count++;
        for (const { at, resolve } of waiting) if (count >= at) resolve();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        const found = (await readAgain(store, created.match_id)) ?? [];
        // Nobody was told of it, but it may be there.
        expect(found.length === version || found.length === version + 1).toBe(true);
        if (found.length > version) acknowledged.get(created.match_id)?.push(entry);
        version = found.length;
      }
    }
  }

  const players = Promise.all(stores.flatMap((store) => Array.from({ length: 8 }, () => play(store)))).finally(() => {
    stop = true;
  });
  try {
    for (let kill = 0; kill < 3; kill++) {
      await Promise.race([reached(count + 700), players]);
      await redis.restart();
    }
    await Promise.race([reached(count + 300), players]);
  } finally {
    stop = true;
  }
  await players;
  for (const [id, entries] of acknowledged) expect(await stores[0]?.read(id)).toEqual(entries);
  expect(acknowledged.size).toBe(16);
  await Promise.all(stores.map((store) => store.close()));
  const later = await home.open();
  expect((await later.claims.orphans(100)).length).toBe(16);
  await later.close();
  await home.dispose();
  await redis.stop();
}, 90_000);

describe("a connection that breaks in the middle of a call", () => {
  let redis: RunningRedis;
  let proxy: TcpProxy;
  let home: RedisHome;
  /** Behind the proxy. */
  let store: RedisStore;
  /** Not behind it. */
  let direct: RedisStore;
  beforeEach(async () => {
    redis = await startRedis();
    proxy = await startProxy(redis.url);
    home = await redisHome(redis.url);
    direct = await home.open();
    // From here on the server knows the scripts, so that one call is one request.
    const closed = createdEntry(SPEC);
    await direct.create(closed);
    await direct.append(closed.match_id, 1, [{ type: "closed", at_ms: 1 }], true);
    store = await home.open({ url: proxy.url.replace("http:", "redis:") });
  });
  afterEach(async () => {
    await proxy.close();
    await Promise.all([store.close(), direct.close()]);
    await home.dispose();
    await redis.stop();
  });

  test("the answer is lost: the entry is there, found by the holder, and is not stored again", async () => {
    const created = createdEntry(SPEC);
    const [taken, ...rest] = lobbyEntries(created) as [LogEntry, ...LogEntry[]];
    await store.create(created);
    const journal = new Journal(store, openMatch(created));
    proxy.hold("answers");
    const committing = journal.commit([taken]).catch((error: unknown) => error);
    await eventually(async () => (await direct.read(created.match_id))?.length).toBe(2);
    proxy.cut();
    const failed = await committing;
    expect(failed).toBeInstanceOf(NotStored);
    proxy.mend();
    const found = (failed as NotStored).found.length;
    await eventually(() =>
      journal
        .refresh()
        .then(() => journal.match.version)
        .catch(() => found),
    ).toBe(2);
    await journal.commit(rest);
    expect(await direct.read(created.match_id)).toEqual([created, taken, ...rest]);
  });

  test("the request is lost: nothing is there, and the same entry can be stored", async () => {
    const created = createdEntry(SPEC);
    const [taken] = lobbyEntries(created) as [LogEntry];
    await store.create(created);
    proxy.hold("requests");
    const appending = store.append(created.match_id, 1, [taken], false).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    proxy.cut();
    expect(await appending).toBeInstanceOf(StoreUnavailable);
    proxy.letGo();
    proxy.mend();
    expect(await readAgain(store, created.match_id)).toEqual([created]);
    await store.append(created.match_id, 1, [taken], false);
    expect(await direct.read(created.match_id)).toEqual([created, taken]);
  });

  test("the request comes late, when the holder has read that it was not stored: it is shut out", async () => {
    const created = createdEntry(SPEC);
    const [one, two] = lobbyEntries(created) as [LogEntry, LogEntry];
    const impatient = await home.open({ url: proxy.url.replace("http:", "redis:"), answerMs: 1_500 });
    const raw = await rawRedis(redis.url);
    const scriptsRun = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await raw.info("commandstats"))?.[1]);
    await impatient.create(created);
    proxy.hold("requests");
    await expect(impatient.append(created.match_id, 1, [one], false)).rejects.toThrow(StoreUnavailable);
    // On a new connection, while the old one is still on its way.
    expect(await readAgain(impatient, created.match_id)).toEqual([created]);
    const before = await scriptsRun();
    proxy.letGo();
    await eventually(scriptsRun).toBeGreaterThan(before);
    expect(await direct.read(created.match_id)).toEqual([created]);
    await impatient.append(created.match_id, 1, [two], false);
    expect(await direct.read(created.match_id)).toEqual([created, two]);
    raw.destroy();
    await impatient.close();
  });

  test("cut again and again while a match is played: the log is the match, each entry once", async () => {
    const log = playedLog(SPEC);
    const [created, ...rest] = log as [CreatedEntry, ...LogEntry[]];
    await store.create(created);
    const journal = new Journal(store, openMatch(created));
    let cuts = 0;
    for (let tries = 0; journal.match.version < log.length; tries++) {
      const committing = journal.commit([rest[journal.match.version - 1] as LogEntry]).catch((error: unknown) => error);
      if (tries % 5 === 4 && cuts < 12) {
        cuts++;
        // Now before it is sent, now on its way.
        for (let i = 0; i < cuts % 4; i++) await new Promise((resolve) => setImmediate(resolve));
        proxy.cut();
        proxy.mend();
      }
      await committing;
      await eventually(() =>
        journal
          .refresh()
          .then(() => true)
          .catch(() => false),
      ).toBe(true);
    }
    expect(cuts).toBeGreaterThan(5);
    expect(await direct.read(created.match_id)).toEqual(log);
  });

  test("a creation of which nobody knows whether it arrived is undone, and its code is free", async () => {
    const created = createdEntry(SPEC);
    proxy.hold("answers");
    const creating = store.create(created).catch((error: unknown) => error);
    await eventually(() => direct.read(created.match_id)).toEqual([created]);
    proxy.cut();
    expect(await creating).toBeInstanceOf(StoreUnavailable);
    proxy.mend();
    await eventually(() => direct.read(created.match_id)).toBeNull();
    expect(await direct.claims.ownerOf(created.match_id)).toBeNull();
    expect(await direct.unfinished()).toEqual([]);
    await direct.create({ ...createdEntry(SPEC), room_code: created.room_code });
  });

  test("Redis that stands still is unavailable, and a store closes all the same", async () => {
    const created = createdEntry(SPEC);
    const impatient = await home.open({ answerMs: 1_000 });
    await impatient.create(created);
    process.kill(redis.pid, "SIGSTOP");
    await expect(impatient.read(created.match_id)).rejects.toThrow(StoreUnavailable);
    await expect(impatient.append(created.match_id, 1, [], true)).rejects.toThrow(StoreUnavailable);
    await impatient.close();
    process.kill(redis.pid, "SIGCONT");
    expect(await readAgain(direct, created.match_id)).toEqual([created]);
  });

  test("Redis that is full refuses and keeps what it has (all of an append or nothing)", async () => {
    const created = createdEntry(SPEC);
    const entries = lobbyEntries(created);
    await store.create(created);
    const raw = await rawRedis(redis.url);
    await raw.configSet("maxmemory", "1");
    await expect(store.append(created.match_id, 1, entries, false)).rejects.toThrow(StoreUnavailable);
    await raw.configSet("maxmemory", "0");
    expect(await store.read(created.match_id)).toEqual([created]);
    await store.append(created.match_id, 1, entries, false);
    expect(await store.read(created.match_id)).toEqual([created, ...entries]);
    raw.destroy();
  });
});
