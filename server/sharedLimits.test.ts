/** What several processes count together on a real Redis, and what each does alone when Redis is away. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningRedis, startRedis } from "../test/support/redis.ts";
import { until } from "../test/support/until.ts";
import { openLimits } from "./limits.ts";
import { sharedLimiters } from "./sharedLimits.ts";
import { Link } from "./store/redis/link.ts";

const AWAY = "203.0.113.9";
let redis: RunningRedis;
const links: Link[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  for (const link of links) link.destroy();
  await redis.stop();
});

/** The limits of two processes of one installation, and how often they asked Redis. */
async function twoProcesses() {
  const prefix = `test-${randomUUID()}:`;
  const report = { error: () => {}, info: () => {} };
  const asked = { count: 0 };
  const opened = await Promise.all([0, 1].map(() => Link.open({ url: redis.url, report })));
  links.push(...opened);
  const [a, b] = opened.map((link) => {
    const counting = {
      run: (...args: Parameters<Link["run"]>) => {
        asked.count++;
        return link.run(...args);
      },
    } as Pick<Link, "run">;
    return openLimits(sharedLimiters(counting, prefix));
  });
  return { a: a as NonNullable<typeof a>, b: b as NonNullable<typeof b>, asked };
}

test("creations are counted over all processes, by address and by identity", async () => {
  const { a, b } = await twoProcesses();
  for (let i = 0; i < 10; i++) {
    expect(await a.take("create", AWAY)).toBeNull();
    expect(await b.take("create", AWAY)).toBeNull();
  }
  for (const limits of [a, b]) {
    expect(await limits.take("create", AWAY)).toMatchObject({ code: "rate_limited" });
    expect(await limits.take("create", AWAY, "somebody")).toBeNull();
    expect(await limits.take("create", "198.51.100.1")).toBeNull();
  }
});

test("a move asks no store, and a call at most once in sixty", async () => {
  const { a, asked } = await twoProcesses();
  for (let i = 0; i < 60; i++) {
    await a.take("call", AWAY);
    await a.take("move", AWAY, "match P1");
  }
  expect(asked.count).toBeLessThanOrEqual(1);
});

test("calls are counted over all processes, a twentieth late", async () => {
  const { a, b } = await twoProcesses();
  let taken = 0;
  await until("the other process has heard of it", async () => {
    for (let i = 0; i < 60; i++) {
      for (const limits of [a, b]) if ((await limits.take("call", AWAY)) === null) taken++;
    }
    return (await a.take("call", AWAY)) !== null && (await b.take("call", AWAY)) !== null;
  });
  // Alone each would have let 1,200 through.
  expect(taken).toBeLessThan(1_800);
});

test("without Redis each process counts for itself, and then together again", async () => {
  const { a, b } = await twoProcesses();
  expect(await a.take("create", AWAY)).toBeNull();
  await redis.kill();
  for (const limits of [a, b]) {
    for (let i = 0; i < 20; i++) expect(await limits.take("create", AWAY)).toBeNull();
    expect(await limits.take("create", AWAY)).toMatchObject({ code: "rate_limited" });
  }
  await redis.restart();
  await until("they count together", async () => {
    const who = randomUUID();
    for (let i = 0; i < 20; i++) await a.take("create", AWAY, who);
    return (await b.take("create", AWAY, who)) !== null;
  });
});
