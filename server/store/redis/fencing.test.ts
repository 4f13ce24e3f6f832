/** A process that was paused or cut off can write nothing after another took over (DESIGN 4). */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MatchId } from "../../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../../shared/protocol/log.ts";
import { createdEntry, playedLog, SEED } from "../../../test/support/logs.ts";
import { startProxy } from "../../../test/support/proxy.ts";
import { type RunningRedis, startRedis } from "../../../test/support/redis.ts";
import { storeLog } from "../contract.ts";
import { eventually } from "../eventually.ts";
import { NotOwner, type UnfinishedMatch } from "../MatchStore.ts";
import { rawRedis, redisHome } from "./testHome.ts";

const CHILD = fileURLToPath(new URL("./holderChild.ts", import.meta.url));
const SPEC = { format: "1v1", level: 1, seed: SEED } as const;
const MATCHES = 10;

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

interface Line {
  readonly id: MatchId;
  readonly version?: number;
  readonly entry?: LogEntry;
  readonly refused?: string;
  readonly lost?: readonly MatchId[];
}

test("stopped past its lease, then woken: every append of the old owner is refused and changes nothing", async () => {
  const home = await redisHome(redis.url);
  const b = await home.open();
  const child: ChildProcess = spawn(process.execPath, [CHILD, redis.url, home.dir, home.prefix, String(MATCHES)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  try {
    const lines: Line[] = [];
    const paced = Promise.withResolvers<void>();
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      lines.push(JSON.parse(line));
      if (lines.length === 40 * MATCHES) paced.resolve();
    });
    await paced.promise;
    const ids = [...new Set(lines.map((line) => line.id))];
    expect(ids).toHaveLength(MATCHES);
    expect(await b.claims.adopt(ids[0] as MatchId)).toBeNull();

    child.kill("SIGSTOP");
    const adopted = new Map<MatchId, UnfinishedMatch>();
    const mark: LogEntry = { type: "abandoned", at_ms: 7 };
    for (const id of ids) {
      await eventually(async () => {
        const match = await b.claims.adopt(id);
        if (match !== null) adopted.set(id, match);
        return match !== null;
      }).toBe(true);
      // The last one is only taken, so that length alone would let the old owner in.
      if (id !== ids.at(-1)) await b.append(id, adopted.get(id)?.entries.length ?? 0, [mark], false);
    }
    child.kill("SIGCONT");
    expect(await exited).toBe(0);

    for (const id of ids) {
      const { entries = [] } = adopted.get(id) ?? {};
      expect(await b.read(id)).toEqual(id === ids.at(-1) ? entries : [...entries, mark]);
      for (const { version = 0, entry } of lines.filter((line) => line.id === id && line.entry !== undefined)) {
        expect(entries[version - 1]).toEqual(entry);
      }
    }
    const refused = lines.filter((line) => line.refused !== undefined);
    expect(refused.map((line) => [line.id, line.refused]).sort()).toEqual(ids.map((id) => [id, "NotOwner"]).sort());
    expect(lines.flatMap((line) => line.lost ?? []).sort()).toEqual([...ids].sort());
    expect(lines.filter((line) => "reported" in line)).toEqual([]);
    await b.append(ids[0] as MatchId, (await b.read(ids[0] as MatchId))?.length ?? 0, [mark], true);
  } finally {
    child.kill("SIGKILL");
    await exited;
    await b.close();
    await home.dispose();
  }
}, 60_000);

test("a lease that lapsed: what another took is lost and told, what nobody took goes on", async () => {
  const home = await redisHome(redis.url, { leaseMs: 60_000 });
  const [a, b] = [await home.open(), await home.open()];
  const raw = await rawRedis(redis.url);
  const lost: MatchId[] = [];
  a.claims.lost((ids) => lost.push(...ids));
  const full = playedLog(SPEC);
  const log = full.slice(0, full.findLastIndex((e) => e.type === "turn") + 1);
  const [{ match_id: taken }, kept] = [log[0] as CreatedEntry, createdEntry(SPEC)];
  await storeLog(a, log, false);
  await a.create(kept);
  // As when it had not renewed in time.
  await raw.del(`${home.prefix}process:${a.claims.processId}`);
  expect(await b.claims.adopt(taken)).toMatchObject({ entries: log, aliveElapsedMs: null });
  // Whoever comes back renews first, and looks what is left when that was too late.
  await raw.clientKill({ filter: "TYPE", type: "normal" });
  await eventually(() => lost).toEqual([taken]);
  await a.append(kept.match_id, 1, [{ type: "closed", at_ms: 1 }], true);
  await expect(a.append(taken, log.length, [{ type: "abandoned", at_ms: 1 }], true)).rejects.toThrow(NotOwner);
  await eventually(() => b.claims.ownerOf(taken).catch(() => null)).toMatchObject({ processId: b.claims.processId });
  expect(lost).toEqual([taken]);
  raw.destroy();
  await Promise.all([a.close(), b.close()]);
  await home.dispose();
});

test("a process that could not renew for a lease is not sure of what it holds, until it has", async () => {
  const proxy = await startProxy(redis.url);
  const home = await redisHome(proxy.url.replace("http:", "redis:"), { leaseMs: 300 });
  const a = await home.open();
  expect(a.claims.sure()).toBe(true);
  proxy.cut();
  await eventually(() => a.claims.sure()).toBe(false);
  proxy.mend();
  await eventually(() => a.claims.sure()).toBe(true);
  await a.close();
  await home.dispose();
  await proxy.close();
});

test("a sign of life of the old owner is not taken for one of the new (R9.4)", async () => {
  const home = await redisHome(redis.url, { leaseMs: 60_000 });
  const [a, b] = [await home.open(), await home.open()];
  const raw = await rawRedis(redis.url);
  const full = playedLog(SPEC);
  const log = full.slice(0, full.findLastIndex((e) => e.type === "turn") + 1);
  const { match_id: id } = log[0] as CreatedEntry;
  await storeLog(a, log, false);
  await raw.del(`${home.prefix}process:${a.claims.processId}`);
  expect(await b.claims.adopt(id)).not.toBeNull();
  b.alive(id, 4_000);
  await eventually(async () => (await b.unfinished())[0]?.aliveElapsedMs).toBe(4_000);
  a.alive(id, 9_000);
  // Closing sends what was noted.
  await a.close();
  expect((await b.unfinished())[0]?.aliveElapsedMs).toBe(4_000);
  raw.destroy();
  await b.close();
  await home.dispose();
});
