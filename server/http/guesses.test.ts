/** Guesses of room codes are counted at every call that takes a code, together. */

import { io } from "socket.io-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ RATE_LIMITS: "on", TRUST_PROXY: "1" });
});
afterAll(() => server.stop());

const PRIVATE = { format: "1v1", level: 1, private: true };

test.each([
  ["look", "9.9.9.1", "GET", "/api/v1/rooms/IXENT-QQQQQQ"],
  ["join", "9.9.9.2", "POST", "/api/v1/rooms/IXENT-QQQQQQ/join"],
  ["leave", "9.9.9.3", "POST", "/api/v1/rooms/IXENT-QQQQQQ/leave"],
  ["a socket", "9.9.9.4", "POST", "/matchmake/joinById/IXENT-QQQQQQ"],
  ["something that is no code", "9.9.9.5", "POST", "/matchmake/joinById/..%2fx"],
  ["the code of a private match, to look", "9.9.9.6", "GET", "/api/v1/matches/PRIVATE/state?code=IXENT-QQQQQQ"],
  ["to read", "9.9.9.7", "GET", "/api/v1/matches/PRIVATE/stream?code=IXENT-QQQQQQ"],
  ["for its record", "9.9.9.8", "GET", "/api/v1/matches/PRIVATE/record?code=IXENT-QQQQQQ"],
  ["for its moves", "9.9.9.9", "GET", "/api/v1/matches/PRIVATE/legal?code=IXENT-QQQQQQ"],
])("%s", async (_name, address, method, path) => {
  const [host, { token }] = [await guest(server, "Host"), await guest(server)];
  const { match_id } = (await call(server, "POST", "/rooms", { token: host.token, body: PRIVATE })).body;
  const ask = async () =>
    (
      await fetch(`${server.url}${path.replace("PRIVATE", match_id)}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "x-forwarded-for": address },
        ...(method === "POST" ? { body: "{}" } : {}),
      })
    ).status;
  for (let i = 0; i < 20; i++) expect(await ask()).toBe(404);
  expect(await ask()).toBe(429);
});

test.each([
  ["joining", "9.9.8.1", "join", { code: "IXENT-QQQQQQ" }],
  ["watching a private match", "9.9.8.2", "watch", { code: "IXENT-QQQQQQ" }],
  [
    "opening a room under a code that somebody else may have been given",
    "9.9.8.3",
    "create",
    { preset: "duel", room_code: "IXENT-QQQQQQ" },
  ],
])("Socket.IO, %s", async (_name, address, event, payload) => {
  const { token } = await guest(server);
  const { match_id } = (await call(server, "POST", "/rooms", { token, body: PRIVATE })).body;
  const other = await guest(server);
  const socket = io(`${server.url}/agents`, {
    auth: { token: other.token },
    forceNew: true,
    transports: ["websocket"],
    extraHeaders: { "x-forwarded-for": address },
  });
  const ask = async () =>
    (await socket.timeout(5_000).emitWithAck(event, { ...payload, ...(event === "watch" ? { match_id } : {}) })).code;
  const codes: string[] = [];
  for (let i = 0; i < 21; i++) codes.push(await ask());
  expect(new Set(codes.slice(0, 20))).toEqual(new Set(["not_found"]));
  expect(codes[20]).toBe("rate_limited");
  socket.close();
});

test("an upgrade tells a code that is there from one that is not by nothing", async () => {
  const { token } = await guest(server);
  const { code } = (await call(server, "POST", "/rooms", { token, body: PRIVATE })).body;
  const told = async (room: string) => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/process/${room}?sessionId=guessed`);
    socket.binaryType = "arraybuffer";
    const heard: string[] = [];
    socket.onmessage = ({ data }) => heard.push(Buffer.from(data as ArrayBuffer).toString("latin1"));
    const closed = await new Promise<number>((resolve) => {
      socket.onclose = (event) => resolve(event.code);
    });
    return { heard, closed };
  };
  expect(await told(code)).toEqual(await told("IXENT-QQQQQQ"));
});
