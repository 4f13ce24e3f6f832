/**
 * Run by fencing.test.ts: a process that holds matches and appends to all of them at full pace, until it holds none.
 * It prints one JSON object a line: each append that was acknowledged, each that was refused, and what it lost.
 */
import { writeSync } from "node:fs";
import type { CreatedEntry, LogEntry } from "../../../shared/protocol/log.ts";
import { playedLog, SEED } from "../../../test/support/logs.ts";
import { redisHome } from "./testHome.ts";

const [url = "", dir = "", prefix = "", matches = "1"] = process.argv.slice(2);
const home = await redisHome(url, { leaseMs: 2_000 }, { dir, prefix });
const store = await home.open();
const tell = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
store.claims.lost((lost) => tell({ lost }));

async function play(): Promise<void> {
  const log = playedLog({ format: "1v1", level: 1, seed: SEED });
  const [created, ...rest] = log as [CreatedEntry, ...LogEntry[]];
  const id = created.match_id;
  await store.create(created);
  tell({ id, version: 1, entry: created });
  // Round and round, so that it never runs out of entries; a store does not ask whether they make sense.
  for (let version = 1; ; version++) {
    const entry = rest[(version - 1) % rest.length] as LogEntry;
    store.alive(id, 1);
    try {
      await store.append(id, version, [entry], false);
    } catch (error) {
      tell({ id, refused: (error as Error).name });
      return;
    }
    tell({ id, version: version + 1, entry });
  }
}

await Promise.all(Array.from({ length: Number(matches) }, play));
await store.close();
for (const { at, error } of home.reported) tell({ reported: at, message: String(error) });
