/** What is over goes after the time or the number that was set; nothing else does. */
import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MatchId } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import { createdEntry, playedLog, SEED } from "../../test/support/logs.ts";
import { ConfigError, readConfig } from "../config.ts";
import { storeLog } from "./contract.ts";
import { eventually } from "./eventually.ts";
import type { FileStore } from "./fileStore.ts";
import { KEEP_ALL, type Retention } from "./retention.ts";
import { type FileHome, fileHome } from "./testHome.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const SPEC = { format: "solo", level: 1, seed: SEED } as const;
const played = () => playedLog(SPEC);
const idOf = (log: readonly LogEntry[]): MatchId => (log[0] as CreatedEntry).match_id;

let home: FileHome;
let store: FileStore;
beforeEach(async () => {
  home = await fileHome({ segmentBytes: 4_000 });
  store = await home.open();
});
afterEach(async () => {
  await store.close();
  expect(home.reported).toEqual([]);
  await home.dispose();
});

const folder = (...names: string[]) => join(home.dir, "data", ...names);
const filesIn = async (name: string): Promise<string[]> =>
  (await readdir(folder(name), { recursive: true })).filter((file) => file.includes(".")).sort();

async function playOut(count: number): Promise<MatchId[]> {
  const ids: MatchId[] = [];
  for (let i = 0; i < count; i++) {
    const log = played();
    await storeLog(store, log, true);
    ids.push(idOf(log));
  }
  return ids;
}

/** Plays matches to their end, one after another, until all of them are listed. */
async function finish(count: number): Promise<MatchId[]> {
  const ids = await playOut(count);
  await eventually(async () => (await store.finished(200)).length).toBeGreaterThanOrEqual(count);
  return ids;
}

/** The store is opened anew by somebody who keeps no more than that. */
async function keep(retention: Partial<Retention>): Promise<void> {
  await store.close();
  store = await home.open({ retention: { ...KEEP_ALL, leastMs: 0, ...retention } });
}

/** As if the match had ended so many days ago. */
async function age(id: MatchId, days: number): Promise<void> {
  const then = new Date(Date.now() - days * DAY_MS);
  for (const name of ["matches", "records"]) {
    for (const file of await filesIn(name)) if (file.includes(id)) await utimes(folder(name, file), then, then);
  }
}
const left = async (ids: readonly MatchId[]) => {
  const records = await Promise.all(ids.map((id) => store.record(id)));
  return ids.filter((_, i) => records[i] !== null);
};

test("left out: everything stays", async () => {
  const ids = await finish(3);
  for (const id of ids) await age(id, 10_000);
  await keep({ everyMs: 5 });
  await eventually(() => filesIn("matches")).toHaveLength(3);
  expect(await left(ids)).toEqual(ids);
});

test("by number: the newest stay; log, record and line of the others go, and their folders when they are empty", async () => {
  const ids = await finish(5);
  await keep({ matches: 2 });
  await eventually(() => left(ids)).toEqual(ids.slice(3));
  await eventually(async () => (await store.finished(200)).map(({ match_id }) => match_id)).toEqual(
    ids.slice(3).reverse(),
  );
  for (const id of ids.slice(0, 3)) {
    expect(await store.read(id)).toBeNull();
    expect(await store.claims.ownerOf(id)).toBeNull();
  }
  expect(await filesIn("matches")).toEqual(expect.arrayContaining([expect.stringContaining(ids[4] ?? "")]));
  expect(await readFile(folder("finished.log"), "utf8")).not.toContain(ids[0]);
  // What stays is the same as ever, for the next process too.
  const kept = await store.record(ids[4] as MatchId);
  await keep({ matches: 2 });
  expect(await store.record(ids[4] as MatchId)).toBe(kept);
  expect((await store.finished(200)).length).toBe(2);
});

test("by age: what ended long ago goes, also when its end lay in the journal alone", async () => {
  const ids = await finish(4);
  await eventually(() => filesIn("records")).toHaveLength(4);
  for (const id of ids.slice(0, 2)) await age(id, 8);
  await keep({ days: 7 });
  await eventually(() => left(ids)).toEqual(ids.slice(2));
  await eventually(() => filesIn("records")).toHaveLength(2);
});

test("while it runs, round after round; the journal is begun anew so that the old can go", async () => {
  await keep({ matches: 1, everyMs: 5 });
  const ids = await playOut(4);
  await eventually(() => left(ids)).toEqual(ids.slice(-1));
  await eventually(() => filesIn("records")).toHaveLength(1);
});

test.each(["0", "-1", "soon", "1.5"])("a setting of %s is none", (value) => {
  for (const name of ["KEEP_DAYS", "KEEP_MATCHES"]) expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
});

describe("what stays whatever is set", () => {
  test("waiting rooms and running matches, with all that belongs to them, however old", async () => {
    const waiting = createdEntry(SPEC);
    const running = playedLog(SPEC, 5);
    await store.create(waiting);
    await storeLog(store, running, false);
    const ids = await finish(3);
    await keep({ days: 1, matches: 1, everyMs: 5 });
    await eventually(() => left(ids)).toEqual(ids.slice(2));
    for (const id of [waiting.match_id, idOf(running)]) await age(id, 100);
    await keep({ days: 1, matches: 1, everyMs: 5 });
    await eventually(() => left(ids)).toEqual(ids.slice(2));
    expect(await store.read(waiting.match_id)).toEqual([waiting]);
    expect(await store.read(idOf(running))).toEqual(running);
    expect((await store.unfinished()).length).toBe(2);
  });

  test("what has ended within the last hour", async () => {
    const ids = await finish(3);
    await age(ids[0] as MatchId, 1);
    await keep({ matches: 1, leastMs: 60 * 60 * 1_000 });
    await eventually(() => left(ids)).toEqual(ids.slice(1));
  });
});

test("a round that was cut short is finished by the next: no record without a log comes back", async () => {
  const ids = await finish(3);
  await keep({ matches: 2 });
  await eventually(() => left(ids)).toEqual(ids.slice(1));
  await keep({ matches: 1 });
  await store.close();
  store = await home.open({ retention: { ...KEEP_ALL, leastMs: 0, matches: 1 } });
  await eventually(() => left(ids)).toEqual(ids.slice(2));
  expect(await store.read(ids[1] as MatchId)).toBeNull();
});
