/** Who asks and does not read fills the server's memory with answers: such a socket is cut, and it alone. */
import { connect, type Socket } from "node:net";
import { Protocol } from "@colyseus/core";
import { encode } from "@colyseus/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, type Json, joinSeat, serve, type TestServer, until, watch } from "./testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

/** A spectator's socket by hand, because libraries cannot be told not to read. */
async function spectator(code: string): Promise<Socket> {
  const answer = await fetch(`${server.url}/matchmake/joinById/${code}`, { method: "POST", body: '{"watch":true}' });
  const { processId, roomId, sessionId } = (await answer.json()) as Json;
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    [
      `GET /${processId}/${roomId}?sessionId=${sessionId} HTTP/1.1`,
      "Host: x",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "",
      "",
    ].join("\r\n"),
  );
  await new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.write(frame([Protocol.JOIN_ROOM]));
  return socket;
}
/** A binary frame, masked by zeros. */
function frame(payload: readonly number[]): Buffer {
  return Buffer.from([0x82, 0x80 | payload.length, 0, 0, 0, 0, ...payload]);
}
/** Sent unasked, it keeps a socket from being taken for dead, whether it reads or not. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
function syncRequest(id: number): Buffer {
  const bytes: number[] = [Protocol.ROOM_REQUEST];
  const at = { offset: 1 };
  encode.number(bytes as never, id, at);
  encode.string(bytes as never, "sync", at);
  // {version: 0} as MessagePack.
  return frame([...bytes, 0x81, 0xa7, ...Buffer.from("version"), 0]);
}

test("a socket that is megabytes behind is cut; the others of its room notice nothing", async () => {
  const { token } = await guest(server, "Ada");
  const { body } = await call(server, "POST", "/rooms", { token, body: { format: "ffa4", level: 4 } });
  const holder = server.gateway.holders().find((h) => h.id === body.match_id);
  const [player, reader] = [await joinSeat(server.url, body.code, body.seat_token), await watch(server.url, body.code)];
  const slow = await spectator(body.code);
  await until("two watch", () => holder?.spectators === 2);
  slow.pause();
  let asked = 0;
  await until("it is cut", () => {
    slow.write(PONG);
    for (let i = 0; i < 50 && holder?.spectators === 2; i++) slow.write(syncRequest(asked++));
    return holder?.spectators === 1;
  });
  expect(await player.request("ping")).toMatchObject({ ok: true });
  expect(await reader.request("ping")).toMatchObject({ ok: true });
  slow.destroy();
  await Promise.all([player.leave(), reader.leave()]);
});
