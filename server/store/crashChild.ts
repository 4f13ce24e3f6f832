/** Run by crash.test.ts: plays matches at full pace on a store until it is killed, and prints what is acknowledged. */
import { createHash, randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import { playedLog } from "../../test/support/logs.ts";
import { fileHome } from "./testHome.ts";

const MATCHES_AT_ONCE = 16;

const home = await fileHome({ segmentBytes: 60_000 }, process.argv[2]);
const store = await home.open();
// What the process before left may be appended to.
for (const { matchId, entries } of await store.unfinished()) {
  if (entries.at(-1)?.type === "created")
    await store.append(matchId, entries.length, [{ type: "closed", at_ms: 2 }], true);
}

function acknowledge(id: string, version: number, entry: LogEntry): void {
  writeSync(1, `${id} ${version} ${createHash("sha256").update(JSON.stringify(entry)).digest("hex")}\n`);
}

async function play(): Promise<never> {
  for (;;) {
    const log = playedLog({ format: "solo", level: 1, seed: randomBytes(16).toString("hex") });
    const [created, ...rest] = log as [CreatedEntry, ...LogEntry[]];
    await store.create(created);
    acknowledge(created.match_id, 1, created);
    for (const [i, entry] of rest.entries()) {
      await store.append(created.match_id, i + 1, [entry], i + 1 === rest.length);
      acknowledge(created.match_id, i + 2, entry);
    }
  }
}

await Promise.all(Array.from({ length: MATCHES_AT_ONCE }, play));
