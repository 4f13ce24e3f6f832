/** Colyseus' monitor on the operators' port: behind the token, for looking only, with nothing private in it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, guest, type Json, joinSeat, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
let password = "";
let room: Json;
let socket: Awaited<ReturnType<typeof joinSeat>>;
beforeAll(async () => {
  server = await serve();
  password = (await readFile(join(server.dataDir, "admin-token"), "utf8")).trim();
  const { token } = await guest(server, "Ada");
  room = (await call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1, private: true } })).body;
  // A room is there from its first socket on.
  socket = await joinSeat(server.url, room.code, room.seat_token);
});
afterAll(async () => {
  await socket?.leave();
  await server?.stop();
});

const get = (path: string, given: string | null = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`) =>
  fetch(`http://127.0.0.1:${server.opsPort}${path}`, {
    redirect: "manual",
    ...(given === null ? {} : { headers: { authorization: given } }),
  });

test.each(["/monitor", "/monitor/", "/monitor/api", "/monitor/api/room?roomId=x", "/monitor/assets/x.js"])(
  "%s: asks for the token",
  async (path) => {
    for (const given of [null, "Basic bWU6bWU=", "Basic !", `Bearer ${password}`]) {
      const answer = await get(path, given);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toContain("Basic");
    }
  },
);

test("the page, its script and its list of rooms; not on the public port", async () => {
  const page = await get("/monitor/");
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  const script = /src="\.(\/assets\/[^"]+)"/.exec(await page.text())?.[1];
  expect((await get(`/monitor${script}`)).headers.get("content-type")).toContain("javascript");
  const list: Json = await (await get("/monitor/api")).json();
  expect(list.rooms).toEqual([expect.objectContaining({ roomId: room.code, name: "solo" })]);
  expect((await fetch(`${server.url}/monitor/`)).status).toBe(404);
});

test("one room: its public mirror and how many are there; no seed, no socket's id, no token", async () => {
  const ask = async () => (await get(`/monitor/api/room?roomId=${room.code}`)).text();
  expect(JSON.parse(await ask())).toMatchObject({ roomId: room.code, state: { turn: 0 } });
  await call(server, "POST", `/matches/${room.match_id}/moves`, {
    token: room.seat_token,
    body: { turn: 0, command: "G1@P21+90", reasoning: "a secret thought" },
  });
  const text = await ask();
  expect(JSON.parse(text)).toMatchObject({
    clients: [{ sessionId: "connection 1" }],
    state: { match_id: room.match_id, seats: [{ seat: "P1", name: "Ada" }] },
  });
  for (const secret of [socket.sessionId, socket.reconnectionToken, "a secret thought", room.seat_token, '"seed"']) {
    expect(text).not.toContain(secret);
    expect(await (await get("/monitor/api")).text()).not.toContain(secret);
  }
});

describe("no method of a room is called by it", () => {
  const query = (method: string) => `?${new URLSearchParams({ roomId: room.code, method, args: "[]" })}`;
  test.each([
    "/api/room/call",
    "/api/room/call/",
    "/api//room/call",
    "/api/room//call",
    "//api/room/call",
    "/api/room%2Fcall",
    "/api/./room/call",
    "/API/room/call",
    "/assets/../api/room/call",
    "/assets/%2e%2e/api/room/call",
  ])("%s", async (path) => {
    for (const method of ["disconnect", "getInspectData", "_editStateProperty"]) {
      const answer = await get(`/monitor${path}${query(method)}`);
      expect([403, 404]).toContain(answer.status);
      expect(await answer.json()).toHaveProperty("error.code");
    }
    expect((await call(server, "GET", `/rooms/${room.code}`)).status).toBe(200);
  });
});
