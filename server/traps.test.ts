/** The traps of DESIGN that concern rooms, each on a real server with real clients. */

import { matchMaker } from "@colyseus/core";
import { Client, type Room } from "@colyseus/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MatchRoom } from "../rooms/MatchRoom.ts";
import { call, guest, type Json, join_, joinSeat, serve, sync, type TestServer, until, watch } from "./testing/kit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await serve({ SOCKET_MESSAGES_PER_SECOND: "200", SOCKET_KICK_PER_SECOND: "1000" });
});
afterAll(() => server.stop());

async function duel() {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  return { ada, bob, code: body.code as string, matchId: body.match_id as string, token: body.seat_token as string };
}
async function running() {
  const room = await duel();
  const { body } = await call(server, "POST", `/rooms/${room.code}/join`, { token: room.bob.token, body: {} });
  return { ...room, token2: body.seat_token as string };
}
const reserve = (code: string, body: object) =>
  fetch(`${server.url}/matchmake/joinById/${code}`, { method: "POST", body: JSON.stringify(body) });
const phase = async (id: string) => (await call(server, "GET", `/matches/${id}/state`)).body.meta.phase;

describe("rooms are made by the server alone", () => {
  test.each(["create", "joinOrCreate", "join", "reconnect"])("matchmake/%s is not there", async (method) => {
    for (const name of ["solo", "arena", "lobby"]) {
      const answer = await fetch(`${server.url}/matchmake/${method}/${name}`, { method: "POST", body: "{}" });
      expect(answer.status).toBe(404);
    }
  });
  test("a room opens for its first socket, once, however many come at a time", async () => {
    const { code, token } = await duel();
    expect(matchMaker.getLocalRoomById(code)).toBeUndefined();
    const all = await Promise.all([
      watch(server.url, code),
      joinSeat(server.url, code, token),
      watch(server.url, code),
    ]);
    expect(matchMaker.getLocalRoomById(code)?.clients).toHaveLength(3);
    await Promise.all(all.map((room) => room.leave()));
  });
  test("a code that exists is never given to a second room, nor opened again by Colyseus", async () => {
    const { code, matchId } = await duel();
    await (await watch(server.url, code)).leave();
    const holder = server.gateway.holders().find((h) => h.id === matchId);
    const options = { holder, clock: { wallMs: () => 0, monotonicMs: () => 0, after: () => () => {} } };
    const twin = await matchMaker.handleCreateRoom("arena", options, undefined, code).catch((error) => error);
    // Whatever Colyseus makes of it, the room that was there goes on.
    expect(twin.roomId ?? code).toBe(code);
    const room = await watch(server.url, code);
    expect((await sync(room)).state.meta.match_id).toBe(matchId);
    expect(matchMaker.getLocalRoomById(code)).toBeInstanceOf(MatchRoom);
    await room.leave();
  });
  test("a listing that a dead process left under a code is in nobody's way", async () => {
    const { code, matchId } = await duel();
    const dead = { roomId: code, processId: "dead", name: "arena", clients: 0, maxClients: 9, createdAt: new Date() };
    await matchMaker.driver.persist(dead as Parameters<typeof matchMaker.driver.persist>[0], true);
    const room = await watch(server.url, code);
    expect((await sync(room)).state.meta.match_id).toBe(matchId);
    const listed = await matchMaker.query({ roomId: code });
    expect(listed.map(({ processId }) => processId)).toEqual([matchMaker.processId]);
    await room.leave();
  });
  test("listings carry no metadata, which would be replaced whole: the public list is made of the matches", async () => {
    const { code } = await running();
    const watching = await watch(server.url, code);
    const listed = await matchMaker.query({ roomId: code });
    expect(listed.map(({ metadata }) => metadata)).toEqual([undefined]);
    const { body } = await call(server, "GET", "/rooms?status=playing");
    expect(body.rooms.find((room: Json) => room.code === code)).toMatchObject({ phase: "playing" });
    await watching.leave();
  });
  test("a code that was handed out is good once", async () => {
    const { token } = await guest(server);
    const { body } = await call(server, "POST", "/codes", { token });
    const create = (room_code: string) =>
      call(server, "POST", "/rooms", { token, body: { preset: "duel", room_code } });
    const both = await Promise.all([create(body.code), create(body.code.toLowerCase().replace("-", " "))]);
    expect(both.map((a) => a.status).sort()).toEqual([201, 410]);
    expect(both.find((a) => a.status === 201)?.body.code).toBe(body.code);
    expect(both.find((a) => a.status === 410)?.body.error.code).toBe("code_used");
    expect((await create("IXENT-QQQQQQ")).body.error.code).toBe("not_found");
  });
});

