/** The Socket.IO door (PROTOCOL 7) with the real client, on the port that carries Colyseus too. */
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { call, guest, type Json, joinSeat, serve, sync, type TestServer, until } from "../testing/kit.ts";

let server: TestServer;
let open: Socket[] = [];
beforeAll(async () => {
  server = await serve({ SOCKET_MESSAGES_PER_SECOND: "200", SOCKET_KICK_PER_SECOND: "1000" });
});
afterEach(() => {
  for (const socket of open) socket.close();
  open = [];
});
afterAll(() => server.stop());

interface Agent {
  readonly socket: Socket;
  readonly told: { readonly type: string; readonly message: Json }[];
  ask(name: string, payload?: unknown): Promise<Json>;
}

function agent(token: string | undefined, options: object = {}): Agent {
  const socket = io(`${server.url}/agents`, {
    auth: token === undefined ? {} : { token },
    forceNew: true,
    reconnectionDelay: 50,
    ...options,
  });
  open.push(socket);
  const told: Agent["told"] = [];
  socket.onAny((type: string, message: Json) => void told.push({ type, message }));
  return { socket, told, ask: (name, payload) => socket.timeout(5_000).emitWithAck(name, payload) };
}

const transportOf = (socket: Socket) => socket.io.engine.transport.name;

