/** Health, readiness and metrics on their own port (issue of operations; PROTOCOL 6). */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { call, guest, joinSeat, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ RATE_LIMITS: "on", TRUST_PROXY: "1" });
});
afterAll(() => server.stop());

/** One call of the port, under a name of our choosing. */
function ask(path: string, host = "127.0.0.1"): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request({ port: server.opsPort ?? 0, host: "127.0.0.1", path, headers: { host } }, (res) => {
      let text = "";
      res.on("data", (chunk) => {
        text += chunk;
      });
      res.on("end", () => resolve({ status: res.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end();
  });
}

/** The value of one line of the metrics; 0 where there is none. */
async function metric(line: string): Promise<number> {
  const found = (await ask("/metrics")).text.split("\n").find((row) => row.startsWith(`${line} `));
  return Number(found?.split(" ").at(-1) ?? 0);
}

test("alive and ready; nothing of it on the public port", async () => {
  expect(await ask("/healthz")).toMatchObject({ status: 200 });
  expect(await ask("/readyz")).toMatchObject({ status: 200, text: '{"status":"ready"}' });
  for (const path of ["/healthz", "/readyz", "/metrics"]) {
    expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  }
});

test("a port that was asked for must be free; left out, none was asked for", async () => {
  expect(readConfig({}).OPS_PORT).toBeUndefined();
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const port = (taken.address() as AddressInfo).port;
  await expect(serve({ OPS_PORT: String(port) })).rejects.toThrow("EADDRINUSE");
  taken.close();
});

test.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example"])("the name %s is refused", async (host) => {
  expect(await ask("/metrics", host)).toMatchObject({ status: 403 });
});

const answered = (door: string) => metric(`gearmice_commands_total{door="${door}",code="syntax"}`);

describe("what is counted", () => {
  test("rooms, seats, turns, refusals by code, commits, limits by rule", async () => {
    const { token } = await guest(server, "Ada");
    const { body } = await call(server, "POST", "/rooms", { token, body: { preset: "solo-trial" } });
    const move = (turn: number, command: string) =>
      call(server, "POST", `/matches/${body.match_id}/moves`, { token: body.seat_token, body: { turn, command } });
    const commits = await metric("gearmice_commit_seconds_count");
    await move(0, "G1@P21+90");
    await move(1, "nonsense");
    expect(await metric('gearmice_rooms{phase="playing",format="solo"}')).toBe(1);
    expect(await metric('gearmice_seats{what="taken"}')).toBe(1);
    expect(await metric('gearmice_events_total{type="turn",format="solo"}')).toBe(1);
    expect(await metric('gearmice_refusals_total{code="syntax"}')).toBe(1);
    expect(await metric("gearmice_commit_seconds_count")).toBe(commits + 2);
    // From elsewhere: what comes from this machine may do a hundred times as much.
    const guess = () =>
      fetch(`${server.url}/api/v1/rooms/IXENT-QQQQQQ`, { headers: { "x-forwarded-for": "203.0.113.7" } });
    const guesses = await Promise.all(Array.from({ length: 40 }, guess));
    const refused = guesses.filter(({ status }) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(await metric('gearmice_limited_total{rule="miss"}')).toBe(refused);
  });
  test("commands by door: the same match by HTTP, by a room's socket, by Socket.IO, and a classic game", async () => {
    const { token } = await guest(server, "Ada");
    const { body } = await call(server, "POST", "/rooms", { token, body: { preset: "solo-trial" } });
    const { match_id, code, seat_token } = body;
    const doors = ["http", "a2a", "colyseus", "socketio"];
    const before = await Promise.all(doors.map(answered));
    // Wrong forms: each is answered, and has its code.
    await call(server, "POST", `/matches/${match_id}/moves`, { token: seat_token, body: { command: "x" } });
    const room = await joinSeat(server.url, code, seat_token);
    await room.request("move", { turn: 1, command: "x" });
    await room.leave();
    const socket = io(`${server.url}/agents`, { auth: { token: seat_token } });
    await socket.emitWithAck("move", { match_id, turn: 2, command: "x" });
    socket.close();
    const post = (path: string, what: object) =>
      fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(what) });
    await post("/start_game", { agent_id: "ops", level_id: "1" });
    await post("/submit_move", { agent_id: "ops", command: "x" });
    expect(await Promise.all(doors.map(answered))).toEqual(before.map((count) => count + 1));
  });
  test("no id, name, token or code is in it", async () => {
    const { text } = await ask("/metrics");
    expect(text).not.toMatch(/IXENT-|gm1\.|Ada|[0-9a-f]{8}-[0-9a-f]{4}/);
  });
});
