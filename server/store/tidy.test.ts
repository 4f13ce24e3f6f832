import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CreatedEntry } from "../../shared/protocol/log.ts";
import { createdEntry, playedLog, SEED } from "../../test/support/logs.ts";
import { storeLog } from "./contract.ts";
import { eventually } from "./eventually.ts";
import { type FileHome, fileHome } from "./testHome.ts";

const SPEC = { format: "1v1", level: 1, seed: SEED } as const;

let home: FileHome;
beforeEach(async () => {
  home = await fileHome({ segmentBytes: 4_000 });
});
afterEach(async () => {
  expect(home.reported).toEqual([]);
  await home.dispose();
});
const folder = (...names: string[]) => join(home.dir, "data", ...names);
const segments = () => readdir(folder("journal"));
const filesIn = async (name: string) =>
  (await readdir(folder(name), { recursive: true })).filter((f) => f.includes("."));

describe("segments", () => {
  test("are followed by new ones as they grow, and go when their entries lie in the matches' files", async () => {
    const store = await home.open();
    const logs = Array.from({ length: 10 }, () => playedLog(SPEC));
    await Promise.all(logs.map((log) => storeLog(store, log, true)));
    const last = Math.max(...(await segments()).map((name) => Number.parseInt(name, 10)));
    expect(last).toBeGreaterThan(5);
    await eventually(segments).toHaveLength(1);
    for (const log of logs) expect(await store.read((log[0] as CreatedEntry).match_id)).toEqual(log);
    await store.close();
  });

  test("stay while the entries are in none of the files", async () => {
    const store = await home.open({ settleMs: 1_000_000 });
    const logs = Array.from({ length: 3 }, () => playedLog(SPEC, 10));
    for (const log of logs) await storeLog(store, log, false);
    expect((await segments()).length).toBeGreaterThan(1);
    expect(await filesIn("matches")).toEqual([]);
    await store.close();
  });

  test("a waiting room outlives any number of them, with its sign of life, through restarts", async () => {
    const waiting = createdEntry(SPEC);
    const running = playedLog(SPEC, 1);
    const { match_id } = running[0] as CreatedEntry;
    let store = await home.open();
    await store.create(waiting);
    await storeLog(store, running, false);
    store.alive(match_id, 7_000);
    await eventually(async () => (await store.unfinished()).map((u) => u.aliveElapsedMs)).toEqual([null, 7_000]);
    for (let round = 0; round < 3; round++) {
      await storeLog(store, playedLog(SPEC), true);
      await eventually(segments).toHaveLength(1);
      await store.close();
      store = await home.open();
      await eventually(segments).toHaveLength(1);
      expect(await store.unfinished()).toEqual([
        { matchId: waiting.match_id, entries: [waiting], aliveElapsedMs: null },
        { matchId: match_id, entries: running, aliveElapsedMs: 7_000 },
      ]);
      expect(await store.unfinishedByCode(waiting.room_code)).toBe(waiting.match_id);
    }
    await store.close();
  });
});

describe("files", () => {
  test("records appear by themselves, logs and records are for this user only", async () => {
    const store = await home.open();
    await storeLog(store, playedLog(SPEC), true);
    await eventually(() => filesIn("records")).toHaveLength(1);
    await eventually(() => filesIn("matches")).toHaveLength(1);
    for (const name of ["journal", "matches", "records"]) {
      for (const file of await readdir(folder(name), { recursive: true, withFileTypes: true })) {
        const { mode } = await stat(join(file.parentPath, file.name));
        expect(mode & 0o077, file.name).toBe(0);
      }
    }
    await store.close();
  });

  test("a record that the process before did not come to is made by the next", async () => {
    let store = await home.open({ settleMs: 1_000_000 });
    const log = playedLog(SPEC);
    await storeLog(store, log, true);
    await store.close();
    expect(await filesIn("records")).toEqual([]);
    store = await home.open();
    await eventually(() => filesIn("records")).toHaveLength(1);
    await eventually(async () => (await store.finished(5)).map((f) => f.match_id)).toEqual([
      (log[0] as CreatedEntry).match_id,
    ]);
    await store.close();
  });

  test("many sealed at once are all listed, each on a line of its own", async () => {
    const logs = Array.from({ length: 12 }, () => playedLog({ ...SPEC, format: "solo" }));
    const ids = logs.map((log) => (log[0] as CreatedEntry).match_id);
    let store = await home.open({ settleMs: 1_000_000 });
    await Promise.all(logs.map((log) => storeLog(store, log, true)));
    await Promise.all(ids.map((id) => store.record(id)));
    await store.close();
    store = await home.open({ settleMs: 1_000_000 });
    expect((await store.finished(99)).map((f) => f.match_id).sort()).toEqual([...ids].sort());
    await store.close();
  });

  test("a list of finished matches that a crash cut short loses one line and swallows none", async () => {
    const logs = Array.from({ length: 3 }, () => playedLog(SPEC));
    const ids = logs.map((log) => (log[0] as CreatedEntry).match_id);
    let store = await home.open();
    for (const log of logs.slice(0, 2)) {
      await storeLog(store, log, true);
      await store.record((log[0] as CreatedEntry).match_id);
    }
    await eventually(segments).toHaveLength(1);
    await store.close();
    const list = await readFile(folder("finished.log"));
    await writeFile(folder("finished.log"), list.subarray(0, -20));
    store = await home.open();
    await storeLog(store, logs[2] ?? [], true);
    await store.record(ids[2] as CreatedEntry["match_id"]);
    // The second one's log may still lie in the journal: then it is listed again.
    const listed = async () => (await store.finished(9)).map((f) => f.match_id);
    expect(await listed()).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    await store.close();
    store = await home.open();
    expect(await listed()).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    await store.close();
  });
});
