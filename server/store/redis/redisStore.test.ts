import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CreatedEntry, LogEntry } from "../../../shared/protocol/log.ts";
import { createdEntry, lobbyEntries, playedLog, SEED } from "../../../test/support/logs.ts";
import { type RunningRedis, startRedis } from "../../../test/support/redis.ts";
import { storeContract, storeLog } from "../contract.ts";
import { eventually } from "../eventually.ts";
import { NotOwner, StoreUnavailable, VersionConflict } from "../MatchStore.ts";
import { problemsOf } from "./durability.ts";
import type { RedisStore } from "./redisStore.ts";
import { type RedisHome, redisHome } from "./testHome.ts";

const SPEC = { format: "1v1", level: 1, seed: SEED } as const;

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

storeContract("a store on Redis", () => redisHome(redis.url));

describe("two processes on one Redis", () => {
  async function two(work: (a: RedisStore, b: RedisStore, home: RedisHome) => Promise<void>): Promise<void> {
    const home = await redisHome(redis.url);
    const [a, b] = [await home.open(), await home.open()];
    try {
      await work(a, b, home);
      expect(home.reported).toEqual([]);
    } finally {
      await Promise.all([a.close(), b.close()]);
      await home.dispose();
    }
  }
  const created = () => {
    const entry = createdEntry(SPEC);
    return { entry, id: entry.match_id, code: entry.room_code, taken: lobbyEntries(entry)[0] as LogEntry };
  };

  test("a match of a living process is adopted by nobody else, and found where it is", () =>
    two(async (a, b) => {
      const { entry, id, code, taken } = created();
      await a.create(entry);
      expect(await b.claims.ownerOf(code)).toMatchObject({ matchId: id, over: false, processId: a.claims.processId });
      expect(await b.claims.adopt(id)).toBeNull();
      expect(await b.claims.orphans(10)).toEqual([]);
      await expect(b.append(id, 1, [taken], false)).rejects.toThrow(NotOwner);
      await a.append(id, 1, [taken], false);
      expect(await b.read(id)).toEqual([entry, taken]);
    }));

  test("what one releases the other adopts; from then on the first writes nothing", () =>
    two(async (a, b) => {
      const log = playedLog(SPEC, 3);
      const { match_id: id } = log[0] as CreatedEntry;
      const next: LogEntry = { type: "abandoned", at_ms: 1 };
      await storeLog(a, log, false);
      await a.claims.release(id);
      await expect(a.append(id, log.length, [next], true)).rejects.toThrow(NotOwner);
      expect(await b.claims.adopt(id)).toMatchObject({ entries: log });
      await expect(a.append(id, log.length, [next], true)).rejects.toThrow(NotOwner);
      expect(await a.claims.adopt(id)).toBeNull();
      await b.append(id, log.length, [next], true);
      expect(await a.read(id)).toEqual([...log, next]);
    }));

  test("a match that is over is found where its room still is, until that is released", () =>
    two(async (a, b) => {
      const log = playedLog(SPEC);
      const { match_id: matchId, room_code } = log[0] as CreatedEntry;
      await storeLog(a, log, true);
      const there = { matchId, over: true, processId: a.claims.processId, address: null };
      expect(await b.claims.ownerOf(room_code)).toEqual(there);
      await a.claims.release(matchId);
      expect(await b.claims.ownerOf(matchId)).toEqual({ ...there, processId: null });
      expect(await b.claims.orphans(10)).toEqual([]);
    }));

  test("a match that is over, whose process has gone, is taken by one of those that ask", () =>
    two(async (a, b, home) => {
      const log = playedLog(SPEC);
      const { match_id: id } = log[0] as CreatedEntry;
      const gone = await home.open();
      await storeLog(gone, log, true);
      expect(await a.claims.adoptOver(id)).toBe("held");
      await gone.close();
      const got = await Promise.all([a, b, a, b].map((store) => store.claims.adoptOver(id)));
      expect(got.filter((entries) => entries === "held")).toHaveLength(2);
      expect(got.find((entries) => entries !== "held")).toEqual(log);
      await Promise.all([a, b].map((store) => store.claims.release(id)));
      expect(await Promise.all([a, b].map((store) => store.claims.adoptOver(id)))).toEqual([null, null]);
    }));

  test("of many that try to adopt the same matches at once one gets each", () =>
    two(async (a, b, home) => {
      const all = Array.from({ length: 60 }, () => created());
      const gone = await home.open();
      await Promise.all(all.map(({ entry }) => gone.create(entry)));
      await gone.close();
      const third = await home.open();
      const processes = [a, b, third];
      expect(new Set(await a.claims.orphans(100)).size).toBe(60);
      for (const { id, taken } of all) {
        const got = await Promise.all(processes.map((p) => p.claims.adopt(id)));
        expect(got.filter((match) => match !== null)).toHaveLength(1);
        const stored = await Promise.allSettled(processes.map((p) => p.append(id, 1, [taken], false)));
        expect(stored.map((s) => s.status)).toEqual(got.map((match) => (match === null ? "rejected" : "fulfilled")));
      }
      expect(await b.claims.orphans(100)).toEqual([]);
      await third.close();
    }));

  test("both asked for the record of one match give the same bytes, and list it once", () =>
    two(async (a, b) => {
      const log = playedLog(SPEC);
      const { match_id: id } = log[0] as CreatedEntry;
      await storeLog(a, log, true);
      const records = await Promise.all([a, b, a, b].map((store) => store.record(id)));
      expect(new Set(records).size).toBe(1);
      expect(records[0]).not.toBeNull();
      expect((await b.finished(10)).map((f) => f.match_id)).toEqual([id]);
    }));

  test("a match whose process died before it made the record gets one from another", async () => {
    const home = await redisHome(redis.url, { leaseMs: 60 });
    const log = playedLog(SPEC);
    const dying = await home.open({ seal: () => new Promise(() => {}), leaseMs: 60_000 });
    await storeLog(dying, log, true);
    const other = await home.open();
    await eventually(async () => (await other.finished(1)).map((f) => f.match_id)).toEqual([
      (log[0] as CreatedEntry).match_id,
    ]);
    await other.close();
    await home.dispose();
  });

  test("the list of finished matches ends at 200; their records stay", () =>
    two(async (a, b) => {
      const logs = Array.from({ length: 203 }, () => playedLog({ ...SPEC, format: "solo" }, 1));
      const ids = logs.map((log) => (log[0] as CreatedEntry).match_id);
      for (const [i, log] of logs.entries()) {
        await storeLog(a, [...log, { type: "abandoned", at_ms: 1 }], true, 100);
        await a.record(ids[i] as CreatedEntry["match_id"]);
      }
      expect((await b.finished(500)).map((f) => f.match_id)).toEqual(ids.toReversed().slice(0, 200));
      expect(await b.record(ids[0] as CreatedEntry["match_id"])).not.toBeNull();
    }));

  test("a log that does not fold is reported once and holds up nobody", async () => {
    const home = await redisHome(redis.url);
    const store = await home.open();
    const { entry, id } = created();
    await storeLog(store, [entry, { type: "turn", player: "P4", command: "?", at_ms: 1, elapsed_ms: 1 }], true);
    await eventually(() => home.reported.map((r) => r.at)).toEqual(["store.seal"]);
    const good = playedLog(SPEC);
    await storeLog(store, good, true);
    await eventually(async () => (await store.finished(1)).length).toBe(1);
    expect(await store.record(id)).toBeNull();
    await store.close();
    await home.dispose();
  });
});

