/** `gearmice admin` against a real server process: what an operator sees and does, and what nobody else may. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, guest, type Json } from "../server/testing/kit.ts";
import { type RunningServer, startServerProcess } from "../test/support/server.ts";
import { until } from "../test/support/until.ts";
import { adminCommand } from "./admin.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));

let server: RunningServer;
let dir = "";
let ops = "";
let token = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-admin-"));
  server = await startServerProcess({ RATE_LIMITS: "off" }, dir);
  ops = await until("the address is noted", () => readFile(join(dir, "admin-address"), "utf8").catch(() => null));
  ops = ops.trim();
  token = (await readFile(join(dir, "admin-token"), "utf8")).trim();
});
afterAll(async () => {
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env: { ...process.env, DATA_DIR: dir, ...env } }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
    );
  });
}
const admin = async (...args: string[]): Promise<Json> => {
  const { code, out, err } = await run(["admin", ...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
};
const ask = (path: string, init: RequestInit = {}) => fetch(`${ops}${path}`, init);
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

async function duel(room: object = { preset: "duel" }) {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: room });
  const joined = await call(server, "POST", `/rooms/${body.code}/join`, { token: bob.token, body: {} });
  return { ...body, seat_token2: joined.body.seat_token };
}

test("the token is made on first start, for this user alone, and is not another's at the next", async () => {
  expect((await stat(join(dir, "admin-token"))).mode & 0o777).toBe(0o600);
  expect(token).toMatch(/^gma1\.[\w-]{43}$/);
  expect(new URL(ops).hostname).toBe("127.0.0.1");
});

describe("without the token nothing is told and nothing done", () => {
  test.each<[string, Record<string, string>]>([
    ["no header", {}],
    ["a wrong token", bearer(`gma1.${"A".repeat(43)}`)],
    ["a beginning of it", bearer("gma1.")],
    ["something else", { authorization: "Basic YWRtaW46YWRtaW4=" }],
  ])("%s", async (_name, headers) => {
    const room = await duel();
    for (const [method, path] of [
      ["GET", "/admin/matches"],
      ["GET", `/admin/matches/${room.match_id}`],
      ["POST", `/admin/matches/${room.match_id}/close`],
    ] as const) {
      const answer = await ask(path, { method, headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: "unauthorized" } });
    }
    const { body } = await call(server, "GET", `/matches/${room.match_id}/state`);
    expect(body.meta.phase).toBe("playing");
  });
  test("a player's token is none, and the public port has no admin", async () => {
    const { token: identity } = await guest(server);
    expect((await ask("/admin/matches", { headers: bearer(identity) })).status).toBe(401);
    expect((await fetch(`${server.url}/admin/matches`, { headers: bearer(token) })).status).toBe(404);
  });
});

test("list and inspect: phase, turn, seats, deadline, version; no seed, no identity, no reasoning", async () => {
  const room = await duel({ format: "1v1", level: 1, private: true });
  const move = { turn: 0, command: "G1@P11+90", reasoning: "a secret thought" };
  await call(server, "POST", `/matches/${room.match_id}/moves`, { token: room.seat_token, body: move });
  const { matches } = await admin("list");
  const row = matches.find((one: Json) => one.match_id === room.match_id);
  expect(row).toMatchObject({
    ...{ code: room.code, format: "1v1", level: 1, phase: "playing", private: true, turn: 1, current_player: "P2" },
    seats: [
      { seat: "P1", name: "Ada", taken: true },
      { seat: "P2", name: "Bob", taken: true },
    ],
  });
  expect(row.version).toBeGreaterThan(3);
  expect(row.deadline_ms).toBeGreaterThan(Date.now());
  const inspected = await admin("inspect", room.code.toLowerCase());
  expect(inspected.match).toMatchObject({ match_id: room.match_id, turn: 1 });
  expect(inspected.state.data.history).toEqual(["Turn 1 [P1]: G1@P11(b=0)+90"]);
  const everything = JSON.stringify([matches, inspected]);
  expect(everything).not.toMatch(/"seed"|identity|secret thought|gm1\./);

  const { out } = await run(["admin", "list"]);
  expect(out.split("\n").find((line) => line.startsWith(room.code))).toContain(room.match_id);
  expect((await run(["admin", "inspect", room.match_id])).out).toContain("G1@P11(b=0)+90");
});

test("close: logged, acknowledged, broadcast, recorded, verified (R9.5, R10.1)", async () => {
  const room = await duel();
  const stream = await fetch(`${server.url}/api/v1/matches/${room.match_id}/stream`);
  const closed = await admin("close", room.match_id);
  expect(closed).toMatchObject({ ok: true, match_id: room.match_id, phase: "over", result: "ABANDONED" });
  // The stream ends by itself when all has been told.
  const told = (await stream.text()).split("\n").filter((line) => line !== "");
  expect(told.map((line) => JSON.parse(line).event?.type)).toContain("over");
  const { body } = await call(server, "GET", `/matches/${room.match_id}/state`);
  expect(body).toMatchObject({ meta: { phase: "over" }, status: { result: "ABANDONED", winner: [] } });
  const lines = server
    .output()
    .split("\n")
    .filter((line) => line.includes(`"match_id":"${room.match_id}"`));
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["match started", "match over", "closed by an operator"]);

  const record = join(dir, "closed.jsonl");
  await writeFile(record, (await call(server, "GET", `/matches/${room.match_id}/record`)).body);
  const verified = await run(["verify", record, "--key", `${server.url}/.well-known/gearmice-keys.json`, "--json"]);
  expect(JSON.parse(verified.out)).toMatchObject({ ok: true, signer: "known", result: "ABANDONED" });

  const again = await run(["admin", "close", room.match_id]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("match_over") });
});

test("a waiting room is closed, by its code", async () => {
  const { token: identity } = await guest(server);
  const { body } = await call(server, "POST", "/rooms", { token: identity, body: { preset: "duel" } });
  const { code, out } = await run(["admin", "close", body.code]);
  expect({ code, out }).toEqual({ code: 0, out: `The room ${body.code} is closed (${body.match_id}).\n` });
  expect((await call(server, "GET", `/rooms/${body.code}`)).body.error.code).toBe("room_closed");
});

describe("exit codes and what is said", () => {
  const empty = mkdtemp(join(tmpdir(), "gearmice-none-"));
  afterAll(async () => rm(await empty, { recursive: true, force: true }));
  test.each([
    ["no such match", ["close", "019a7c1e-2f00-7abc-8def-0123456789ab"], "not_found: "],
    ["no such room", ["inspect", "IXENT-QQQQQQ"], "not_found: "],
    ["neither id nor code", ["inspect", "../metrics"], "bad_request: "],
    ["nobody there", ["list", "--address", "http://127.0.0.1:1"], "no server answers"],
    ["not an address", ["list", "--address", "nowhere"], "no address"],
  ])("%s", async (_name, args, message) => {
    process.env.DATA_DIR = dir;
    await expect(adminCommand().parseAsync(args, { from: "user" })).rejects.toThrow(message);
  });
  test("a wrong call is 2", async () => {
    expect(await run(["admin", "close"])).toMatchObject({ code: 2, err: expect.stringContaining("required argument") });
  });
  test("a folder on which no server has run", async () => {
    const ended = await run(["admin", "list"], { DATA_DIR: await empty });
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("no admin token") });
  });
  test("help has examples and exit codes", async () => {
    const { code, out } = await run(["admin", "close", "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("Exit codes:");
    expect(out).toContain("$ gearmice admin list");
  });
});

test("a token file that others can read is narrowed at the start; the address goes with the process", async () => {
  await chmod(join(dir, "admin-token"), 0o644);
  await server.stop();
  await expect(stat(join(dir, "admin-address"))).rejects.toThrow("ENOENT");
  server = await startServerProcess({ RATE_LIMITS: "off" }, dir);
  expect((await stat(join(dir, "admin-token"))).mode & 0o777).toBe(0o600);
  expect((await readFile(join(dir, "admin-token"), "utf8")).trim()).toBe(token);
  expect((await admin("list")).matches.length).toBeGreaterThan(0);
});
