/** Copies of a store at full pace: each opens by itself and has all that was acknowledged before it was begun. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MatchId } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import { verifyRecord } from "../../shared/protocol/recordVerify.ts";
import { createdEntry, playedLog, SEED } from "../../test/support/logs.ts";
import { checkSignature } from "../signing.ts";
import { copyData } from "./backup.ts";
import { storeLog } from "./contract.ts";
import { eventually } from "./eventually.ts";
import type { FileStore } from "./fileStore.ts";
import { type FileHome, fileHome } from "./testHome.ts";

let home: FileHome;
beforeEach(async () => {
  // Segments come and go all the time.
  home = await fileHome({ segmentBytes: 5_000 });
});
afterEach(async () => {
  expect(home.reported).toEqual([]);
  await home.dispose();
});
const data = () => join(home.dir, "data");

/** Opens a copy as a server with the same keys would. */
async function restored(copy: string): Promise<{ store: FileStore; place: FileHome }> {
  const dir = `${copy}-restored`;
  await mkdir(dir);
  await writeFile(join(dir, "record-key.json"), await readFile(join(home.dir, "record-key.json")));
  await rename(copy, join(dir, "data"));
  const place = await fileHome({}, dir);
  return { store: await place.open(), place };
}

/** Plays matches on a store until it is told to stop, and tells what has been acknowledged so far. */
function playing(store: FileStore) {
  const acknowledged = new Map<MatchId, LogEntry[]>();
  let stopped = false;
  const play = async () => {
    while (!stopped) {
      const log = playedLog({ format: "solo", level: 1, seed: randomBytes(16).toString("hex") });
      const [created, ...rest] = log as [CreatedEntry, ...LogEntry[]];
      const own: LogEntry[] = [created];
      await store.create(created);
      acknowledged.set(created.match_id, own);
      for (const [i, entry] of rest.entries()) {
        if (stopped) return;
        await store.append(created.match_id, i + 1, [entry], i + 1 === rest.length);
        own.push(entry);
      }
    }
  };
  const done = Promise.all(Array.from({ length: 8 }, play));
  return {
    soFar: () => new Map([...acknowledged].map(([id, own]) => [id, [...own]])),
    async stop() {
      stopped = true;
      await done;
    },
  };
}

test("copies while it runs: nothing acknowledged is missing, what was running goes on, every record verifies", async () => {
  const store = await home.open();
  const play = playing(store);
  const copies: { readonly copy: string; readonly before: Map<MatchId, LogEntry[]> }[] = [];
  for (let i = 0; i < 5; i++) {
    const copy = join(home.dir, `copy-${i}`);
    const before = play.soFar();
    await copyData(data(), copy);
    copies.push({ copy, before });
  }
  await play.stop();
  const after = play.soFar();
  await store.close();

  let [goneOn, checked] = [0, 0];
  for (const { copy, before } of copies) {
    const { store, place } = await restored(copy);
    const unfinished = new Map((await store.unfinished()).map((match) => [match.matchId, match.entries]));
    for (const [id, entries] of before) {
      const found = (await store.read(id)) ?? [];
      expect(found.slice(0, entries.length)).toEqual(entries);
      // What the copy has beyond that is what came next, and nothing else.
      expect(found).toEqual(after.get(id)?.slice(0, found.length));
      checked += entries.length;
      const going = unfinished.get(id);
      if (going === undefined) {
        const record = (await store.record(id)) ?? "";
        expect(await verifyRecord(record, { keys: [place.keyId], checkSignature })).toMatchObject({ ok: true });
        continue;
      }
      expect(going).toEqual(found);
    }
    // All of them go on, also those that had been begun when the copy already was.
    for (const [id, { length }] of unfinished) {
      await store.claims.adopt(id);
      await store.append(id, length, [{ type: "closed", at_ms: 1_900_000_000_000 }], true);
      goneOn++;
    }
    const finished = await store.finished(200);
    expect(new Set(finished.map(({ match_id }) => match_id)).size).toBe(finished.length);
    await store.close();
    // Once more, now from what that process has left.
    const again = await place.open();
    expect(await again.unfinished()).toEqual([]);
    await again.close();
    expect(place.reported).toEqual([]);
  }
  expect(goneOn).toBeGreaterThan(0);
  expect(checked).toBeGreaterThan(0);
}, 60_000);

