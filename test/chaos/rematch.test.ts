/**
 * A rematch can be asked for within 10 minutes after the end (PROTOCOL 2), also when the process that held the room
 * has been killed meanwhile: at every door, on files and on Redis.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Room } from "@colyseus/sdk";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, guest, type Json, joinSeat, sync } from "../../server/testing/kit.ts";
import { type RunningRedis, startRedis } from "../support/redis.ts";
import { type RunningServer, startServerProcess } from "../support/server.ts";
import { until } from "../support/until.ts";

const ENV = { RATE_LIMITS: "off", LOG_LEVEL: "error", OPS_PORT: "0", BOT_PACE_MS: "0" };

interface Over {
  readonly code: string;
  readonly id: string;
  /** By seat, P1 first. */
  readonly tokens: readonly string[];
}

/** A duel that Ada has resigned. */
async function duelOver(server: RunningServer): Promise<Over> {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  const joined = await call(server, "POST", `/rooms/${body.code}/join`, { token: bob.token, body: {} });
  await call(server, "POST", `/matches/${body.match_id}/resign`, { token: body.seat_token });
  return { code: body.code, id: body.match_id, tokens: [body.seat_token, joined.body.seat_token] };
}

async function againstTheHouse(server: RunningServer): Promise<Over> {
  const ada = await guest(server, "Ada");
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "david-goliath" } });
  const resigned = () => call(server, "POST", `/matches/${body.match_id}/resign`, { token: body.seat_token });
  await until("the bot has come, and Ada gives up", async () => (await resigned()).body.ok === true);
  return { code: body.code, id: body.match_id, tokens: [body.seat_token] };
}

const ask = async (server: RunningServer, { id }: Over, token: string | undefined): Promise<Json> =>
  until("it can be asked", async () => {
    const { status, body } = await call(server, "POST", `/matches/${id}/rematch`, { token: token ?? null });
    return status === 503 ? null : body;
  });
const isThere = (server: RunningServer, { id }: Over, token: string | undefined) =>
  until("the seat is there", async () => {
    const { status } = await call(server, "GET", `/matches/${id}/state`, { token: token ?? null });
    return status === 200;
  });

/** Both seats of the new room are theirs: they play. */
async function playsOn(server: RunningServer, { match_id }: Json, tokens: Readonly<Record<string, string>>) {
  for (let turn = 0; turn < 2; turn++) {
    const token = tokens[`P${turn + 1}`] ?? "";
    const { body } = await call(server, "GET", `/matches/${match_id}/legal`, { token });
    const played = await call(server, "POST", `/matches/${match_id}/moves`, {
      token,
      body: { turn, command: body.commands[0] },
    });
    expect(played.body).toMatchObject({ ok: true });
  }
}

interface Doors {
  /** The processes that live; the one that held the matches was killed. */
  readonly living: () => readonly [RunningServer, RunningServer];
}

