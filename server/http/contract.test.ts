/** The HTTP door (PROTOCOL 4 and 6): every code by a call that gives it, and what the answers carry. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STATUS_OF } from "../../shared/protocol/codes.ts";
import { call, type Guest, guest, type Json, joinSeat, serve, type TestServer, until } from "../testing/kit.ts";

let server: TestServer;
let ada: Guest;
let bob: Guest;
beforeAll(async () => {
  server = await serve();
  ada = await guest(server, "Ada");
  bob = await guest(server, "Bob");
});
afterAll(() => server.stop());

const post = (path: string, token: string | null, body: unknown = {}) => call(server, "POST", path, { token, body });
const get = (path: string, token: string | null = null) => call(server, "GET", path, { token });
const create = async (body: object = { preset: "duel" }) => (await post("/rooms", ada.token, body)).body;
async function started(body: object = { preset: "duel" }) {
  const room = await create(body);
  const { body: joined } = await post(`/rooms/${room.code}/join`, bob.token);
  return { ...room, seat_token2: joined.seat_token as string };
}
const H = { kind: "human" };
const HOUSE = { kind: "ai", brain: "greedy" };

describe("every refusal has its status, its code and a sentence (PROTOCOL 4)", () => {
  const rows: readonly [
    name: string,
    code: keyof typeof STATUS_OF,
    ask: () => Promise<{ status: number; body: Json }>,
  ][] = [
    ["bad JSON", "bad_request", () => post("/identities", null, "{name")],
    ["no body", "bad_request", () => call(server, "POST", "/identities")],
    ["a list for a body", "bad_request", () => post("/identities", null, [1])],
    ["a name of 33 characters", "bad_request", () => post("/identities", null, { name: "x".repeat(33) })],
    ["a name of nothing one can see", "bad_request", () => post("/identities", null, { name: "\u200b" })],
    ["an unknown field", "bad_request", () => post("/rooms", ada.token, { format: "1v1", level: 1, seed: "1" })],
    ["an unknown status", "bad_request", () => get("/rooms?status=lost")],
    ["an unknown wait", "bad_request", async () => get(`/matches/${(await create()).match_id}/state?wait=forever`)],
    [
      "a move that is none",
      "bad_request",
      async () => {
        const room = await started();
        return post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 0 });
      },
    ],
    ["no token", "unauthorized", () => post("/rooms", null, { preset: "duel" })],
    [
      "a token of another use",
      "unauthorized",
      async () => post("/rooms", (await create()).seat_token, { preset: "duel" }),
    ],
    ["a damaged token", "unauthorized", () => post("/rooms", `${ada.token}x`, { preset: "duel" })],
    [
      "a move without a seat",
      "unauthorized",
      async () => post(`/matches/${(await started()).match_id}/moves`, null, { command: "x" }),
    ],
    [
      "the token of a seat that was left",
      "unauthorized",
      async () => {
        const room = await create({ preset: "alliance" });
        await post(`/rooms/${room.code}/join`, bob.token);
        await post(`/rooms/${room.code}/leave`, room.seat_token);
        return post(`/matches/${room.match_id}/resign`, room.seat_token);
      },
    ],
    [
      "the seat token of another match",
      "forbidden",
      async () => {
        const [one, two] = [await started(), await started()];
        return post(`/matches/${one.match_id}/moves`, two.seat_token, { command: "x" });
      },
    ],
    [
      "a seat for others",
      "forbidden",
      async () => {
        const room = await create({ format: "1v1", level: 1, seats: [H, { kind: "ai" }] });
        return post(`/rooms/${room.code}/join`, bob.token, { seat: "P2", kind: "human" });
      },
    ],
    [
      "a room without a list of moves",
      "legal_off",
      async () => {
        const room = await create({ format: "solo", level: 1, legal_list: false });
        return get(`/matches/${room.match_id}/legal`, room.seat_token);
      },
    ],
    ["an unknown route", "not_found", () => get("/nothing")],
    ["another method", "not_found", () => call(server, "DELETE", "/rooms")],
    ["an unknown code", "not_found", () => get("/rooms/IXENT-QQQQQQ")],
    ["no code at all", "not_found", () => get("/rooms/..%2f..%2fetc")],
    ["an unknown match", "not_found", () => get("/matches/0198c5a6-7b1c-7d3e-8f00-0123456789ab/state")],
    ["no match id", "not_found", () => get("/matches/constructor/state")],
    [
      "a code never handed out",
      "not_found",
      () => post("/rooms", ada.token, { preset: "duel", room_code: "IXENT-QQQQQQ" }),
    ],
    [
      "a move before the start",
      "match_not_started",
      async () => {
        const room = await create();
        return post(`/matches/${room.match_id}/moves`, room.seat_token, { command: "x" });
      },
    ],
    [
      "leaving a match that runs",
      "match_already_started",
      async () => {
        const room = await started();
        return post(`/rooms/${room.code}/leave`, room.seat_token);
      },
    ],
    [
      "a move after the end",
      "match_over",
      async () => {
        const room = await started();
        await post(`/matches/${room.match_id}/resign`, room.seat_token);
        return post(`/matches/${room.match_id}/moves`, room.seat_token2, { command: "x" });
      },
    ],
    [
      "joining after the end",
      "match_over",
      async () => {
        const room = await started();
        await post(`/matches/${room.match_id}/resign`, room.seat_token);
        return post(`/rooms/${room.code}/join`, (await guest(server)).token);
      },
    ],
    [
      "a rematch before the end",
      "match_not_over",
      async () => {
        const room = await started();
        return post(`/matches/${room.match_id}/rematch`, room.seat_token);
      },
    ],
    [
      "one who has resigned",
      "player_out",
      async () => {
        const room = await create({ format: "ffa4", level: 1 });
        for (const name of ["b", "c", "d"]) {
          await post(`/rooms/${room.code}/join`, (await guest(server, name)).token);
        }
        await post(`/matches/${room.match_id}/resign`, room.seat_token);
        return post(`/matches/${room.match_id}/resign`, room.seat_token);
      },
    ],
    [
      "a stale turn",
      "stale_turn",
      async () => {
        const room = await started();
        return post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 3, command: "G1@P11+90" });
      },
    ],
    [
      "the other's turn",
      "not_your_turn",
      async () => {
        const room = await started();
        return post(`/matches/${room.match_id}/moves`, room.seat_token2, { turn: 0, command: "G1@P14+90" });
      },
    ],
    [
      "a full room",
      "room_full",
      async () => {
        const room = await started();
        return post(`/rooms/${room.code}/join`, (await guest(server)).token);
      },
    ],
    [
      "a taken seat",
      "seat_taken",
      async () => {
        const room = await create();
        return post(`/rooms/${room.code}/join`, bob.token, { seat: "P1" });
      },
    ],
    [
      "a code used twice",
      "code_used",
      async () => {
        const { code } = (await post("/codes", ada.token)).body;
        await create({ preset: "duel", room_code: code });
        return post("/rooms", ada.token, { preset: "duel", room_code: code });
      },
    ],
    [
      "a closed room",
      "room_closed",
      async () => {
        const room = await create();
        await post(`/rooms/${room.code}/leave`, room.seat_token);
        return get(`/rooms/${room.code}`);
      },
    ],
    ["a body of 300 KiB", "too_large", () => post("/identities", null, { name: "x".repeat(300 * 1024) })],
    [
      "a command of 100 kB",
      "syntax",
      async () => {
        const room = await started();
        return post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 0, command: "G1@P11".repeat(16_000) });
      },
    ],
    ["a rotation too early", "wrong_phase", () => moved("G@P11+90")],
    ["a tile that is not there", "no_such_tile", () => moved("G1@P99+90")],
    ["not on the start edge", "not_on_start_edge", () => moved("G1@P12+90")],
    ["a taken tile", "occupied", () => moved("G1@P11+90", ["G1@P11+90", "G1@P14+90"])],
    ["not in stock", "not_in_stock", () => moved("G1@P21+90", SPENT)],
    ["not adjacent", "not_adjacent", () => moved("G2@P31+90", ["G1@P11+90", "G1@P14+90"])],
    [
      "an obstacle",
      "obstacle",
      async () => {
        const room = await create({ format: "solo", level: 1 });
        return post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 0, command: "G1@P22+90" });
      },
    ],
    ["a level that is not there", "bad_options", () => post("/rooms", ada.token, { format: "1v1", level: 5 })],
    ["an unknown preset", "bad_options", () => post("/rooms", ada.token, { preset: "chess" })],
    ["too few seats", "bad_options", () => post("/rooms", ada.token, { format: "1v1", level: 1, seats: [H] })],
    [
      "a brain on a human seat",
      "bad_options",
      () => post("/rooms", ada.token, { format: "1v1", level: 1, seats: [{ kind: "human", brain: "greedy" }, H] }),
    ],
    [
      "a house seat without a clock",
      "bad_options",
      () => post("/rooms", ada.token, { format: "solo", level: 1, seats: [HOUSE], turn_seconds: null }),
    ],
    [
      "Arena without a clock",
      "bad_options",
      () => post("/rooms", ada.token, { format: "1v1", level: 1, turn_seconds: null }),
    ],
    [
      "a benchmark with other rules",
      "bad_options",
      () => post("/rooms", ada.token, { format: "solo", level: 1, kind: "benchmark", orb: false }),
    ],
    [
      "an unknown brain",
      "no_bots",
      () => post("/rooms", ada.token, { format: "1v1", level: 1, seats: [H, { kind: "ai", brain: "deep-thought" }] }),
    ],
  ];
  test.each(rows)("%s", async (_name, code, ask) => {
    const { status, body } = await ask();
    expect(body.error?.code).toBe(code);
    expect(status).toBe(STATUS_OF[code]);
    expect(body.error.message.length).toBeGreaterThan(5);
    expect(Object.keys(body.error).every((key) => ["code", "message", "retry_after_s"].includes(key))).toBe(true);
  });

  async function moved(command: string, before: readonly string[] = []) {
    const room = await started();
    for (const [turn, earlier] of before.entries()) {
      const token = turn % 2 === 0 ? room.seat_token : room.seat_token2;
      const answer = await post(`/matches/${room.match_id}/moves`, token, { turn, command: earlier });
      expect(answer.body).toMatchObject({ ok: true });
    }
    return post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: before.length, command });
  }

  test("a refused move comes with the state, so that the next try needs no other call", async () => {
    const { body } = await moved("G1@P12+90");
    expect(body.state.data.refusals_this_turn).toBe(1);
    expect(body.version).toBe(body.state.meta.version);
  });

  test("house bots that cannot be started: 503, when to try again, and no room", async () => {
    server.bots.failing = true;
    const before = (await get("/rooms")).body.total;
    const answer = await post("/rooms", ada.token, { preset: "david-goliath" });
    server.bots.failing = false;
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "bot_unavailable", retry_after_s: 5 } } });
    expect(answer.headers.get("retry-after")).toBe("5");
    expect((await get("/rooms")).body.total).toBe(before);
  });
});

/** P1 has two G1 on level 1 of 1v1; after these both are on the board. */
const SPENT = ["G1@P11+90", "G1@P14+90", "G1@P12+90", "G2@P24+90"];

