/** The example in deploy/nginx.conf in front of two processes, with a real nginx. */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { rawRedis } from "../../../server/store/redis/testHome.ts";
import { call, guest, joinSeat, sync } from "../../../server/testing/kit.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { type RunningServer, startServerProcess } from "../../support/server.ts";
import { until } from "../../support/until.ts";

const isThere = spawnSync("nginx", ["-v"], { stdio: "ignore" }).status === 0;
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function startNginx(servers: readonly RunningServer[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "gearmice-nginx-"));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  const port = await freePort();
  let text = await readFile("deploy/nginx.conf", "utf8");
  const put = (was: string, is: string) => {
    expect(text).toContain(was);
    text = text.replace(was, is);
  };
  put("listen 8080", `listen 127.0.0.1:${port}`);
  put("127.0.0.1:2567", new URL((servers[0] as RunningServer).url).host);
  put("127.0.0.1:2568", new URL((servers[1] as RunningServer).url).host);
  await writeFile(join(dir, "nginx.conf"), text);
  const nginx = spawn("nginx", ["-p", dir, "-c", join(dir, "nginx.conf"), "-g", "daemon off;"], { stdio: "inherit" });
  const gone = new Promise((resolve) => nginx.once("exit", resolve));
  undo.push(() => {
    nginx.kill("SIGTERM");
    return gone;
  });
  const url = `http://127.0.0.1:${port}`;
  await until("nginx answers", () =>
    fetch(`${url}/api/v1/presets`)
      .then(({ ok }) => ok)
      .catch(() => false),
  );
  return url;
}

test.skipIf(!isThere)(
  "a duel through one address; the process that holds it is killed, and the duel goes on",
  async () => {
    const redis: RunningRedis = await startRedis();
    undo.push(() => redis.stop());
    const env = { REDIS_URL: redis.url, REDIS_PREFIX: `${randomUUID()}:`, LEASE_SECONDS: "2", TRUST_PROXY: "1" };
    const servers = await Promise.all([1, 2].map(() => startServerProcess({ ...env, LOG_LEVEL: "error" })));
    for (const server of servers) undo.push(() => server.stop("SIGKILL"));
    const at = { url: await startNginx(servers) };

    const [ada, bob] = [await guest(at, "Ada"), await guest(at, "Bob")];
    const { code, match_id, seat_token } = (
      await call(at, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } })
    ).body;
    const joined = await call(at, "POST", `/rooms/${code}/join`, { token: bob.token, body: {} });
    expect(joined.body.seat).toBe("P2");
    const tokens = { P1: seat_token, P2: joined.body.seat_token } as const;
    // Several sockets: whichever process each of them reaches, it is in the same room.
    const sockets = await Promise.all([1, 2, 3, 4].map(() => joinSeat(at.url, code, tokens.P1)));
    for (const socket of sockets) expect((await sync(socket)).seat).toBe("P1");
    const left = sockets.map((socket) => new Promise((resolve) => socket.onLeave(resolve)));
    const play = () =>
      until("a move is acknowledged", async () => {
        const state = await call(at, "GET", `/matches/${match_id}/state`);
        if (state.status !== 200) return null;
        const { turn, current_player } = state.body.meta;
        const token = tokens[current_player as "P1" | "P2"];
        const { body } = await call(at, "GET", `/matches/${match_id}/legal`, { token });
        const command = body.commands?.[0];
        const move = await call(at, "POST", `/matches/${match_id}/moves`, { token, body: { turn, command } });
        return move.body.ok;
      });
    for (let i = 0; i < 6; i++) await play();

    const raw = await rawRedis(redis.url);
    const owner = await raw.hGet(`${env.REDIS_PREFIX}match:${match_id}`, "owner");
    const address = await raw.get(`${env.REDIS_PREFIX}process:${owner}`);
    raw.destroy();
    const holder = servers.find((server) => server.url === address);
    expect(holder).toBeDefined();
    await holder?.stop("SIGKILL");
    expect(await Promise.all(left)).toEqual([1006, 1006, 1006, 1006]);
    await play();
    const back = await joinSeat(at.url, code, tokens.P2);
    const { state, seat } = await sync(back);
    expect(seat).toBe("P2");
    expect(state.data.history).toHaveLength(7);
    await back.leave();
  },
  60_000,
);
