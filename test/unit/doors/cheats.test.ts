/** What somebody might try for an advantage, at every door that there is: another's seat, a benchmark with help in it. */
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gamePlayerId } from "../../../server/sdk/player.ts";
import { call, type Guest, guest, type Json, serve, type TestServer } from "../../../server/testing/kit.ts";
import type { IdentityId, MatchId } from "../../../shared/protocol/ids.ts";
import { DOORS, seated } from "./doors.ts";

const FIRST = "G4@P21(b=0)+90";
const SOLO = { format: "solo", level: 1 };

let server: TestServer;
let ada: Guest;
let bob: Guest;
let eve: Guest;
beforeAll(async () => {
  server = await serve();
  [ada, bob, eve] = await Promise.all([guest(server, "Ada"), guest(server, "Bob"), guest(server, "Eve")]);
});
afterAll(() => server.stop());

const post = (path: string, token: string | null, body: object = {}) => call(server, "POST", path, { token, body });
const turnOf = async (id: string): Promise<number> =>
  (await call(server, "GET", `/matches/${id}/state`)).body.meta.turn;
async function sdk(path: string, token: string, body: object): Promise<Json> {
  const headers = { "x-firebase-token": token };
  return (await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

describe("another's move (R9.1)", () => {
  const playerId = (place: { match_id: string }, seat: "P1" | "P2", { id }: Guest) =>
    gamePlayerId({ matchId: place.match_id as MatchId, seat }, id as IdentityId);
  type Try = (duel: { match_id: string; adas: string; bobs: string }) => Promise<Json>;

  test.each<[name: string, code: string, go: Try]>([
    [
      "the own token, the other's seat in the body",
      "not_your_turn",
      async ({ match_id, bobs }) =>
        (await post(`/matches/${match_id}/moves`, bobs, { turn: 0, command: FIRST, seat: "P1", player: "P1" })).body
          .error,
    ],
    [
      "the seat token of another match",
      "forbidden",
      async ({ match_id }) => {
        const { body } = await post("/rooms", eve.token, SOLO);
        return (await post(`/matches/${match_id}/moves`, body.seat_token, { turn: 0, command: FIRST })).body.error;
      },
    ],
    [
      "a seat token with another seat written into it",
      "unauthorized",
      async ({ match_id, bobs }) => {
        const [version, use, key, payload = "", mac] = bobs.split(".");
        const claim = Buffer.from(payload, "base64url").toString();
        expect(claim).toContain('"P2"');
        const forged = Buffer.from(claim.replace('"P2"', '"P1"')).toString("base64url");
        const sent = [version, use, key, forged, mac].join(".");
        return (await post(`/matches/${match_id}/moves`, sent, { turn: 0, command: FIRST })).body.error;
      },
    ],
    [
      "hosted SDK: the other's public game_player_id",
      "forbidden",
      async (duel) =>
        (await sdk("/move", bob.token, { game_player_id: playerId(duel, "P1", ada), command: FIRST })).error,
    ],
    [
      "hosted SDK: one made for the other's seat and the own name",
      "not_your_turn",
      async (duel) => {
        const { msg } = await sdk("/move", bob.token, { game_player_id: playerId(duel, "P1", bob), command: FIRST });
        return { code: msg.split(":")[0] };
      },
    ],
    [
      "hosted SDK: one made by somebody without a seat",
      "forbidden",
      async (duel) =>
        (await sdk("/move", eve.token, { game_player_id: playerId(duel, "P1", eve), command: FIRST })).error,
    ],
    [
      "classic A2A: the match as a game_id, by one who sits in it",
      "not_found",
      async ({ match_id }) => {
        const headers = { authorization: `Bearer ${ada.token}` };
        const body = JSON.stringify({ game_id: match_id, command: FIRST });
        return ((await (await fetch(`${server.url}/submit_move`, { method: "POST", headers, body })).json()) as Json)
          .error;
      },
    ],
    [
      "joining again for the other seat gives the own one",
      "P2",
      async ({ match_id }) => {
        const { room_code } = (await call(server, "GET", `/matches/${match_id}/state`)).body.meta;
        return { code: (await post(`/rooms/${room_code}/join`, bob.token, { seat: "P1" })).body.seat };
      },
    ],
  ])("%s", async (_name, code, go) => {
    const { match_id, sitters } = await seated(server, "1v1", [ada.token, bob.token]);
    const duel = { match_id, adas: sitters[0]?.seat ?? "", bobs: sitters[1]?.seat ?? "" };
    expect(await go(duel)).toMatchObject({ code });
    expect(await turnOf(match_id)).toBe(0);
  });
});

describe("a benchmark", () => {
  const session = async (body: object = { mode: "benchmark" }): Promise<string> =>
    (await post("/sessions", ada.token, body)).body.session_id;
  const opened = async () => {
    const { body } = await post("/rooms", ada.token, { ...SOLO, session: await session() });
    return { code: body.code, match_id: body.match_id, seat: body.seat_token };
  };

  test.each(DOORS)("at the $name door a refused command loses the turn (R8.2)", async (door) => {
    const { seat, ...place } = await opened();
    const hand = await door.open(server.url, place, { identity: ada.token, seat });
    if (!("move" in hand)) throw new Error(hand.code);
    expect(await hand.move({ turn: 0, command: "north" })).toMatchObject({ ok: false, code: "syntax" });
    expect(await turnOf(place.match_id)).toBe(1);
    // Nor can it be taken back by saying something else to the same turn.
    expect(await hand.move({ turn: 0, command: "G1@P11(b=0)+90" })).toMatchObject({ ok: false, code: "stale_turn" });
    await hand.close();
  });

  test.each<[name: string, ask: (place: { match_id: string; seat: string }) => Promise<Json>]>([
    [
      "HTTP",
      async ({ match_id, seat }) =>
        (await call(server, "GET", `/matches/${match_id}/legal`, { token: seat })).body.error,
    ],
    [
      "Socket.IO",
      async ({ match_id }) => {
        const socket = io(`${server.url}/agents`, { auth: { token: ada.token }, forceNew: true });
        const answer = await socket.timeout(5_000).emitWithAck("legal", { match_id });
        socket.close();
        return answer;
      },
    ],
    [
      "MCP",
      async ({ match_id }) => {
        const client = new McpClient({ name: "test", version: "1" });
        const requestInit = { headers: { authorization: `Bearer ${ada.token}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
        const answer = (await client.callTool({ name: "legal_moves", arguments: { match_id } })) as Json;
        await client.close();
        return answer.structuredContent;
      },
    ],
  ])("gives no list of legal moves over %s", async (_door, ask) => {
    expect(await ask(await opened())).toMatchObject({ code: "legal_off" });
  });

  test.each<[name: string, more: object]>([
    ["a list of legal moves", { legal_list: true }],
    ["refusals that cost nothing", { invalid: "retry" }],
    ["no Orb", { orb: false }],
    ["no entropy", { entropy: false }],
    ["no clock", { turn_seconds: null }],
    ["a style for its seat", { seats: [{ kind: "ai", brain: "greedy", style: "genius" }] }],
    ["another level than its session's", { level: 2 }],
  ])("is not opened with %s, and its session is still good", async (_name, more) => {
    const id = await session();
    expect((await post("/rooms", ada.token, { ...SOLO, ...more, session: id })).body.error.code).toBe("bad_options");
    const { body } = await post("/rooms", ada.token, { ...SOLO, session: id });
    expect(body.state.meta.kind).toBe("benchmark");
  });

  test("is played once by its session, whoever asks, at whichever door", async () => {
    const id = await session();
    const { body: room } = await post("/rooms", ada.token, { ...SOLO, session: id });
    for (const { token } of [ada, eve]) {
      expect((await post("/rooms", token, { ...SOLO, session: id })).body.error.code).toBe("code_used");
    }
    expect((await sdk("/play", eve.token, { session_id: id })).error.code).toBe("code_used");
    // Its own player finds the one match again, with nothing slipped into it.
    const again = await sdk("/play", ada.token, { session_id: id, prompt_injection: "canary", strategy: "canary" });
    expect(again.state.meta.match_id).toBe(room.match_id);
    expect(again).toMatchObject({ moderation_notice: expect.any(String) });
    expect(again.system_prompt).not.toContain("canary");
    await post(`/matches/${room.match_id}/resign`, room.seat_token);
    expect((await sdk("/play", ada.token, { session_id: id })).error.code).toBe("code_used");
  });
});

test.each([2_222, 2_223])("texts of %s characters, in whatever script", async (length) => {
  const text = "\u{1f9f7}".repeat(length);
  const made = await Promise.all([
    sdk("/play", ada.token, { prompt_injection: text }),
    sdk("/play", ada.token, { strategy: text }),
    sdk("/arena/create", ada.token, { mode: "1v1", prompt_injection: text }),
    sdk("/arena/create", ada.token, { mode: "1v1", strategy: text }),
  ]);
  const codes = made.map(({ error }) => error?.code ?? "taken");
  expect(new Set(codes)).toEqual(new Set([length > 2_222 ? "too_large" : "taken"]));
});
