import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import { createdEntry, lobbyEntries, playedLog, SEED } from "../../test/support/logs.ts";
import { storeLog } from "./contract.ts";
import { type DiskWrites, realWrites } from "./disk.ts";
import { eventually } from "./eventually.ts";
import type { FileStore } from "./fileStore.ts";
import { frameLines } from "./frame.ts";
import { StoreUnavailable } from "./MatchStore.ts";
import { type FileHome, fileHome } from "./testHome.ts";

const SPEC = { format: "1v1", level: 1, seed: SEED } as const;
const LONG_AGO = 1_000_000;

let home: FileHome;
beforeEach(async () => {
  home = await fileHome({ settleMs: LONG_AGO });
});
afterEach(() => home.dispose());

const journal = (h = home) => join(h.dir, "data", "journal");
const segments = async (h = home) => (await readdir(journal(h))).sort();

/** What a machine finds that lost power now: a copy in which every journal file ends where `lengthOf` says. */
async function crashedCopy(lengthOf: (name: string, bytes: Buffer) => number): Promise<FileHome> {
  const copy = await fileHome({ settleMs: LONG_AGO });
  await cp(home.dir, copy.dir, { recursive: true, filter: (source) => !source.endsWith("/lock") });
  for (const name of await segments(copy)) {
    const path = join(journal(copy), name);
    await truncate(path, lengthOf(name, await readFile(path)));
  }
  return copy;
}

describe("a torn tail", () => {
  test("of any length is cut, and nothing new is merged with it", async () => {
    const created = createdEntry(SPEC);
    const [taken, other] = lobbyEntries(created) as [LogEntry, LogEntry];
    const store = await home.open();
    await store.create(created);
    await store.append(created.match_id, 1, [taken], false);
    await store.close();
    const [name] = (await segments()) as [string];
    const bytes = await readFile(join(journal(), name));
    const last = [...frameLines(bytes)].at(-1);
    const [start, end] = [last?.start ?? 0, last?.end ?? 0];
    expect(end - start).toBeGreaterThan(100);
    for (let cut = start; cut <= end; cut++) {
      const copy = await crashedCopy(() => cut);
      let reopened = await copy.open();
      const kept = cut === end ? [created, taken] : [created];
      expect(await reopened.read(created.match_id), `cut at ${cut}`).toEqual(kept);
      await reopened.append(created.match_id, kept.length, [other], false);
      await reopened.close();
      reopened = await copy.open();
      expect(await reopened.read(created.match_id), `cut at ${cut}, then written`).toEqual([...kept, other]);
      await reopened.close();
      expect(copy.reported).toEqual([]);
      await copy.dispose();
    }
  });

  test("of a match's own file is cut and written again from the journal", async () => {
    const log = playedLog(SPEC, 6);
    const { match_id } = log[0] as CreatedEntry;
    let store = await home.open();
    await storeLog(store, log, false);
    await store.close();
    // The crash comes in the middle of tidying: the file is half written, the segment still there.
    const copy = await fileHome({ settleMs: LONG_AGO });
    await cp(home.dir, copy.dir, { recursive: true });
    store = await home.open({ settleMs: 0 });
    await eventually(() => segments()).toHaveLength(1);
    await store.close();
    const [day] = (await readdir(join(home.dir, "data", "matches"))) as [string];
    const file = await readFile(join(home.dir, "data", "matches", day, `${match_id}.log`));
    await mkdir(join(copy.dir, "data", "matches", day));
    for (const length of [0, 1, 200, file.length - 1, file.length]) {
      await writeFile(join(copy.dir, "data", "matches", day, `${match_id}.log`), file.subarray(0, length));
      const again = await copy.open();
      expect(await again.read(match_id)).toEqual(log);
      await again.close();
    }
    const again = await copy.open({ settleMs: 0 });
    await eventually(() => segments(copy)).toHaveLength(1);
    expect(await again.read(match_id)).toEqual(log);
    await again.close();
    expect(copy.reported).toEqual([]);
    await copy.dispose();
  });
});