describe("identities, presets, lists", () => {
  test("names are cleaned", async () => {
    const answer = await post("/identities", null, { name: "  A\u202eda\n  L " });
    expect(answer).toMatchObject({ status: 201, body: { name: "Ada L" } });
  });
  test("the Playroom's twelve presets, and every level", async () => {
    const { body } = await get("/presets");
    expect(body.presets).toHaveLength(12);
    expect(body.levels).toContainEqual({ format: "ffa4", level: 4, dimensions: "10x10" });
  });
  test("the list shows public rooms with a picture of the board, never private ones", async () => {
    const open = await started();
    const hidden = await create({ format: "1v1", level: 1, private: true });
    await post(`/matches/${open.match_id}/moves`, open.seat_token, { turn: 0, command: "G4@P21+90" });
    const { body } = await get("/rooms?status=playing");
    const row = body.rooms.find((r: Json) => r.code === open.code);
    expect(row).toMatchObject({ format: "1v1", phase: "playing", turn: 1, thumbnail: { dimensions: "4x4" } });
    expect(row.thumbnail.board).toContain("G4P21");
    expect(JSON.stringify((await get("/rooms")).body)).not.toContain(hidden.code);
  });
  test("a room by its code, however it is typed", async () => {
    const room = await create();
    const { body } = await get(`/rooms/${room.code.toLowerCase().replace("ixent-", "")}`);
    expect(body).toMatchObject({ code: room.code, host: "P1", phase: "waiting", spectators: 0 });
    expect(body.seats[0]).toMatchObject({ seat: "P1", kind: "human", name: "Ada", taken: true });
  });
});

