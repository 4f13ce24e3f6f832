import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MatchId } from "../../shared/protocol/ids.ts";
import { verifyRecord } from "../../shared/protocol/recordVerify.ts";
import { checkSignature } from "../signing.ts";
import { type FileHome, fileHome } from "./testHome.ts";

const CHILD = fileURLToPath(new URL("./crashChild.ts", import.meta.url));
const KILLS = 8;

let home: FileHome;
beforeEach(async () => {
  home = await fileHome({ segmentBytes: 60_000 });
});
afterEach(() => home.dispose());

interface Acknowledged {
  readonly version: number;
  readonly sha256: string;
}

/** Lets a process play at full pace until it has acknowledged `count` appends, then kills it without warning. */
async function playAndKill(count: number, acknowledged: Map<string, Acknowledged[]>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, home.dir], { stdio: ["ignore", "pipe", "inherit"] });
  const gone = new Promise<NodeJS.Signals | null>((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [id = "", version, sha256 = ""] = line.split(" ");
    // What the pipe still held when the process died was acknowledged too; a line it cut short was not.
    if (sha256.length !== 64) continue;
    const list = acknowledged.get(id) ?? [];
    list.push({ version: Number(version), sha256 });
    acknowledged.set(id, list);
    if (++seen === count) child.kill("SIGKILL");
  }
  expect(await gone).toBe("SIGKILL");
}

test(`kill -9 at full pace, ${KILLS} times: every acknowledged append is there, every record verifies`, async () => {
  const acknowledged = new Map<string, Acknowledged[]>();
  for (let kill = 0; kill < KILLS; kill++) {
    await playAndKill(150 + 61 * kill, acknowledged);
    const store = await home.open();
    let checked = 0;
    for (const [id, list] of acknowledged) {
      const entries = (await store.read(id as MatchId)) ?? [];
      for (const { version, sha256 } of list) {
        const entry = JSON.stringify(entries[version - 1] ?? null);
        expect(createHash("sha256").update(entry).digest("hex"), `entry ${version} of ${id}`).toBe(sha256);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(0);
    await store.close();
  }
  const store = await home.open();
  const finished = await store.finished(200);
  const records = [];
  for (const id of acknowledged.keys()) {
    const record = await store.record(id as MatchId);
    if (record !== null) records.push(record);
  }
  expect(records.length).toBeGreaterThan(0);
  for (const record of records) {
    expect(await verifyRecord(record, { keys: [home.keyId], checkSignature })).toMatchObject({
      ok: true,
      signer: "known",
    });
  }
  // Counted once, however often its sealing was interrupted.
  expect(new Set(finished.map((f) => f.match_id)).size).toBe(finished.length);
  expect(home.reported).toEqual([]);
  await store.close();
}, 120_000);