describe("opening", () => {
  test.each([
    ["nobody listens", "redis://127.0.0.1:1"],
    ["the password is wrong", () => redis.url.replace("//", "//nobody:wrong@")],
  ])("rejects when %s", async (_, url) => {
    const home = await redisHome(typeof url === "string" ? url : url(), { openMs: 300 });
    await expect(home.open()).rejects.toThrow(StoreUnavailable);
    await home.dispose();
  });

  test.each([
    ["on disk before the answer", { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" }, 0],
    [
      "up to two seconds may be lost",
      { appendonly: "yes", appendfsync: "everysec", "maxmemory-policy": "noeviction" },
      1,
    ],
    ["nothing is kept", { appendonly: "no", appendfsync: "always", "maxmemory-policy": "noeviction" }, 1],
    ["never synced, and thrown away", { appendonly: "yes", appendfsync: "no", "maxmemory-policy": "allkeys-lru" }, 2],
  ])("says what is wrong with its settings: %s", (_, settings, problems) => {
    expect(problemsOf(settings)).toHaveLength(problems);
  });

  test("a match of one installation is unknown to another on the same Redis", async () => {
    const [one, two] = [await redisHome(redis.url), await redisHome(redis.url)];
    const [a, b] = [await one.open(), await two.open()];
    const entry = createdEntry(SPEC);
    await a.create(entry);
    expect(await b.read(entry.match_id)).toBeNull();
    await b.create(entry);
    await expect(b.create(entry)).rejects.toThrow(VersionConflict);
    await Promise.all([a.close(), b.close()]);
    await Promise.all([one.dispose(), two.dispose()]);
  });
});