describe("private matches are not there for others (PROTOCOL 2)", () => {
  test("state, stream, legal moves need a seat token or the code", async () => {
    const room = await create({ format: "solo", level: 1, private: true });
    for (const path of ["state", "legal", "stream"]) {
      expect((await get(`/matches/${room.match_id}/${path}`)).status).toBe(404);
      expect((await get(`/matches/${room.match_id}/${path}`, bob.token)).status).toBe(404);
      expect((await get(`/matches/${room.match_id}/${path}`, `${room.seat_token}x`)).status).toBe(404);
    }
    expect((await get(`/matches/${room.match_id}/state?code=${room.code}`)).status).toBe(200);
    expect((await get(`/matches/${room.match_id}/state`, room.seat_token)).status).toBe(200);
    expect((await get(`/matches/${room.match_id}/state`, ada.token)).status).toBe(200);
  });
});

describe("waiting for one's turn (`?wait=turn`)", () => {
  test("answers when it is the seat's turn", async () => {
    const room = await started();
    const waiting = get(`/matches/${room.match_id}/state?wait=turn`, room.seat_token2);
    await post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 0, command: "G1@P11+90" });
    expect((await waiting).body).toMatchObject({ meta: { current_player: "P2", turn: 1 } });
    expect((await waiting).body.waiting).toBeUndefined();
  });
  test("a move that waits answers after the other's, and has counted in any case", async () => {
    const room = await started();
    const moved = post(`/matches/${room.match_id}/moves?wait=turn`, room.seat_token, { turn: 0, command: "G1@P11+90" });
    await until("it has counted", async () => (await get(`/matches/${room.match_id}/state`)).body.meta.turn === 1);
    await post(`/matches/${room.match_id}/moves`, room.seat_token2, { turn: 1, command: "G1@P14+90" });
    expect((await moved).body).toMatchObject({ ok: true, state: { meta: { turn: 2, current_player: "P1" } } });
  });
  test("the end answers too, and a spectator has no turn to wait for", async () => {
    const room = await started();
    const waiting = get(`/matches/${room.match_id}/state?wait=turn`, room.seat_token2);
    await post(`/matches/${room.match_id}/resign`, room.seat_token);
    expect((await waiting).body.status).toMatchObject({ game_over: true, winner: ["P2"] });
    expect((await get(`/matches/${room.match_id}/state?wait=turn`)).status).toBe(401);
  });
});

