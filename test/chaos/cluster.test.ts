/**
 * Three processes on one Redis under load, and one fault after the other: processes killed and stopped, Redis killed
 * and restarted, nets that are slow, cut, or swallow closings. After each the oracle is asked.
 * CHAOS_MATCHES makes it as many matches as one likes, CHAOS_STOP_SECONDS the time of a stopped process as long.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Crowd } from "../support/crowd.ts";
import { AFTER_A_FAULT, AT_THE_END, broken, heldBy } from "../support/oracle.ts";
import { startProxy, type Proxy as TcpProxy } from "../support/proxy.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { type RunningServer, startServerProcess } from "../support/server.ts";

const MATCHES = Number(process.env.CHAOS_MATCHES ?? 60);
const LEASE_SECONDS = 2;
const LEASE_MS = LEASE_SECONDS * 1_000;
const STOP_MS = Number(process.env.CHAOS_STOP_SECONDS ?? 1.5 * LEASE_SECONDS) * 1_000;

interface Node {
  readonly server: RunningServer;
  /** Between clients and it. */
  readonly door: TcpProxy;
  /** Between it and Redis. */
  readonly store: TcpProxy;
}

let redis: RunningRedis;
let nodes: Node[] = [];
/** Where clients may knock. */
let open: Node[] = [];
const crowd = new Crowd({ matches: MATCHES, doors: () => open.map(({ door }) => door.url) });
const world = { crowd, processes: () => nodes.map(({ server }) => server) };
const figures: object[] = [];

async function startNode(): Promise<Node> {
  const store = await startProxy(redis.url);
  const server = await startServerProcess({
    REDIS_URL: store.url.replace("http:", "redis:"),
    LEASE_SECONDS: String(LEASE_SECONDS),
    RATE_LIMITS: "off",
    LOG_LEVEL: "fatal",
    OPS_PORT: "0",
  });
  return { server, store, door: await startProxy(server.url) };
}

async function stopNode({ server, door, store }: Node): Promise<void> {
  server.child.kill("SIGCONT");
  await server.stop("SIGKILL");
  await Promise.all([door.close(), store.close()]);
}

/** The one that holds most: a fault there is felt. */
async function busiest(): Promise<Node> {
  const held = await Promise.all(nodes.map(({ server }) => heldBy(server)));
  return nodes[held.findIndex((ids) => ids.length === Math.max(...held.map(({ length }) => length)))] as Node;
}

beforeAll(async () => {
  redis = await startRedis({ appendonly: "always" });
  nodes = await Promise.all([0, 1, 2].map(startNode));
  open = nodes;
  await crowd.start();
}, 120_000);

afterAll(async () => {
  await crowd.close();
  for (const node of nodes) await stopNode(node);
  await redis?.stop();
  if (process.env.CHAOS_FIGURES) console.table(figures);
});

const faults: readonly [name: string, fault: () => Promise<void>][] = [
  [
    "kill -9 of one process; another one comes",
    async () => {
      const dead = await busiest();
      nodes = open = nodes.filter((node) => node !== dead);
      await stopNode(dead);
      await crowd.played(MATCHES);
      nodes = open = [...nodes, await startNode()];
    },
  ],
  [
    "SIGSTOP of one process past its lease; then it goes on",
    async () => {
      const { server } = await busiest();
      server.child.kill("SIGSTOP");
      await sleep(STOP_MS);
      server.child.kill("SIGCONT");
    },
  ],
  [
    "one process is cut off from Redis past its lease",
    async () => {
      const { store } = await busiest();
      store.cut();
      await sleep(1.5 * LEASE_MS);
      store.mend();
    },
  ],
  [
    "Redis is killed, and started again on what it had stored",
    async () => {
      await redis.kill("SIGKILL");
      await redis.restart();
    },
  ],
  [
    "Redis is restarted in order",
    async () => {
      await redis.kill("SIGTERM");
      await redis.restart();
    },
  ],
  [
    "Redis is 300 ms further away",
    async () => {
      for (const { store } of nodes) store.delay(300);
      await crowd.played(MATCHES / 2);
      for (const { store } of nodes) store.delay(0);
    },
  ],
  [
    "connections to Redis break, and Redis does not hear of it",
    async () => {
      for (let i = 0; i < 3; i++) {
        for (const { store } of nodes) store.vanish();
        await crowd.played(MATCHES / 3);
      }
    },
  ],
  [
    "answers of Redis do not come, then all at once",
    async () => {
      for (const { store } of nodes) store.hold("answers");
      await sleep(500);
      for (const { store } of nodes) store.letGo();
    },
  ],
  [
    "clients are 300 ms further away, are cut, and vanish",
    async () => {
      for (const { door } of open) door.delay(300);
      await crowd.played(MATCHES / 2);
      for (const { door } of open) door.vanish();
      await crowd.played(MATCHES / 2);
      for (const { door } of open) {
        door.delay(0);
        door.cut();
        door.mend();
      }
    },
  ],
  [
    "answers to clients are lost: held back, and then cut",
    async () => {
      for (const { door } of open) door.hold("answers");
      await sleep(300);
      for (const { door } of open) {
        door.cut();
        door.letGo();
        door.mend();
      }
    },
  ],
];

test.each(faults)("%s", async (name, fault) => {
  const fromMs = performance.now();
  await fault();
  await crowd.played(MATCHES);
  const playedMs = Math.round(performance.now() - fromMs);
  expect(await broken(world, AFTER_A_FAULT)).toEqual({});
  figures.push({ name, playedMs, live: crowd.games.filter(({ over }) => !over).length, acknowledged: crowd.acks });
});

test("at the end every match has its record, and is counted once", async () => {
  await crowd.finish();
  expect(await broken(world, AT_THE_END)).toEqual({});
  const all = crowd.games.flatMap((game) => game.acknowledged);
  figures.push({ name: "the end", live: crowd.games.length, acknowledged: all.length });
  // Some answers were lost, or nothing was tried here.
  expect(all.some(({ repeated }) => repeated)).toBe(true);
});