describe("connections are not seats", () => {
  test("a reservation without a socket takes no seat and starts nothing", async () => {
    const { code, matchId } = await duel();
    for (let i = 0; i < 5; i++) expect((await reserve(code, { name: "Eve" })).status).toBe(200);
    expect(await phase(matchId)).toBe("waiting");
    const { bob } = { bob: await guest(server, "Bob") };
    const joined = await call(server, "POST", `/rooms/${code}/join`, { token: bob.token, body: {} });
    expect(joined.body.seat).toBe("P2");
  });
  test("many spectators come to a full room, and none of them counts against the seats", async () => {
    const { code, token } = await duel();
    const spectators = await Promise.all(Array.from({ length: 30 }, () => watch(server.url, code)));
    const late = await join_(server.url, code, { name: "Bob" });
    expect((await sync(late)).seat).toBe("P2");
    const own = await joinSeat(server.url, code, token);
    expect((await sync(own)).seat).toBe("P1");
    await until("30 are told", async () => (await sync(own)).state.status.spectators === 30);
    await Promise.all([...spectators, late, own].map((room) => room.leave()));
  });
  test("who comes with a name alone takes a free seat, gets its token as message `seat`, else watches", async () => {
    const { code } = await duel();
    const told: Json[] = [];
    const second = await new Client(server.url).joinById(code, { name: "Bob" });
    second.reconnection.enabled = false;
    second.onMessage("*", () => {});
    second.onMessage("seat", (message: Json) => void told.push(message));
    await until("the token", () => told[0]);
    expect(told[0]).toMatchObject({ code, seat: "P2" });
    const third = await join_(server.url, code, { name: "Eve" });
    expect((await sync(third)).seat).toBeNull();
    const again = await joinSeat(server.url, code, told[0].seat_token);
    expect((await sync(again)).seat).toBe("P2");
    expect(await third.request("move", { turn: 0, command: "G1@P11+90" })).toMatchObject({ code: "forbidden" });
    await Promise.all([second, third, again].map((room) => room.leave()));
  });
  test("several sockets of one seat; the seat is connected until the last has gone", async () => {
    const { code, token, matchId } = await running();
    const [one, two] = [await joinSeat(server.url, code, token), await joinSeat(server.url, code, token)];
    const holder = server.gateway.holders().find((h) => h.id === matchId);
    expect((await sync(two)).seat).toBe("P1");
    await one.leave();
    expect(holder?.connected().has("P1")).toBe(true);
    await two.leave(false);
    expect(await sync(await joinSeat(server.url, code, token))).toMatchObject({ seat: "P1" });
  });
  test("a room lives without sockets", async () => {
    const { code, token, matchId } = await running();
    const room = await joinSeat(server.url, code, token);
    await room.leave();
    await until("no socket is left", () => matchMaker.getLocalRoomById(code)?.clients.length === 0);
    expect(await phase(matchId)).toBe("playing");
    expect((await sync(await joinSeat(server.url, code, token))).seat).toBe("P1");
  });
});