describe("the stream (NDJSON)", () => {
  test("whole state first, then a line per event, and the end ends it", async () => {
    const room = await started();
    const answer = await fetch(`${server.url}/api/v1/matches/${room.match_id}/stream`);
    expect(answer.headers.get("content-type")).toContain("application/x-ndjson");
    await post(`/matches/${room.match_id}/moves`, room.seat_token, {
      turn: 0,
      command: "G4@P21+90",
      reasoning: "psst",
    });
    await post(`/matches/${room.match_id}/resign`, room.seat_token2);
    const text = await answer.text();
    const lines: Json[] = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: "state", state: { meta: { turn: 0 }, data: { history: [] } } });
    const events = lines.filter((line) => line.type === "event");
    expect(events.map((line) => line.event.type)).toEqual(["turn", "out", "over"]);
    expect(events[0].state.data).toMatchObject({ history_length: 1, history_tail: ["Turn 1 [P1]: G4@P21(b=0)+90"] });
    expect(events[0].state.data.history).toBeUndefined();
    expect(text).not.toContain("psst");
  });
  test("every line's state is that of its own event, also where two are stored at once", async () => {
    const room = await create();
    const answer = await fetch(`${server.url}/api/v1/matches/${room.match_id}/stream`);
    const { body: joined } = await post(`/rooms/${room.code}/join`, bob.token);
    await post(`/matches/${room.match_id}/resign`, joined.seat_token);
    const lines: Json[] = (await answer.text())
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .filter((line) => line.type === "event");
    expect(lines.map((line) => [line.event.type, line.state.meta.phase])).toEqual([
      ["seats", "waiting"],
      ["start", "playing"],
      ["out", "over"],
      ["over", "over"],
    ]);
    for (const { event, state } of lines) {
      const { version, turn, phase, current_player, deadline_ms, server_time_ms } = event;
      expect(state.meta).toMatchObject({ version, turn, phase, current_player, deadline_ms, server_time_ms });
    }
  });
  test("of a match that is over: its state, and the end", async () => {
    const room = await started();
    await post(`/matches/${room.match_id}/resign`, room.seat_token);
    const answer = await fetch(`${server.url}/api/v1/matches/${room.match_id}/stream`);
    expect((await answer.text()).trim().split("\n")).toHaveLength(1);
  });
});