test("what was acknowledged was synced: it is there when only synced bytes are", async () => {
  const synced = new Map<number, number>();
  const written = new Map<number, number>();
  const order: number[] = [];
  const watching: DiskWrites = {
    async write(fd, bytes, offset, length, position) {
      if (!order.includes(fd)) order.push(fd);
      const n = await realWrites.write(fd, bytes, offset, length, position);
      written.set(fd, position + n);
      return n;
    },
    async sync(fd) {
      const length = written.get(fd) ?? 0;
      await realWrites.sync(fd);
      synced.set(fd, length);
    },
  };
  const store = await home.open({ writes: watching });
  const logs = Array.from({ length: 20 }, () => playedLog(SPEC));
  const total = logs.reduce((sum, log) => sum + log.length, 0);
  const acknowledged = new Map<string, number>();
  const soFar = () => [...acknowledged.values()].reduce((a, b) => a + b, 0);
  const writing = logs.map(async ([created, ...rest]) => {
    const { match_id } = created as CreatedEntry;
    await store.create(created as CreatedEntry);
    acknowledged.set(match_id, 1);
    for (const [i, entry] of rest.entries()) {
      await store.append(match_id, i + 1, [entry], false);
      acknowledged.set(match_id, i + 2);
    }
  });
  const crashes: { readonly then: Map<string, number>; readonly copy: FileHome }[] = [];
  for (const share of [0.1, 0.25, 0.4, 0.55]) {
    await eventually(soFar).toBeGreaterThan(share * total);
    const then = new Map(acknowledged);
    const lengths = order.map((fd) => synced.get(fd) ?? 0);
    expect(lengths).toHaveLength(1);
    crashes.push({ then, copy: await crashedCopy(() => lengths[0] as number) });
  }
  await Promise.all(writing);
  await store.close();
  for (const { then, copy } of crashes) {
    expect(then.size).toBe(20);
    const found = await copy.open();
    for (const log of logs) {
      const { match_id } = log[0] as CreatedEntry;
      const entries = (await found.read(match_id)) ?? [];
      expect(entries.length).toBeGreaterThanOrEqual(then.get(match_id) ?? 0);
      expect(entries).toEqual(log.slice(0, entries.length));
    }
    await found.close();
    await copy.dispose();
  }
});