/** `before`: makes the matches on a process that is then killed. */
function rematches(name: string, start: () => Promise<RunningServer>, kill: () => Promise<void>, { living }: Doors) {
  describe(name, () => {
    let http: Over;
    let colyseus: Over;
    let socketIo: Over;
    let house: Over;
    let halfTold: Over;
    let opened: Json;
    beforeAll(async () => {
      const first = await start();
      http = await duelOver(first);
      colyseus = await duelOver(first);
      socketIo = await duelOver(first);
      halfTold = await duelOver(first);
      house = await againstTheHouse(first);
      await ask(first, halfTold, halfTold.tokens[0]);
      opened = (await ask(first, halfTold, halfTold.tokens[1])).opened;
      expect(opened).toMatchObject({ seat: "P1" });
      await kill();
    }, 60_000);

    test("HTTP: when both have asked, each at another door, each gets its seat of one room", async () => {
      const [a, b] = living();
      await Promise.all([isThere(a, http, http.tokens[0]), isThere(b, http, http.tokens[1])]);
      expect(await ask(a, http, http.tokens[0])).toMatchObject({ ok: true, asked: ["P1"], opened: null });
      const bob = await ask(b, http, http.tokens[1]);
      expect(bob.opened).toMatchObject({ seat: "P1" });
      const ada = await ask(b, http, http.tokens[0]);
      expect(ada.opened).toMatchObject({ seat: "P2", code: bob.opened.code });
      await playsOn(a, bob.opened, { P1: bob.opened.seat_token, P2: ada.opened.seat_token });
      const header = await call(a, "GET", `/matches/${bob.opened.match_id}/record`, { token: bob.opened.seat_token });
      expect(JSON.parse(String(header.body).split("\n")[0] ?? "")).toMatchObject({ rematch_of: http.id });
    });

    test("Colyseus: sockets come back by the code, and are told of the room", async () => {
      const doors = living();
      const rooms: Room[] = [];
      const told: Json[] = [];
      for (const [n, token] of colyseus.tokens.entries()) {
        const room = await until("the room is there", () =>
          joinSeat(doors[n]?.url ?? "", colyseus.code, token).catch(() => null),
        );
        room.onMessage("rematch", (message) => {
          told[n] = message;
        });
        expect(await sync(room)).toMatchObject({ seat: `P${n + 1}`, state: { meta: { phase: "over" } } });
        rooms.push(room);
      }
      expect(await rooms[0]?.request("rematch")).toMatchObject({ ok: true, asked: ["P1"], opened: null });
      expect(await rooms[1]?.request("rematch")).toMatchObject({ ok: true, opened: { seat: "P1" } });
      await until("both are told", () => told[0] !== undefined && told[1] !== undefined);
      expect(told).toMatchObject([{ seat: "P2" }, { seat: "P1" }]);
      await playsOn(doors[0], told[0], { P1: told[1].seat_token, P2: told[0].seat_token });
      await Promise.all(rooms.map((room) => room.leave()));
    });

    test("Socket.IO: by seat token", async () => {
      const doors = living();
      const sockets: Socket[] = socketIo.tokens.map((token, n) =>
        io(`${doors[n]?.url}/agents`, { auth: { token }, forceNew: true }),
      );
      const asked = (socket: Socket | undefined): Promise<Json> =>
        until("it can be asked", async () => {
          const answer: Json = await socket?.timeout(10_000).emitWithAck("rematch", { match_id: socketIo.id });
          return answer.code === "unavailable" ? null : answer;
        });
      for (const socket of sockets) {
        await until("the seat is there", async () => {
          const answer: Json = await socket.timeout(10_000).emitWithAck("state", { match_id: socketIo.id });
          return answer.code !== "unavailable";
        });
      }
      expect(await asked(sockets[0])).toMatchObject({ ok: true, opened: null });
      expect(await asked(sockets[1])).toMatchObject({ ok: true, opened: { seat: "P1" } });
      expect(await asked(sockets[0])).toMatchObject({ ok: true, opened: { seat: "P2" } });
      for (const socket of sockets) socket.close();
    });

    test("against the house: its bot comes along", async () => {
      const [a] = living();
      const { opened: seat } = await ask(a, house, house.tokens[0]);
      await until("it is played", async () => (await call(a, "GET", `/rooms/${seat.code}`)).body.phase === "playing");
    });

    test("a rematch that was opened, and perhaps not told, is the one that is given again", async () => {
      const [a, b] = living();
      const [ada, bob] = [await ask(a, halfTold, halfTold.tokens[0]), await ask(b, halfTold, halfTold.tokens[1])];
      expect(bob.opened).toMatchObject({ code: opened.code, seat: "P1" });
      // Ada was not connected when Bob opened it, or was told already.
      expect(ada.opened).toMatchObject({ code: opened.code, seat: "P2" });
      await playsOn(a, opened, { P1: bob.opened.seat_token, P2: ada.opened.seat_token });
    });

    test("the room by its code: over, with its seats", async () => {
      const [a] = living();
      expect((await call(a, "GET", `/rooms/${http.code}`)).body).toMatchObject({ phase: "over", match_id: http.id });
    });
  });
}

let dataDir = "";
let server: RunningServer | null = null;
let redis: RunningRedis | null = null;
let cluster: RunningServer[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "gearmice-rematch-"));
  redis = await startRedis();
});
afterAll(async () => {
  await server?.stop("SIGKILL");
  for (const one of cluster) await one.stop("SIGKILL");
  await redis?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

rematches(
  "on files",
  async () => {
    server = await startServerProcess(ENV, dataDir);
    return server;
  },
  async () => {
    await server?.stop("SIGKILL");
    server = await startServerProcess(ENV, dataDir);
  },
  { living: () => [server as RunningServer, server as RunningServer] },
);

rematches(
  "on Redis, by the processes that are left",
  async () => {
    const shared = { REDIS_URL: redis?.url ?? "", REDIS_PREFIX: `test-${randomUUID()}:`, LEASE_SECONDS: "2" };
    cluster = await Promise.all([0, 1, 2].map(() => startServerProcess({ ...ENV, ...shared })));
    return cluster[0] as RunningServer;
  },
  async () => {
    await cluster[0]?.stop("SIGKILL");
    cluster = cluster.slice(1);
  },
  { living: () => [cluster[0] as RunningServer, cluster[1] as RunningServer] },
);
