/** Many processes on one Redis (DESIGN 4): real `gearmice serve` processes, any door of any process, owners that die. */
import { randomUUID } from "node:crypto";
import type { Room } from "@colyseus/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { call, guest, type Json, joinSeat, sync, watch } from "../../../server/testing/kit.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { type RunningServer, startServerProcess } from "../../support/server.ts";
import { until } from "../../support/until.ts";

const LEASE_SECONDS = "2";
let redis: RunningRedis;
let prefix = "";
let running: RunningServer[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());
afterEach(async () => {
  for (const server of running) {
    server.child.kill("SIGCONT");
    await server.stop("SIGKILL");
  }
  running = [];
  prefix = "";
});

/** Processes of one installation, each with a data folder of its own. */
async function start(count: number, env: Readonly<Record<string, string>> = {}): Promise<RunningServer[]> {
  if (prefix === "") prefix = `test-${randomUUID()}:`;
  const common = { REDIS_URL: redis.url, REDIS_PREFIX: prefix, LEASE_SECONDS, RATE_LIMITS: "off", BOT_PACE_MS: "0" };
  const started = await Promise.all(
    Array.from({ length: count }, () => startServerProcess({ ...common, LOG_LEVEL: "error", ...env })),
  );
  running.push(...started);
  return started;
}

/** A duel made at `a` and joined at `b`: Ada is P1, Bob is P2. */
async function duel(a: RunningServer, b: RunningServer) {
  const [ada, bob] = [await guest(a, "Ada"), await guest(b, "Bob")];
  const made = await call(a, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  expect(made.status).toBe(201);
  const joined = await call(b, "POST", `/rooms/${made.body.code}/join`, { token: bob.token, body: {} });
  expect(joined).toMatchObject({ status: 200, body: { match_id: made.body.match_id, seat: "P2" } });
  const { code, match_id: id, seat_token } = made.body;
  return { code, id, ada, bob, tokens: [seat_token, joined.body.seat_token] as const };
}
type Duel = Awaited<ReturnType<typeof duel>>;

async function firstLegal(server: RunningServer, { id }: Duel, token: string): Promise<string> {
  const { body } = await call(server, "GET", `/matches/${id}/legal`, { token });
  return body.commands[0];
}

/** The mover's first legal command, sent to `server` again and again until it is acknowledged. */
async function playTurn(server: RunningServer, match: Duel): Promise<{ turn: number; command: string }> {
  return until("a move is acknowledged", async () => {
    const { body: state } = await call(server, "GET", `/matches/${match.id}/state`);
    if (state.error) return null;
    const token = match.tokens[state.meta.current_player === "P1" ? 0 : 1];
    const body = { turn: state.meta.turn, command: await firstLegal(server, match, token) };
    const answer = await call(server, "POST", `/matches/${match.id}/moves`, { token, body });
    if (answer.status === 503) return null;
    expect(answer.body).toMatchObject({ ok: true });
    return body;
  });
}

async function stateAt(server: RunningServer, { id }: Duel, token: string | null = null): Promise<Json> {
  return (await call(server, "GET", `/matches/${id}/state`, { token })).body;
}
const left = (room: Room) => new Promise<number>((resolve) => room.onLeave((code) => resolve(code)));
const commands = (state: Json): string[] => state.data.history;

describe("any door of any process reaches any match", () => {
  test("HTTP, streams, sockets, tokens, lists, records, rematch", async () => {
    const [a, b, c] = (await start(3)) as [RunningServer, RunningServer, RunningServer];
    // An identity of one process is one at every other.
    const ada = await guest(a, "Ada");
    expect((await call(b, "POST", "/codes", { token: ada.token })).status).toBe(201);
    const keys = await Promise.all(
      [a, b, c].map(async ({ url }) => (await fetch(`${url}/.well-known/gearmice-keys.json`)).text()),
    );
    expect(new Set(keys).size).toBe(1);

    const match = await duel(a, b);
    for (const server of [a, b, c]) {
      expect((await call(server, "GET", `/rooms/${match.code}`)).body).toMatchObject({ match_id: match.id });
      const list = (await call(server, "GET", "/rooms?status=playing")).body;
      expect(list).toMatchObject({ total: 1, rooms: [{ code: match.code }] });
    }

    // A seat at one process that does not hold the match, a spectator and a stream at the other.
    const seat = await joinSeat(b.url, match.code, match.tokens[1]);
    const spectator = await watch(c.url, match.code);
    const events: Json[] = [];
    seat.onMessage("event", (event) => events.push(event));
    expect((await sync(seat)).seat).toBe("P2");
    const stream = lines(c, `/matches/${match.id}/stream`, null);
    const own = lines(c, "/stream", match.bob.token);

    const token = match.tokens[0];
    const wrong = await call(c, "POST", `/matches/${match.id}/moves`, { token, body: { turn: 0, command: "rubbish" } });
    expect(wrong).toMatchObject({ status: 422, body: { error: { code: "syntax" } } });
    const waiting = call(c, "GET", `/matches/${match.id}/state?wait=turn`, { token: match.tokens[1] });
    const first = { turn: 0, command: await firstLegal(c, match, token) };
    expect((await call(c, "POST", `/matches/${match.id}/moves`, { token, body: first })).body.ok).toBe(true);
    expect((await waiting).body.meta).toMatchObject({ turn: 1, current_player: "P2" });
    await until("the seat has seen it", () => events.some((e) => e.type === "turn"));
    expect((await sync(spectator)).state.meta.turn).toBe(1);
    await until("the stream has it", () => stream.got.some((l) => l.event?.type === "turn"));
    await until("the identity's stream has it", () => own.got.some((l) => l.type === "your_turn"));
    const second = { turn: 1, command: await firstLegal(b, match, match.tokens[1]) };
    expect(await seat.request("move", second)).toMatchObject({ ok: true });

    // A token of one match opens no other, wherever it is shown.
    const other = await duel(b, c);
    expect((await call(a, "GET", `/matches/${other.id}/state`, { token: match.tokens[0] })).status).toBe(403);

    expect((await call(b, "POST", `/matches/${match.id}/resign`, { token })).body.ok).toBe(true);
    for (const server of [a, b, c]) {
      const record = await until("the record is sealed", async () => {
        const answer = await call<string>(server, "GET", `/matches/${match.id}/record`);
        return answer.status === 200 ? answer.body : null;
      });
      expect(record.trimEnd().split("\n").at(-1)).toContain('"type":"result"');
    }
    await call(c, "POST", `/matches/${match.id}/rematch`, { token });
    const again = await call(b, "POST", `/matches/${match.id}/rematch`, { token: match.tokens[1] });
    expect(again.body.opened).toMatchObject({ seat: "P1" });
    expect((await call(c, "GET", `/rooms/${again.body.opened.code}`)).body.phase).toBe("playing");
    stream.stop();
    own.stop();
    await Promise.all([seat.leave(), spectator.leave()]);
  }, 60_000);

  test("codes are one stock: none is given twice, each can be redeemed anywhere, once", async () => {
    const [a, b] = (await start(2)) as [RunningServer, RunningServer];
    const ada = await guest(a, "Ada");
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        call([a, b][n % 2] as RunningServer, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } }),
      ),
    );
    expect(new Set(made.map(({ body }) => body.code)).size).toBe(40);
    const { code } = (await call(a, "POST", "/codes", { token: ada.token })).body;
    const room = { format: "1v1", level: 1, room_code: code };
    const redeemed = await Promise.all(
      [a, b, a, b].map((server) => call(server, "POST", "/rooms", { token: ada.token, body: room })),
    );
    expect(redeemed.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410]);
  });
});