test("between any two parts of the copy the journal is emptied and matches end and begin: nothing is missing", async () => {
  const store = await home.open();
  const logs = Array.from({ length: 12 }, () => playedLog({ format: "solo", level: 1, seed: SEED }));
  const told = new Map<MatchId, number>();
  /** Plays a match on from where it is. */
  const playOn = async (log: readonly LogEntry[], upTo: number) => {
    const [created] = log as [CreatedEntry];
    const from = told.get(created.match_id) ?? 0;
    if (from === 0) await store.create(created);
    for (let i = Math.max(1, from); i < upTo; i++) {
      await store.append(created.match_id, i, log.slice(i, i + 1), i + 1 === log.length);
    }
    told.set(created.match_id, Math.max(from, upTo));
  };
  for (const log of logs.slice(0, 6)) await playOn(log, 10);
  const before = new Map(told);
  let part = 0;
  await copyData(data(), join(home.dir, "copy"), async () => {
    // What was begun goes on or ends, others begin, and all of it but the last segment leaves the journal.
    for (const [i, log] of logs.entries()) if (i <= part + 6) await playOn(log, i <= part ? log.length : 12 + part);
    part++;
    await eventually(async () => (await readdir(join(data(), "journal"))).length).toBe(1);
  });
  expect(part).toBeGreaterThan(2);
  await store.close();

  const records = (await readdir(join(home.dir, "copy", "records"), { recursive: true })).join();
  const { store: copy, place } = await restored(join(home.dir, "copy"));
  const unfinished = await copy.unfinished();
  // A record says how a match ended that has not ended here: it may end otherwise.
  expect(unfinished.filter(({ matchId }) => records.includes(matchId))).toEqual([]);
  for (const log of logs) {
    const [{ match_id: id }] = log as [CreatedEntry];
    const found = (await copy.read(id)) ?? [];
    expect(found.length).toBeGreaterThanOrEqual(before.get(id) ?? 0);
    expect(found).toEqual(log.slice(0, found.length));
    const over = found.length === log.length;
    expect(unfinished.some(({ matchId }) => matchId === id)).toBe(found.length > 0 && !over);
    if (over) {
      const record = (await copy.record(id)) ?? "";
      expect(await verifyRecord(record, { keys: [place.keyId], checkSignature })).toMatchObject({ ok: true });
    } else if (found.length > 0) {
      expect(await copy.record(id)).toBeNull();
      await copy.claims.adopt(id);
      await copy.append(id, found.length, log.slice(found.length), true);
      expect(await copy.read(id)).toEqual(log);
    }
  }
  expect(unfinished.length).toBeGreaterThan(0);
  await copy.close();
  expect(place.reported).toEqual([]);
});

test("modes and times are kept; what belongs to the running process is not copied", async () => {
  const store = await home.open();
  await storeLog(store, playedLog({ format: "solo", level: 1, seed: SEED }), true);
  await store.create(createdEntry({ format: "1v1", level: 1, seed: SEED }));
  await writeFile(join(data(), "admin-address"), "http://127.0.0.1:1");
  await writeFile(join(data(), "token-keys.json"), "{}", { mode: 0o600 });
  const copy = join(home.dir, "copy");
  await copyData(data(), copy);
  expect((await readdir(copy)).filter((name) => /lock|address/.test(name))).toEqual([]);
  for (const name of ["token-keys.json", join("journal", (await readdir(join(copy, "journal")))[0] ?? "")]) {
    const [was, is] = [await stat(join(data(), name)), await stat(join(copy, name))];
    expect(is.mode & 0o777).toBe(0o600);
    expect(Math.abs(is.mtimeMs - was.mtimeMs)).toBeLessThan(1_000);
  }
  await store.close();
});

test.each([
  ["no data folder", "nothing", "copy", /no data folder|ENOENT/],
  ["into itself", "data", "data", /lies in/],
  ["into a folder of its own", "data", join("data", "deep", "copy"), /lies in/],
  ["a folder with something in it", "data", ".", /not empty/],
])("refused: %s", async (_name, from, to, message) => {
  await (await home.open()).close();
  await mkdir(join(home.dir, "nothing"), { recursive: true });
  await expect(copyData(join(home.dir, from), join(home.dir, to))).rejects.toThrow(message);
  await rm(join(home.dir, "nothing"), { recursive: true });
});
