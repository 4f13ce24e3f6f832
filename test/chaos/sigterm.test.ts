/**
 * SIGTERM: no new rooms, clients are told when to come again, and the process is gone within 10 s, also when its
 * storage does not answer any more. What had been acknowledged is there at the next start.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { expect, test } from "vitest";
import { call, guest, type Json, joinSeat, watch } from "../../server/testing/kit.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { type RunningServer, startServerProcess } from "../support/server.ts";
import { canTrace, type SlowDisk, slowDisk } from "../support/slowDisk.ts";
import { until } from "../support/until.ts";

const EXIT_WITHIN_MS = 10_000;
const ENV = { RATE_LIMITS: "off", LOG_LEVEL: "error", OPS_PORT: "0", BOT_PACE_MS: "0" };

interface Storage {
  readonly env: Readonly<Record<string, string>>;
  /** It answers no more. */
  stall(server: RunningServer): Promise<void>;
  mend(): Promise<void>;
  stop(): Promise<void>;
}

async function redisStops(): Promise<Storage> {
  const redis: RunningRedis = await startRedis({ appendonly: "always" });
  return {
    env: { REDIS_URL: redis.url, REDIS_PREFIX: `test-${randomUUID()}:`, LEASE_SECONDS: "2" },
    stall: async () => void process.kill(redis.pid, "SIGSTOP"),
    mend: async () => void process.kill(redis.pid, "SIGCONT"),
    stop: () => redis.stop(),
  };
}

async function diskStalls(): Promise<Storage> {
  let disk: SlowDisk | null = null;
  return {
    env: {},
    async stall({ child }) {
      disk = await slowDisk(child.pid as number, 60_000);
    },
    mend: async () => disk?.end(),
    stop: async () => {},
  };
}

async function nothing(): Promise<Storage> {
  return { env: {}, stall: async () => {}, mend: async () => {}, stop: async () => {} };
}

const storages: readonly (readonly [name: string, make: () => Promise<Storage>])[] = [
  ["its storage well", nothing],
  ["Redis stopped", redisStops],
  ...((await canTrace()) ? [["the disk stalled", diskStalls] as const] : []),
];

/** Also one whose end its parent is not told, because it is traced (`slowDisk`). */
async function isDead(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat === "" || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

test.concurrent.each(storages)("SIGTERM, %s", async (_name, make) => {
  const dataDir = await mkdtemp(join(tmpdir(), "gearmice-sigterm-"));
  const storage = await make();
  const env = { ...ENV, ...storage.env };
  let server = await startServerProcess(env, dataDir);
  // Opened before: the process takes no new connections once it is closing.
  const line = new Agent({ connections: 1, keepAliveTimeout: 60_000 });
  const ask = async (path: string, token: string, body: object): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${server.url}/api/v1${path}`;
    const answer = await request(url, { dispatcher: line, method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.statusCode, body: await answer.body.json(), headers: answer.headers };
  };
  try {
    const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
    const room = (await ask("/rooms", ada.token, { preset: "duel" })).body;
    const seat2 = (await ask(`/rooms/${room.code}/join`, bob.token, {})).body.seat_token;
    const waiting = (await ask("/rooms", ada.token, { preset: "duel" })).body;
    const house = (await ask("/rooms", ada.token, { preset: "david-goliath" })).body;
    const moves = `/matches/${room.match_id}/moves`;
    expect((await ask(moves, room.seat_token, { turn: 0, command: "G1@P11+90" })).body.ok).toBe(true);
    const sockets = [await joinSeat(server.url, room.code, room.seat_token), await watch(server.url, room.code)];
    const cut = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.onLeave(resolve))));

    await storage.stall(server);
    const pending = call(server, "POST", moves, { token: seat2, body: { turn: 1, command: "G1@P14+90" } });
    const asked = pending.then(
      ({ status, body }) => ({ status, body }),
      () => null,
    );
    const fromMs = performance.now();
    server.child.kill("SIGTERM");
    await until("it says so", () => server.output().includes("closing"));
    // Whoever gets an answer at all is told to come again, and when.
    const refused = await ask("/rooms", ada.token, { preset: "duel" }).catch(() => null);
    if (refused !== null) {
      expect(refused).toMatchObject({ status: 503, body: { error: { code: "unavailable", retry_after_s: 2 } } });
      expect(refused.headers["retry-after"]).toBe("2");
    }
    await until("it is gone", () => isDead(server.child.pid as number));
    expect(performance.now() - fromMs).toBeLessThan(EXIT_WITHIN_MS);
    await storage.mend();
    // 4001: come again (PROTOCOL 5). What dies with its storage cannot say so any more.
    for (const code of await cut) expect([4001, 1006]).toContain(code);

    const acknowledged = await asked;
    server = await startServerProcess(env, dataDir);
    const state = await until("the match is there", async () => {
      const { status, body } = await call(server, "GET", `/matches/${room.match_id}/state`, { token: room.seat_token });
      return status === 200 ? body : null;
    });
    expect(state.meta.turn).toBeGreaterThanOrEqual(acknowledged?.status === 200 ? 2 : 1);
    expect(state.data.history[0]).toBe("Turn 1 [P1]: G1@P11(b=0)+90");
    // The same move once more: counted once, whether its answer came through or not.
    const again = await call(server, "POST", moves, { token: seat2, body: { turn: 1, command: "G1@P14+90" } });
    expect(again.body).toMatchObject({ ok: true });
    expect(again.body.state.data.history).toHaveLength(2);
    // Waiting rooms are there, and seats of the house are driven.
    const joined = await call(server, "POST", `/rooms/${waiting.code}/join`, { token: bob.token, body: {} });
    expect(joined.body).toMatchObject({ seat: "P2" });
    const first = { turn: 0, command: "G1@P11+90" };
    await call(server, "POST", `/matches/${house.match_id}/moves`, { token: house.seat_token, body: first });
    await until("the house has moved", async () => {
      const { body } = await call(server, "GET", `/matches/${house.match_id}/state`);
      return body.meta.turn >= 2;
    });
  } finally {
    await storage.mend();
    await server.stop("SIGKILL");
    await storage.stop();
    await line.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
