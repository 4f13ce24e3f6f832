/** What a seat opened stays open when the seat is given up, and then only watches: sockets, streams, waits (PROTOCOL 2). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, type Json, joinSeat, serve, sync, type TestServer, until } from "./testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

/** A waiting room of four with Ada on P1 and Bob on P2. */
async function waiting() {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: { format: "ffa4", level: 1 } });
  const room = { code: body.code as string, id: body.match_id as string, ada: body.seat_token as string };
  const join = async (name: string) => {
    const { token } = await guest(server, name);
    return (await call(server, "POST", `/rooms/${room.code}/join`, { token, body: {} })).body as Json;
  };
  const { body: second } = await call(server, "POST", `/rooms/${room.code}/join`, { token: bob.token, body: {} });
  return { ...room, bob: second.seat_token as string, join };
}
/** Eve takes the seat that Bob has left, two more come, and the match begins. */
async function begun(room: Awaited<ReturnType<typeof waiting>>) {
  const eve = await room.join("Eve");
  expect(eve.seat).toBe("P2");
  await room.join("Cid");
  await room.join("Dan");
  const move = async (token: string, turn: number, reasoning: string) => {
    const { commands } = (await call(server, "GET", `/matches/${room.id}/legal`, { token })).body;
    const body = { turn, command: commands[0], reasoning };
    return (await call(server, "POST", `/matches/${room.id}/moves`, { token, body })).body;
  };
  expect(await move(room.ada, 0, "Ada's")).toMatchObject({ ok: true });
  return { token: eve.seat_token as string, move };
}
const holderOf = (id: string) => server.gateway.holders().find((h) => h.id === id);

test("an open socket of the one who left neither plays nor sees for the one who came", async () => {
  const room = await waiting();
  const socket = await joinSeat(server.url, room.code, room.bob);
  expect((await sync(socket)).seat).toBe("P2");
  expect(await socket.request("leave")).toMatchObject({ ok: true });
  expect(holderOf(room.id)?.connected().has("P2")).toBe(false);
  expect(holderOf(room.id)?.spectators).toBe(1);

  const eve = await begun(room);
  const { commands } = (await call(server, "GET", `/matches/${room.id}/legal`, { token: eve.token })).body;
  expect(await socket.request("move", { turn: 1, command: commands[0] })).toMatchObject({ code: "forbidden" });
  expect(await socket.request("resign")).toMatchObject({ code: "forbidden" });
  expect(await eve.move(eve.token, 1, "Eve's")).toMatchObject({ ok: true });
  const { seat, state } = await sync(socket);
  expect([seat, state.data.last_reasoning]).toEqual([null, ""]);
  await socket.leave();
  await until("nobody watches", () => holderOf(room.id)?.spectators === 0);
});

test("an open stream of the one who left goes on as a spectator's", async () => {
  const room = await waiting();
  const gone = new AbortController();
  const stream = await fetch(`${server.url}/api/v1/matches/${room.id}/stream`, {
    headers: { authorization: `Bearer ${room.bob}` },
    signal: gone.signal,
  });
  let text = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of stream.body ?? []) text += decoder.decode(bytes, { stream: true });
  })().catch(() => {});
  await until("its first line", () => text.includes("\n"));
  expect(await call(server, "POST", `/rooms/${room.code}/leave`, { token: room.bob })).toMatchObject({ status: 200 });
  expect(holderOf(room.id)?.connected().has("P2")).toBe(false);
  const eve = await begun(room);
  expect(await eve.move(eve.token, 1, "Eve's")).toMatchObject({ ok: true });
  await until("the second turn", () => text.includes('"turn":2'));
  expect(text).not.toContain("Eve's");
  gone.abort();
  await reading;
  await until("nobody watches", () => holderOf(room.id)?.spectators === 0);
});

test("a wait of the one who left ends, and shows nothing of the one who came", async () => {
  const room = await waiting();
  const waits = call(server, "GET", `/matches/${room.id}/state?wait=turn`, { token: room.bob });
  await until("it waits", () => holderOf(room.id)?.connected().has("P2"));
  await call(server, "POST", `/rooms/${room.code}/leave`, { token: room.bob });
  expect(await waits).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
});