describe("a disk that fails", () => {
  type Fault = "write" | "half" | "sync" | null;
  let fault: Fault = null;
  const broken = (code: string) => Object.assign(new Error(code), { code });
  const faulty: DiskWrites = {
    async write(fd, bytes, offset, length, position) {
      if (fault === "write") throw broken("ENOSPC");
      if (fault !== "half") return realWrites.write(fd, bytes, offset, length, position);
      if (length < 40) throw broken("ENOSPC");
      return realWrites.write(fd, bytes, offset, Math.floor(length / 2), position);
    },
    async sync(fd) {
      await realWrites.sync(fd);
      // The bytes may well be on the disk: that is what nobody can know (fsync's error is told once).
      if (fault === "sync") throw broken("EIO");
    },
  };
  afterEach(() => {
    fault = null;
  });

  test.each(["write", "half", "sync"] as const)(
    "%s: refuses, keeps what was, and goes on when it can",
    async (kind) => {
      let store = await home.open({ writes: faulty });
      const log = playedLog(SPEC, 12);
      const { match_id } = log[0] as CreatedEntry;
      await storeLog(store, log.slice(0, 6), false);
      fault = kind;
      for (let i = 0; i < 3; i++) {
        await expect(store.append(match_id, 6, log.slice(6, 8), false)).rejects.toThrow(StoreUnavailable);
        await expect(store.create(createdEntry(SPEC))).rejects.toThrow(StoreUnavailable);
        store.alive(match_id, 5_000);
      }
      expect(await store.read(match_id)).toEqual(log.slice(0, 6));
      fault = null;
      await store.append(match_id, 6, log.slice(6), false);
      expect(await store.read(match_id)).toEqual(log);
      await store.close();
      store = await home.open();
      expect(await store.read(match_id)).toEqual(log);
      expect(await store.unfinished()).toHaveLength(1);
      expect(home.reported).toEqual([]);
      await store.close();
    },
  );

  test("what failed never comes back, even when it was on the disk and its cutting was not", async () => {
    let onDisk = Buffer.alloc(0);
    const [name, path] = ["0000000001.seg", join(journal(), "0000000001.seg")];
    const keeping: DiskWrites = {
      ...faulty,
      async sync(fd) {
        await faulty.sync(fd).catch(async (error) => {
          onDisk = await readFile(path);
          throw error;
        });
      },
    };
    let store = await home.open({ writes: keeping });
    const created = createdEntry(SPEC);
    const [one, two] = lobbyEntries(created) as [LogEntry, LogEntry];
    await store.create(created);
    fault = "sync";
    await expect(store.append(created.match_id, 1, [one], false)).rejects.toThrow(StoreUnavailable);
    fault = null;
    await store.append(created.match_id, 1, [two], false);
    // A file that a sync failed in is never written to again.
    expect(await segments()).toEqual([name, "0000000002.seg"]);
    await store.close();
    expect(onDisk.length).toBeGreaterThan((await readFile(path)).length);
    await writeFile(path, onDisk);
    store = await home.open();
    expect(await store.read(created.match_id)).toEqual([created, two]);
    await store.close();
  });

  test("all that waits behind a failed commit fails too, in every match", async () => {
    const store = await home.open({ writes: faulty });
    const logs = Array.from({ length: 5 }, () => playedLog(SPEC, 4));
    for (const log of logs) await storeLog(store, log, false);
    const [more] = lobbyEntries(createdEntry(SPEC)) as [LogEntry];
    const append = (log: LogEntry[], at: number) => store.append((log[0] as CreatedEntry).match_id, at, [more], false);
    fault = "sync";
    const all = await Promise.allSettled(logs.flatMap((log) => [append(log, log.length), append(log, log.length + 1)]));
    expect(all.map((a) => a.status)).not.toContain("fulfilled");
    fault = null;
    for (const log of logs) await append(log, log.length);
    await store.close();
  });

  test("the journal's folder is gone: refuses, and goes on when it is back", async () => {
    const store = await home.open({ segmentBytes: 1 });
    const created = createdEntry(SPEC);
    await rename(journal(), `${journal()}.away`);
    await writeFile(journal(), "");
    await expect(store.create(created)).rejects.toThrow(StoreUnavailable);
    await rm(journal());
    await rename(`${journal()}.away`, journal());
    await store.create(created);
    expect(await store.read(created.match_id)).toEqual([created]);
    await store.close();
  });

  test("full at the start: what is there can be read, and writing begins when there is room", async () => {
    let store = await home.open();
    const log = playedLog(SPEC, 3);
    const { match_id } = log[0] as CreatedEntry;
    await storeLog(store, log, false);
    await store.close();
    fault = "write";
    store = await home.open({ writes: faulty });
    expect(home.reported.map((r) => r.at)).toEqual(["store.recover"]);
    expect(await store.read(match_id)).toEqual(log);
    expect(await store.unfinished()).toHaveLength(1);
    await expect(store.append(match_id, log.length, log.slice(2, 3), false)).rejects.toThrow(StoreUnavailable);
    fault = null;
    await store.create(createdEntry(SPEC));
    expect(await store.unfinished()).toHaveLength(2);
    await store.close();
  });
});

describe("rot", () => {
  test("in one match's entry is reported and costs no other match", async () => {
    const logs = [playedLog(SPEC, 3), playedLog(SPEC, 3)] as const;
    let store: FileStore = await home.open();
    for (const log of logs) await storeLog(store, log, false);
    await store.close();
    const [name] = (await segments()) as [string];
    const path = join(journal(), name);
    const bytes = await readFile(path);
    const victim = (logs[0][0] as CreatedEntry).match_id;
    const line = [...frameLines(bytes)].find((l) => l.frame?.match === victim && l.frame.version === 1);
    bytes[(line?.start ?? 0) + 100] = 0;
    await writeFile(path, bytes);
    store = await home.open();
    expect(home.reported.length).toBeGreaterThan(0);
    await expect(store.read(victim)).rejects.toThrow(StoreUnavailable);
    expect((await store.unfinished()).map((u) => u.entries)).toEqual([logs[1]]);
    await store.close();
    // Tidying keeps the segment for people to look at.
    store = await home.open({ settleMs: 0 });
    await eventually(() => segments()).toContain(`${name}.damaged`);
    expect(await store.read((logs[1][0] as CreatedEntry).match_id)).toEqual(logs[1]);
    await store.close();
  });
});