test("the mirror that Colyseus sends follows the match, and shows nothing private (PROTOCOL 5)", async () => {
  const { code, token } = await running();
  const [player, spectator] = [await joinSeat(server.url, code, token), await watch(server.url, code)];
  await player.request("move", { turn: 0, command: "G4@P21+90", reasoning: "canary" });
  const mirror = spectator.state as Json;
  await until("it has followed", () => mirror.turn === 1 && mirror.current_player === "P2");
  expect(mirror.board).toContain("G4P21");
  expect([...mirror.history_tail]).toEqual(["Turn 1 [P1]: G4@P21(b=0)+90"]);
  expect(mirror.seats[0]).toMatchObject({ seat: "P1", name: "Ada", taken: true, connected: true });
  expect(JSON.stringify(mirror)).not.toContain("canary");
  const late = await watch(server.url, code);
  await until("a late one sees the same", () => (late.state as Json)?.turn === 1);
  await Promise.all([player, spectator, late].map((room) => room.leave()));
});

describe("wrong messages throw nobody out", () => {
  const wrong: readonly [name: string, type: string, payload: unknown, code: string][] = [
    ["a move that is text", "move", "G1@P11+90", "bad_request"],
    ["a move without a command", "move", { turn: 0 }, "bad_request"],
    ["a command that is a number", "move", { command: 7 }, "bad_request"],
    ["a turn that is text", "move", { turn: "0", command: "x" }, "bad_request"],
    ["a stale turn", "move", { turn: 7, command: "x" }, "stale_turn"],
    ["no command at all", "move", { turn: 0, command: "💥" }, "syntax"],
    ["a prototype", "move", { __proto__: { turn: 0 }, constructor: 1 }, "bad_request"],
    ["a sync without a version", "sync", {}, "bad_request"],
    ["a sync with a list", "sync", [1, 2], "bad_request"],
    ["a rematch before the end", "rematch", {}, "match_not_over"],
    ["leaving a match that runs", "leave", null, "match_already_started"],
    ["50 kB of reasoning and no command", "move", { reasoning: "x".repeat(50_000) }, "bad_request"],
    ["100 kB", "move", { turn: 0, command: "x".repeat(100_000) }, "too_large"],
  ];
  test.each(wrong)("%s", async (_name, type, payload, code) => {
    const { code: room, token } = await running();
    const socket = await joinSeat(server.url, room, token);
    expect(await socket.request(type, payload)).toMatchObject({ ok: false, code });
    expect(await socket.request("ping")).toMatchObject({ ok: true });
    await socket.leave();
  });
  test("an unknown request is an error answer; something only sent is told `refused`", async () => {
    const { code, token } = await running();
    const socket = await joinSeat(server.url, code, token);
    await expect(socket.request("nonsense", {})).rejects.toThrow();
    await expect(socket.request("__proto__", {})).rejects.toThrow();
    const told: Json[] = [];
    socket.onMessage("refused", (message: Json) => void told.push(message));
    socket.send("move", { turn: 0, command: "x" });
    socket.send("constructor", null);
    socket.sendBytes("move", new Uint8Array([1, 2, 3]));
    await until("three answers", () => told.length === 3);
    expect(told.every((message) => message.code === "bad_request")).toBe(true);
    expect(await socket.request("ping")).toMatchObject({ ok: true });
    await socket.leave();
  });
  test("frames of random bytes: the socket stays, the room too, the process too", async () => {
    const { code, token, matchId } = await running();
    const socket = await joinSeat(server.url, code, token);
    let seed = 12345;
    const random = (n: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed % n;
    };
    for (let round = 0; round < 150; round++) {
      const bytes = Uint8Array.from({ length: random(40) }, () => random(256));
      // Request, data, bytes, input frames; not the one that says goodbye.
      if (bytes.length > 0) bytes[0] = [21, 13, 17, 19, 20, 10, 22, 31][random(8)] ?? 21;
      socket.connection.send(bytes);
      if (round % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 1_050));
    }
    expect(await socket.request("ping")).toMatchObject({ ok: true });
    expect(await phase(matchId)).toBe("playing");
    await socket.leave();
  });
  test("a flood is refused, then its socket is closed; the others notice nothing", async () => {
    const { code, token, token2 } = await running();
    const [flooder, other] = [await joinSeat(server.url, code, token), await joinSeat(server.url, code, token2)];
    const closed = new Promise<number>((resolve) => flooder.onLeave((closeCode) => resolve(closeCode)));
    const answers = await Promise.allSettled(Array.from({ length: 400 }, () => flooder.request("ping")));
    const codes = answers.map((a) => (a.status === "fulfilled" ? (a.value as Json) : null));
    expect(codes.some((a) => a?.ok)).toBe(true);
    expect(codes.some((a) => a?.code === "rate_limited" && a.retry_after_s === 1)).toBe(true);
    for (let i = 0; i < 3_000; i++) flooder.send("ping");
    expect(await closed).toBe(4002);
    expect(await other.request("ping")).toMatchObject({ ok: true });
    // The seat is still the flooder's.
    expect((await sync(await joinSeat(server.url, code, token))).seat).toBe("P1");
    await other.leave();
  });
});