describe("an owner that goes", () => {
  test("kill -9 in mid-match: the same code, seats, moves and clock at another process", async () => {
    const [a, b] = (await start(2)) as [RunningServer, RunningServer];
    const match = await duel(a, b);
    const waiting = await call(a, "POST", "/rooms", { token: match.ada.token, body: { preset: "duel" } });
    const house = await call(a, "POST", "/rooms", { token: match.ada.token, body: { preset: "david-goliath" } });
    const seat = await joinSeat(b.url, match.code, match.tokens[0]);
    const acknowledged: string[] = [];
    for (let i = 0; i < 6; i++) acknowledged.push((await playTurn(b, match)).command);
    const before = await stateAt(b, match);

    const cut = left(seat);
    const killedAt = performance.now();
    await a.stop("SIGKILL");
    // The client comes again on this code (PROTOCOL 5).
    expect(await cut).toBe(1006);
    const after = await until("the match is there again", async () => {
      const state = await stateAt(b, match, match.tokens[0]);
      return state.error ? null : state;
    });
    expect(commands(after)).toEqual(commands(before));
    expect(after.meta).toMatchObject({ room_code: match.code, turn: before.meta.turn, version: before.meta.version });
    // R9.4: the mover has what was left at the last sign of life, here at most the limit that its turn began with,
    // less what has run since the match was taken up: the time in between is not paid for.
    const leftMs = after.meta.deadline_ms - after.meta.server_time_ms;
    const leftBeforeMs = before.meta.deadline_ms - before.meta.server_time_ms;
    expect(leftMs).toBeLessThanOrEqual(before.meta.options.turn_seconds * 1_000);
    expect(leftMs).toBeGreaterThan(leftBeforeMs - (performance.now() - killedAt));

    const back = await joinSeat(b.url, match.code, match.tokens[1]);
    expect((await sync(back)).seat).toBe("P2");
    for (let i = 0; i < 4; i++) acknowledged.push((await playTurn(b, match)).command);
    const history = commands(await stateAt(b, match));
    expect(history).toHaveLength(acknowledged.length);
    for (const [n, command] of acknowledged.entries()) expect(history[n]).toContain(command);

    // Rooms that waited, and seats of the house, have come along.
    const joined = await call(b, "POST", `/rooms/${waiting.body.code}/join`, { token: match.bob.token, body: {} });
    expect(joined.body).toMatchObject({ seat: "P2" });
    const mine = { id: house.body.match_id, tokens: [house.body.seat_token, ""] } as unknown as Duel;
    await playTurn(b, mine);
    await until("the house has answered", async () => (await stateAt(b, mine)).meta.turn >= 2);
    await back.leave();
  }, 60_000);

  test("SIGSTOP past the lease, then SIGCONT: one owner, nothing twice, its clients are sent on", async () => {
    const [a, b, c] = (await start(3)) as [RunningServer, RunningServer, RunningServer];
    const match = await duel(a, b);
    const direct = await joinSeat(a.url, match.code, match.tokens[0]);
    await playTurn(c, match);
    const stale = await stateAt(a, match, match.tokens[0]);

    const command = await firstLegal(c, match, match.tokens[1]);
    a.child.kill("SIGSTOP");
    // Sent to the owner while it stands still; it is looked at when others have gone on.
    const late = call(a, "POST", `/matches/${match.id}/moves`, {
      token: match.tokens[1],
      body: { turn: stale.meta.turn, command },
    });
    await playTurn(b, match);
    await playTurn(c, match);
    const told = left(direct);
    a.child.kill("SIGCONT");
    // It was played meanwhile: the new owner says so, or the old one that it does not know.
    const answer = await late;
    expect(answer.status === 200 ? answer.body.repeated : answer.status === 503).toBe(true);
    expect(await told).toBe(4001);

    await playTurn(a, match);
    const states = await Promise.all([a, b, c].map((server) => stateAt(server, match)));
    for (const state of states) {
      expect(commands(state)).toEqual(commands(states[0]));
      expect(state.data.history.length).toBe(4);
    }
    const list = (await call(a, "GET", "/rooms")).body;
    expect(list.rooms.filter((row: Json) => row.code === match.code)).toHaveLength(1);
  }, 60_000);

  test("SIGTERM: another process goes on without waiting for a lease", async () => {
    const [a, b] = (await start(2)) as [RunningServer, RunningServer];
    const match = await duel(a, b);
    await playTurn(b, match);
    const seat = await joinSeat(b.url, match.code, match.tokens[0]);
    const cut = left(seat);
    await a.stop("SIGTERM");
    expect([4001, 1006]).toContain(await cut);
    await playTurn(b, match);
    expect((await stateAt(b, match)).data.history).toHaveLength(2);
  }, 60_000);
});

