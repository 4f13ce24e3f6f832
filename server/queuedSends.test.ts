/** The SDK keeps up to ten sends while its line is cut and plays them off when it is back: a move carries its turn. */
import { Client } from "@colyseus/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProxy } from "../test/support/proxy.ts";
import { call, guest, type Json, joinSeat, serve, sync, type TestServer, until } from "./testing/kit.ts";

let server: TestServer;
let proxy: Awaited<ReturnType<typeof startProxy>>;
beforeAll(async () => {
  server = await serve();
  proxy = await startProxy(server.url);
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

test("moves that were kept count once, whatever order and number they arrive in (PROTOCOL 2)", async () => {
  // In Solo a second go at the same command would be refused, and a refusal costs the turn (R8.2).
  const { token } = await guest(server, "Ada");
  const { body } = await call(server, "POST", "/rooms", { token, body: { preset: "solo-trial" } });

  const room = await new Client(proxy.url).joinById(body.code, { seatToken: body.seat_token });
  room.onMessage("*", () => {});
  room.reconnection.minUptime = 0;
  room.reconnection.maxRetries = 2;
  const left = new Promise<number>((resolve) => room.onLeave(resolve));
  const before = (await sync(room)).state;
  proxy.cut();
  await until("the SDK has noticed", () => room.reconnection.isReconnecting);

  // What `request` is made of, without its own check of the line; the SDK's types leave it out.
  type Sends = { sendRequest(type: string, payload: object, options: object, reply: () => void): void };
  const sdk = room as unknown as Sends;
  const ask = (turn: number, command: string) => sdk.sendRequest("move", { turn, command }, {}, () => {});
  for (let i = 0; i < 9; i++) ask(0, "G1@P21+90");
  ask(0, "G1@P31+90");
  ask(0, "G1@P21+90");
  const kept = room.reconnection.enqueuedMessages.map(({ data }) => data);
  expect(kept).toHaveLength(10);

  // Our sessions are not Colyseus': its own way back leads nowhere, and plays nothing off.
  proxy.mend();
  expect(await left).toBeGreaterThanOrEqual(4000);
  const again = await joinSeat(server.url, body.code, body.seat_token);
  expect((await sync(again)).state.meta.version).toBe(before.meta.version);

  const answers: Json[] = [];
  const seen = again.connection.events.onmessage;
  again.connection.events.onmessage = (event) => {
    answers.push(event);
    seen?.(event);
  };
  for (const frame of kept) again.connection.send(frame);
  await until("all are answered", () => answers.length >= kept.length);
  const { state } = await sync(again);
  expect(state.meta).toMatchObject({ turn: 1, version: before.meta.version + 1 });
  expect(state.data.history).toEqual(["Turn 1 [P1]: G1@P21(b=0)+90"]);
  await again.leave();
});