describe("one port for Colyseus and Socket.IO", () => {
  test.each([
    ["polling", ["polling"], "polling"],
    ["websocket", ["websocket"], "websocket"],
    ["polling, then the upgrade", ["polling", "websocket"], "websocket"],
  ])("%s, beside a room in play", async (_name, transports, settled) => {
    const { token } = await guest(server, "Ada");
    const { socket, ask } = agent(token, { transports });
    const made = await ask("create", { preset: "duel" });
    expect(made).toMatchObject({ ok: true, seat: "P1" });
    await until("the transport has settled", () => transportOf(socket) === settled);
    const room = await joinSeat(server.url, made.code, made.seat_token);
    expect((await sync(room)).seat).toBe("P1");
    expect(await ask("state", { match_id: made.match_id })).toMatchObject({
      ok: true,
      state: { meta: { phase: "waiting" } },
    });
    await room.leave();
    expect((await call(server, "GET", "/presets")).status).toBe(200);
  });

  test("what is nobody's is answered, and Colyseus is not given Socket.IO's", async () => {
    expect((await fetch(`${server.url}/socket.io/?EIO=4&transport=nonsense`)).status).toBe(400);
    expect((await fetch(`${server.url}/socket.iox/`)).status).toBe(404);
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/socket.io/?EIO=9&transport=websocket`);
    await new Promise<void>((resolve) => {
      socket.onclose = () => resolve();
      socket.onerror = () => {};
    });
  });
});

/** The first legal move whenever it is our turn, until the match is over. */
function playAlong({ socket, ask, told }: Agent): Promise<Json> {
  return new Promise((resolve, reject) => {
    const act = async ({ match_id, state }: Json) => {
      const { commands } = await ask("legal", { match_id });
      if (!commands) return;
      const answer = await ask("move", { match_id, turn: state.meta.turn, command: commands[0] });
      if (!answer.ok && !["stale_turn", "not_your_turn", "match_over"].includes(answer.code))
        reject(new Error(answer.code));
    };
    // An answer that a cut swallowed: what is current is told again on reconnect.
    socket.on("your_turn", (message) => void act(message).catch(() => {}));
    socket.on("match_over", resolve);
    for (const { type, message } of told) if (type === "your_turn") void act(message).catch(() => {});
  });
}

test("a whole match against a house bot, with the line cut in the middle", { timeout: 60_000 }, async () => {
  const { token } = await guest(server, "Ada");
  const one = agent(token);
  const over = playAlong(one);
  const made = await one.ask("create", { preset: "david-goliath" });
  expect(made).toMatchObject({ ok: true, seat: "P1" });
  await until("six turns are played", () => one.told.filter(({ type }) => type === "event").length > 6);
  const { id } = one.socket;
  one.socket.io.engine.close();
  await until("it has come again", () => one.socket.connected && one.socket.id !== id);
  const end = await over;
  expect(end).toMatchObject({ match_id: made.match_id, seat: "P1", state: { meta: { phase: "over" } } });
  expect(end.state.meta.seed).toMatch(/^[0-9a-f]{32}$/);
  expect(one.told.some(({ type, message }) => type === "event" && message.type === "over")).toBe(true);
});

test("a seat token opens its seat alone: its turn is told, other seats and rooms are not its", async () => {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body: made } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  await call(server, "POST", `/rooms/${made.code}/join`, { token: bob.token, body: {} });
  const seat = agent(made.seat_token);
  await until("its turn", () => seat.told.some(({ type, message }) => type === "your_turn" && message.seat === "P1"));
  expect(await seat.ask("create", { preset: "duel" })).toMatchObject({ ok: false, code: "unauthorized" });
  const watcher = agent(undefined);
  const watched = await watcher.ask("watch", { match_id: made.match_id });
  expect(watched).toMatchObject({ ok: true, state: { data: { last_reasoning: "" } } });
  expect(await watcher.ask("move", { match_id: made.match_id, turn: 0, command: "G1@P11+90" })).toMatchObject({
    ok: false,
    code: "unauthorized",
  });
  expect(
    await seat.ask("move", { match_id: made.match_id, turn: 0, command: "G4@P21+90", reasoning: "canary" }),
  ).toMatchObject({ ok: true, version: watched.state.meta.version + 1 });
  await until("the watcher sees it", () => watcher.told.some(({ message }) => message.command === "G4@P21(b=0)+90"));
  expect(JSON.stringify(watcher.told)).not.toContain("canary");
});

test("a token that is none of ours is told so", async () => {
  const { socket } = agent("rubbish");
  const error = await new Promise<Json>((resolve) => socket.on("connect_error", resolve));
  expect(error.data).toMatchObject({ code: "unauthorized" });
});

describe("wrong messages are answered with a code and harm nobody", () => {
  const wrong: readonly [name: string, type: string, payload: unknown, code: string][] = [
    ["an unknown name", "nonsense", {}, "bad_request"],
    ["a prototype's name", "__proto__", {}, "bad_request"],
    ["no payload", "move", undefined, "bad_request"],
    ["a list", "move", [1, 2], "bad_request"],
    ["a number for a match", "state", { match_id: 7 }, "bad_request"],
    ["an unknown match", "state", { match_id: "0198c0de-0000-7000-8000-000000000000" }, "not_found"],
    ["an unknown room", "join", { code: "IXENT-QQQQQQ" }, "not_found"],
    ["a preset that is none", "create", { preset: "nonsense" }, "bad_options"],
    ["100 kB", "move", { match_id: "x", command: "x".repeat(100_000) }, "too_large"],
  ];
  test.each(wrong)("%s", async (_name, type, payload, code) => {
    const { token } = await guest(server, "Ada");
    const one = agent(token);
    expect(await one.ask(type, payload)).toMatchObject({ ok: false, code });
    expect(one.socket.connected).toBe(true);
  });
  test("without a callback, and in a flood: refused, then cut", async () => {
    const { token } = await guest(server, "Ada");
    const one = agent(token, { reconnection: false });
    await one.ask("state", {});
    one.socket.emit("state", { match_id: 1 }, 2, 3);
    const answers = await Promise.all(Array.from({ length: 400 }, () => one.ask("state", {})));
    expect(answers.some(({ code }) => code === "rate_limited")).toBe(true);
    const gone = new Promise((resolve) => one.socket.on("disconnect", resolve));
    for (let i = 0; i < 1_500; i++) one.socket.emit("state", {});
    await gone;
    expect((await call(server, "GET", "/presets")).status).toBe(200);
  });
});
