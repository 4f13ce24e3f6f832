/**
 * A disk on which every sync takes 300 ms longer, and a `kill -9` while it does: answers come later, and nothing else.
 * CHAOS_MATCHES makes it as many matches as one likes.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Crowd } from "../support/crowd.ts";
import { AFTER_A_FAULT, AT_THE_END, broken } from "../support/oracle.ts";
import { type RunningServer, startServerProcess } from "../support/server.ts";
import { canTrace, slowDisk } from "../support/slowDisk.ts";

const MATCHES = Number(process.env.CHAOS_MATCHES ?? 60);
const SYNC_MS = 300;
const ENV = { RATE_LIMITS: "off", LOG_LEVEL: "error", OPS_PORT: "0" };
const mayTrace = await canTrace();

test.skipIf(!mayTrace)(`a disk that syncs ${SYNC_MS} ms late`, { timeout: 600_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "gearmice-slow-disk-"));
  let server: RunningServer | null = await startServerProcess(ENV, dataDir);
  const port = new URL(server.url).port;
  const crowd = new Crowd({ matches: MATCHES, doors: () => (server === null ? [] : [server.url]) });
  const world = { crowd, processes: () => (server === null ? [] : [server]) };
  try {
    await crowd.start();
    const disk = await slowDisk(server.child.pid as number, SYNC_MS);
    const fromMs = performance.now();
    await crowd.played(5 * MATCHES);
    const slowMs = performance.now() - fromMs;
    expect(await broken(world, AFTER_A_FAULT), server.output()).toEqual({});
    // Of one match no two commands share a commit, so none of them was acknowledged before its sync.
    expect(slowMs).toBeGreaterThan(SYNC_MS);

    // Killed with commits on their way; its end is not told while it is traced.
    const dying = server;
    server = null;
    dying.child.kill("SIGKILL");
    await disk.end();
    await dying.stop("SIGKILL");
    server = await startServerProcess({ ...ENV, PORT: port }, dataDir);
    await crowd.played(MATCHES);
    expect(await broken(world, AFTER_A_FAULT), server.output()).toEqual({});
    await crowd.finish();
    expect(await broken(world, AT_THE_END), server.output()).toEqual({});
  } finally {
    await crowd.close();
    await server?.stop("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
});
