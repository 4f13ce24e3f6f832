import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StoreUnavailable } from "../rooms/ports.ts";
import { LogError } from "../shared/protocol/match.ts";
import { createdEntry, playedLog, SEED } from "../test/support/logs.ts";
import { openSigner } from "./keys/recordKeys.ts";
import { type Sealer, startSealer } from "./sealer.ts";
import { makeSeal } from "./signing.ts";

const SPEC = { format: "1v1", level: 1, seed: SEED } as const;

let dir: string;
let sealer: Sealer;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-seal-"));
  sealer = startSealer(dir);
});
afterEach(async () => {
  await sealer.stop();
  await rm(dir, { recursive: true, force: true });
});

describe("sealing on another thread", () => {
  test("gives what sealing here gives, for many at once", async () => {
    const logs = [playedLog(SPEC), playedLog({ ...SPEC, format: "solo" }), playedLog({ ...SPEC, format: "ffa4" })];
    const seal = makeSeal(openSigner(dir));
    const there = await Promise.all(logs.map((log) => sealer.seal(log)));
    expect(there).toEqual(await Promise.all(logs.map(seal)));
    expect(await sealer.seal([createdEntry(SPEC), { type: "closed", at_ms: 1 }])).toBeNull();
  });

  test("a log that does not fold is a LogError, and the thread goes on", async () => {
    await expect(sealer.seal(playedLog(SPEC, 3))).rejects.toThrow(LogError);
    await expect(sealer.seal([])).rejects.toThrow(LogError);
    expect(await sealer.seal(playedLog(SPEC))).not.toBeNull();
  });

  test("when the thread ends what was asked is refused for now, and the next one starts a new thread", async () => {
    const asked = sealer.seal(playedLog(SPEC));
    await sealer.stop();
    await expect(asked).rejects.toThrow(StoreUnavailable);
    expect(await sealer.seal(playedLog(SPEC))).not.toBeNull();
  });

  test("a damaged key ends the thread, not the process, and is not told", async () => {
    await writeFile(join(dir, "record-key.json"), "{}");
    await expect(sealer.seal(playedLog(SPEC))).rejects.toThrow(StoreUnavailable);
  });
});