describe("an exception in a handler", () => {
  test("is answered, logged with the match id, and ends neither room nor process", async () => {
    const { code, token, matchId } = await running();
    const socket = await joinSeat(server.url, code, token);
    const holder = server.gateway.holders().find((h) => h.id === matchId);
    if (holder === undefined) throw new Error("no holder");
    const { move } = holder;
    holder.move = () => {
      throw new Error("a bug");
    };
    expect(await socket.request("move", { turn: 0, command: "x" })).toMatchObject({ ok: false, code: "internal" });
    holder.move = move;
    expect(server.errors.at(-1)?.context).toMatchObject({ match_id: matchId, at: "room.move" });
    expect(await socket.request("move", { turn: 0, command: "x" })).toMatchObject({ ok: false, code: "syntax" });
    await socket.leave();
  });
});

describe("tokens and joins", () => {
  test("a foreign, damaged or wrong seat token opens nothing", async () => {
    const [one, two] = [await running(), await running()];
    for (const seatToken of [two.token, `${one.token.slice(0, -2)}xx`, "rubbish", one.ada.token]) {
      await expect(joinSeat(server.url, one.code, seatToken)).rejects.toThrow(/forbidden|unauthorized/);
    }
  });
  test("unknown, malformed and closed codes are answered with their code", async () => {
    const { code, token } = await duel();
    await call(server, "POST", `/rooms/${code}/leave`, { token, body: {} });
    await expect(watch(server.url, code)).rejects.toThrow(/room_closed/);
    await expect(watch(server.url, "IXENT-QQQQQQ")).rejects.toThrow(/not_found/);
    await expect(watch(server.url, "..%2f..")).rejects.toThrow(/not_found/);
  });
  test("upgrades to anywhere else are answered and harm nothing", async () => {
    for (const path of ["/", "/x", "/x/y?sessionId=1", "/a/IXENT-QQQQQQ?sessionId=nobody", "/%zz/%zz"]) {
      const socket = new WebSocket(`${server.url.replace("http", "ws")}${path}`);
      await new Promise<void>((resolve) => {
        socket.onclose = () => resolve();
      });
    }
    expect(await call(server, "GET", "/presets")).toMatchObject({ status: 200 });
  });
});

test("matches end with `over` for every seat; a rematch gives new seats and a new code (PROTOCOL 2)", async () => {
  const { code, token, token2, matchId } = await running();
  const sockets = [await joinSeat(server.url, code, token), await joinSeat(server.url, code, token2)];
  const spectator = await watch(server.url, code);
  const told: Json[] = [];
  for (const [i, room] of [...sockets, spectator].entries()) {
    room.onMessage("rematch", (message: Json) => {
      told[i] = message;
    });
  }
  const [first, second] = sockets as [Room, Room];
  await first.request("resign");
  expect((await sync(second)).state.status.winner).toEqual(["P2"]);
  await first.request("rematch");
  await second.request("rematch");
  await until("all three are told", () => told[0] && told[1] && told[2]);
  expect(told[0]).toMatchObject({ seat: "P2" });
  expect(told[1]).toMatchObject({ seat: "P1" });
  expect(told[2].seat_token).toBeUndefined();
  expect(told[0].code).not.toBe(code);
  const next = await joinSeat(server.url, told[0].code, told[0].seat_token);
  expect((await sync(next)).state.meta).toMatchObject({ phase: "playing", match_id: told[0].match_id });
  expect(told[0].match_id).not.toBe(matchId);
});