test("one showcase for all processes", async () => {
  const servers = await start(3, { SHOWCASE: "on" });
  const first = servers[0] as RunningServer;
  const shown = () => call(first, "GET", "/rooms?status=playing").then(({ body }) => body);
  await until("it is shown", async () => (await shown()).total > 0);
  for (const server of servers) expect((await call(server, "GET", "/rooms")).body.total).toBe(1);
  // Whoever goes, it goes on, and stays the only one.
  const [room] = (await shown()).rooms;
  for (const server of servers.slice(1)) {
    await server.stop("SIGKILL");
    await until("it goes on", async () => {
      const { body } = await call(first, "GET", `/rooms/${room.code}`);
      return body.phase === "playing";
    });
    expect(await shown()).toMatchObject({ total: 1, rooms: [{ code: room.code }] });
  }
}, 60_000);

/** Reads a stream of lines until it is stopped. */
function lines(server: RunningServer, path: string, token: string | null) {
  const got: Json[] = [];
  const controller = new AbortController();
  void (async () => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      signal: controller.signal,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    let rest = "";
    for await (const chunk of answer.body ?? []) {
      const parts = (rest + Buffer.from(chunk).toString()).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) if (part !== "") got.push(JSON.parse(part));
    }
  })().catch(() => {});
  return { got, stop: () => controller.abort() };
}