describe("all seats of an identity (`GET /stream`)", () => {
  test("what is current is told on opening, then starts, turns and ends", async () => {
    const carol = await guest(server, "Carol");
    const old = await call(server, "POST", "/rooms", { token: carol.token, body: { format: "solo", level: 1 } });
    const hangUp = new AbortController();
    const answer = await fetch(`${server.url}/api/v1/stream`, {
      headers: { authorization: `Bearer ${carol.token}` },
      signal: hangUp.signal,
    });
    const notices: Json[] = [];
    const reading = (async () => {
      let rest = "";
      for await (const chunk of answer.body ?? []) {
        const lines = (rest + Buffer.from(chunk).toString()).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line !== "") notices.push(JSON.parse(line));
      }
    })();
    await until("what is current", () => notices.length === 2);
    const room = await create();
    await post(`/rooms/${room.code}/join`, carol.token);
    await post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 0, command: "G1@P11+90" });
    await post(`/matches/${room.match_id}/resign`, room.seat_token);
    await until("the end", () => notices.at(-1)?.type === "match_over");
    expect(notices.map((n) => [n.type, n.match_id === old.body.match_id ? "old" : "new", n.seat])).toEqual([
      ["match_start", "old", "P1"],
      ["your_turn", "old", "P1"],
      ["match_start", "new", "P2"],
      ["your_turn", "new", "P2"],
      ["match_over", "new", "P2"],
    ]);
    hangUp.abort();
    await reading.catch(() => {});
    expect((await get("/stream")).status).toBe(401);
  });
});

describe("matches outlive their rooms (PROTOCOL 2)", () => {
  test("state, moves and repeated moves go on answering; the code says room_closed", async () => {
    const room = await started();
    const move = { turn: 0, command: "G1@P11+90" };
    await post(`/matches/${room.match_id}/moves`, room.seat_token, move);
    await post(`/matches/${room.match_id}/resign`, room.seat_token2);
    server.gateway
      .holders()
      .find((h) => h.id === room.match_id)
      ?.retire();
    expect((await get(`/rooms/${room.code}`)).body.error.code).toBe("room_closed");
    const { body } = await get(`/matches/${room.match_id}/state`);
    expect(body.status).toMatchObject({ game_over: true, winner: ["P1"] });
    const moves = (token: string, m: object) => post(`/matches/${room.match_id}/moves`, token, m);
    expect((await moves(room.seat_token, move)).body).toMatchObject({ ok: true, repeated: true });
    expect((await moves(room.seat_token, { command: "x" })).body.error.code).toBe("match_over");
    expect((await post(`/matches/${room.match_id}/rematch`, room.seat_token)).body.error.code).toBe("match_over");
    const stream = await fetch(`${server.url}/api/v1/matches/${room.match_id}/stream`);
    expect((await stream.text()).trim().split("\n")).toHaveLength(1);
  });
});

describe("secrets (R11.2)", () => {
  test("seed and others' reasoning are nowhere before the end; the seed is given after it", async () => {
    const room = await started();
    const holder = server.gateway.holders().find((h) => h.id === room.match_id);
    const seed = holder?.match.engine.seed ?? "";
    const own = await post(`/matches/${room.match_id}/moves`, room.seat_token, {
      turn: 0,
      command: "G1@P11+90",
      reasoning: "canary-7",
    });
    expect(own.body.state.data.last_reasoning).toBe("canary-7");
    const socket = await joinSeat(server.url, room.code, room.seat_token2);
    const bytes = JSON.stringify([
      (await get(`/matches/${room.match_id}/state`)).body,
      (await get(`/matches/${room.match_id}/state`, room.seat_token2)).body,
      (await get("/rooms")).body,
      (await get(`/rooms/${room.code}`)).body,
      await socket.request("sync", { version: 0 }),
      socket.state,
    ]);
    expect(seed).toHaveLength(32);
    expect(bytes).not.toContain(seed);
    expect(bytes).not.toContain("canary-7");
    await post(`/matches/${room.match_id}/resign`, room.seat_token);
    expect((await get(`/matches/${room.match_id}/state`)).body.meta.seed).toBe(seed);
    await socket.leave();
  });
});

describe("headers", () => {
  test("a content security policy without inline script, and nothing that names the software", async () => {
    const { headers } = await get("/presets");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
  });
  test("a call that offers to go on in HTTP/2 is answered like any other", async () => {
    const socket = connect(server.port, "127.0.0.1");
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.write(
      "GET /api/v1/presets HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n" +
        "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n",
    );
    await until("the answer", () => text.includes("\r\n\r\n"));
    expect(text).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });
  test("a request that is no HTTP is answered, cut off and harms nobody", async () => {
    const socket = connect(server.port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.write("\x00\x01nonsense\r\n\r\n");
    await closed;
    expect(text).toMatch(/^HTTP\/1.1 400 .*"code":"bad_request"/s);
    expect((await get("/presets")).status).toBe(200);
  });
});
