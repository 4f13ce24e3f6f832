/** Accounts, sessions, certificates and the leaderboard at the HTTP door (PROTOCOL 6). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyCertificate } from "../../shared/protocol/certificate.ts";
import { verifyRecord } from "../../shared/protocol/recordVerify.ts";
import { checkSignature } from "../signing.ts";
import { call, type Guest, guest, type Json, serve, type TestServer, until } from "../testing/kit.ts";

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
const get = (path: string) => call(server, "GET", path);
const rows = async (board: string): Promise<Json[]> => (await get(`/leaderboard?${board}`)).body.rows;

/** Ada resigns against Bob; returns the match id once the record is made. */
async function duel(options: object): Promise<string> {
  const { body: room } = await post("/rooms", ada.token, { format: "1v1", level: 1, ...options });
  await post(`/rooms/${room.code}/join`, bob.token);
  await post(`/matches/${room.match_id}/resign`, room.seat_token);
  await until(
    "the record is made",
    async () => (await get(`/matches/${room.match_id}/record?code=${room.code}`)).status === 200,
  );
  return room.match_id;
}

test("an access code gives its identity again, as often as it is used", async () => {
  const made = await post("/access-codes", ada.token);
  expect(made).toMatchObject({ status: 201, body: { code: expect.stringMatching(/^GM(-[A-Z2-9]{5}){4}$/) } });
  for (const typed of [made.body.code, made.body.code.toLowerCase().replaceAll("-", " ")]) {
    const { body } = await post("/access-codes/exchange", null, { code: typed });
    expect(body).toMatchObject({ id: ada.id, name: "Ada" });
    expect((await post("/rooms", body.token, { preset: "duel" })).status).toBe(201);
  }
});

test.each([
  ["a code that is nobody's", "/access-codes/exchange", false, { code: "GM-AAAAA-AAAAA-AAAAA-AAAAA" }, "not_found"],
  ["no code", "/access-codes/exchange", false, {}, "bad_request"],
  ["a code without an identity", "/access-codes", false, {}, "unauthorized"],
  ["a session without an identity", "/sessions", false, { mode: "lab" }, "unauthorized"],
  ["a session of no mode", "/sessions", true, { mode: "casual" }, "bad_request"],
  ["a session of no level", "/sessions", true, { mode: "lab", level: 99 }, "bad_options"],
  ["a room with an unknown session", "/rooms", true, { format: "solo", level: 1, session: "x" }, "not_found"],
  [
    "a benchmark with a list of moves",
    "/rooms",
    true,
    { format: "solo", level: 1, kind: "benchmark", legal_list: true },
    "bad_options",
  ],
] as const)("%s: refused", async (_name, path, signed, body, code) => {
  expect((await post(path, signed ? ada.token : null, body)).body.error.code).toBe(code);
});

test("a session is for the match that it was made for", async () => {
  const { session_id: session } = (await post("/sessions", ada.token, { mode: "lab", format: "1v1", level: 2 })).body;
  for (const other of [
    { format: "1v1", level: 1 },
    { format: "ffa4", level: 2 },
  ]) {
    expect((await post("/rooms", ada.token, { ...other, session })).body.error.code).toBe("bad_options");
  }
  // Refusing has not used it up.
  expect((await post("/rooms", ada.token, { format: "1v1", level: 2, session })).status).toBe(201);
});

test("a match is counted once; its certificate holds by itself and names its record", async () => {
  const id = await duel({});
  const board = await rows("kind=casual&format=1v1&level=1");
  expect(board.map((row) => [row.name, row.matches, row.wins, row.rank])).toEqual(
    expect.arrayContaining([
      ["Ada", 1, 0, 1],
      ["Bob", 1, 1, 1],
    ]),
  );
  const row = board.find(({ match_id }) => match_id === id);
  const certificate = (await get(`/certificates/${row.certificate}`)).body;
  const { keys } = (await (await fetch(`${server.url}/.well-known/gearmice-keys.json`)).json()) as Json;
  const trust = { keys: [keys[0].kid], checkSignature };
  const text = JSON.stringify(certificate);
  expect(await verifyCertificate(text, trust)).toMatchObject({ ok: true, signer: "known" });
  const raised = JSON.stringify({ ...certificate, score: certificate.score + 10 });
  expect(await verifyCertificate(raised, trust)).toMatchObject({ ok: false });
  // Sealing anew what is counted already changes nothing.
  await server.store.record(row.match_id);
  expect(await rows("kind=casual&format=1v1&level=1")).toEqual(board);
});

test.each([
  ["without Orb", { format: "solo", orb: false }, "kind=casual&format=solo&level=1"],
  ["lab", { kind: "lab" }, "kind=benchmark&format=1v1&level=1"],
])("not ranked: %s", async (_name, options, board) => {
  if ("format" in options) {
    const { body: room } = await post("/rooms", ada.token, { level: 1, ...options });
    await post(`/matches/${room.match_id}/resign`, room.seat_token);
    await until("the record is made", async () => (await get(`/matches/${room.match_id}/record`)).status === 200);
  } else {
    await duel(options);
  }
  expect(await rows(board)).toEqual([]);
});

test("a benchmark session is for one match, which carries it, gives no list, and enters the official board", async () => {
  const prompt_hash = "ab".repeat(32);
  const made = await post("/sessions", ada.token, { mode: "benchmark", model: "tiny-1", prompt_hash, level: 2 });
  expect(made.status).toBe(201);
  const session = made.body.session_id as string;
  expect(made.body.command).toContain(session);
  const wrong = { format: "solo", level: 2, session, orb: false };
  expect((await post("/rooms", ada.token, wrong)).body.error.code).toBe("bad_options");
  const { body: room } = await post("/rooms", ada.token, { format: "solo", level: 2, session });
  expect(room.state.meta).toMatchObject({ kind: "benchmark", options: { legal_list: false, invalid: "lose_turn" } });
  const again = await post("/rooms", ada.token, { format: "solo", level: 2, session });
  expect(again.body.error.code).toBe("code_used");
  await post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 0, command: "nonsense" });
  await post(`/matches/${room.match_id}/resign`, room.seat_token);
  await until("the record is made", async () => (await get(`/matches/${room.match_id}/record`)).status === 200);
  const record = (await get(`/matches/${room.match_id}/record`)).body;
  const verdict = await verifyRecord(new TextEncoder().encode(record), { keys: [], checkSignature });
  expect(verdict).toMatchObject({ ok: true, header: { session: { id: session, prompt_hash } } });
  const [row] = await rows("kind=benchmark&format=solo&level=2");
  expect(row).toMatchObject({ rank: 1, name: "Ada", model: "tiny-1" });
  expect((await get(`/certificates/${row.certificate}`)).body).toMatchObject({ kind: "benchmark", prompt_hash });
});
