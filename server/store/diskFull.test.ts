import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { CreatedEntry } from "../../shared/protocol/log.ts";
import { playedLog, SEED } from "../../test/support/logs.ts";
import { eventually } from "./eventually.ts";
import { StoreUnavailable } from "./MatchStore.ts";
import { fileHome } from "./testHome.ts";

const mountPoint = mkdtempSync(join(tmpdir(), "gearmice-full-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", mountPoint]).status === 0;
afterAll(() => {
  if (mounted) spawnSync("umount", [mountPoint]);
  rmSync(mountPoint, { recursive: true, force: true });
});

// Where nobody may mount, durability.test.ts has the same with failing writes.
test.skipIf(!mounted)(
  "a disk that is really full refuses, loses nothing, and works again when there is room",
  async () => {
    const home = await fileHome({}, mountPoint);
    let store = await home.open();
    const ballast = join(mountPoint, "ballast");
    const log = playedLog({ format: "1v1", level: 1, seed: SEED });
    const { match_id } = log[0] as CreatedEntry;
    await store.create(log[0] as CreatedEntry);
    await store.append(match_id, 1, log.slice(1, 3), false);
    await writeFile(ballast, Buffer.alloc(1 << 20)).catch((error: NodeJS.ErrnoException) =>
      expect(error.code).toBe("ENOSPC"),
    );
    let version = 3;
    // What is left of the last page still takes a little.
    const refused = async () => {
      try {
        await store.append(match_id, version, log.slice(version, version + 1), false);
        version++;
        return null;
      } catch (error) {
        return error;
      }
    };
    await eventually(refused).toBeInstanceOf(StoreUnavailable);
    for (let i = 0; i < 10; i++) {
      await expect(store.append(match_id, version, log.slice(version), true)).rejects.toThrow(StoreUnavailable);
    }
    expect(await store.read(match_id)).toEqual(log.slice(0, version));
    await rm(ballast);
    await store.append(match_id, version, log.slice(version), true);
    expect(await store.read(match_id)).toEqual(log);
    expect(await store.record(match_id)).not.toBeNull();
    await store.close();
    store = await home.open();
    expect(await store.read(match_id)).toEqual(log);
    await store.close();
  },
);
