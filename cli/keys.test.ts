/** `gearmice keys` with real server processes that run on: no seat is lost, and records of both keys verify. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, guest, type Json } from "../server/testing/kit.ts";
import { type RunningRedis, startRedis } from "../test/support/redis.ts";
import { type RunningServer, startServerProcess } from "../test/support/server.ts";
import { until } from "../test/support/until.ts";
import { verifyCommand } from "./verify.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));

let root = "";
const running: RunningServer[] = [];
let redis: RunningRedis;
beforeAll(async () => {
  [root, redis] = await Promise.all([mkdtemp(join(tmpdir(), "gearmice-keys-")), startRedis()]);
});
afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
  await redis?.stop();
  await rm(root, { recursive: true, force: true });
});

function run(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
    );
  });
}
async function keys(args: readonly string[], env: Record<string, string>): Promise<Json[]> {
  const { code, out, err } = await run(["keys", ...args, "--json"], env);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out).keys;
}
async function start(name: string, env: Record<string, string>): Promise<RunningServer> {
  const server = await startServerProcess({ RATE_LIMITS: "off", ...env }, join(root, name));
  running.push(server);
  return server;
}

async function solo(server: RunningServer, token: string) {
  return (await call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1 } })).body;
}
const moved = async (server: RunningServer, room: Json, turn: number, command: string) =>
  call(server, "POST", `/matches/${room.match_id}/moves`, { token: room.seat_token, body: { turn, command } });
/** Ends the match and keeps its record; the key that signed it. */
async function recordOf(server: RunningServer, room: Json, file: string): Promise<string> {
  await call(server, "POST", `/matches/${room.match_id}/resign`, { token: room.seat_token, body: {} });
  const text = await until("the record", async () => {
    const { status, body } = await call(server, "GET", `/matches/${room.match_id}/record`);
    return status === 200 ? (body as string) : null;
  });
  await writeFile(file, text);
  return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "").key_id;
}
const published = async (server: RunningServer): Promise<string[]> => {
  const list: Json = await (await fetch(`${server.url}/.well-known/gearmice-keys.json`)).json();
  return list.keys.map(({ kid }: Json) => kid);
};
/** The newest key of each use, once it signs in that process. */
async function takenUp(server: RunningServer, rows: readonly Json[]): Promise<void> {
  const newest = (use: string) => rows.find((row) => row.use === use);
  await until("the new keys are used", async () => {
    const { token } = await guest(server);
    return token.split(".")[2] === newest("tokens").id && (await published(server)).includes(newest("records").id);
  });
}

const rows = [
  { name: "one process on its folder", count: 1 },
  { name: "two processes on one Redis", count: 2 },
] as const;
describe.each(rows)("rotate: $name", ({ count }) => {
  const env = (): Record<string, string> =>
    count === 1 ? {} : { REDIS_URL: redis.url, REDIS_PREFIX: `keys-${count}:`, LEASE_SECONDS: "30" };
  const dir = (i: number) => join(root, `${count}-${i}`);
  const cli = () => ({ ...env(), DATA_DIR: dir(0) });

  test("seats go on, old and new records verify by the one list, nothing secret is shown", async () => {
    const servers = await Promise.all(Array.from({ length: count }, (_, i) => start(`${count}-${i}`, env())));
    const [first, last] = [servers[0], servers.at(-1)] as [RunningServer, RunningServer];
    const ada = await guest(first, "Ada");
    const [done, going] = [await solo(first, ada.token), await solo(first, ada.token)];
    const oldKey = await recordOf(first, done, join(root, `old-${count}.jsonl`));
    expect((await moved(first, going, 0, "G1@P21+90")).body).toMatchObject({ ok: true });

    const after = await keys(["rotate", "--after", count === 1 ? "0" : "3"], cli());
    expect(after.map(({ use, state }: Json) => `${use} ${state}`)).toEqual([
      ...["tokens signs", "tokens past", "records signs", "records past"],
    ]);
    for (const server of servers) await takenUp(server, after);

    // The old tokens open identity and seat, at every process; the match goes on without a break.
    expect((await call(last, "GET", "/seats", { token: ada.token })).body.seats).toHaveLength(2);
    expect((await moved(last, going, 1, "G1@P11+90")).body).toMatchObject({ ok: true });
    const again = await call(last, "POST", `/rooms/${going.code}/join`, { token: ada.token, body: {} });
    expect(again.body).toMatchObject({ seat: "P1" });
    expect(again.body.seat_token.split(".")[2]).toBe(after[0].id);
    const newKey = await recordOf(last, going, join(root, `new-${count}.jsonl`));
    expect(newKey).toBe(after[2].id);
    expect(newKey).not.toBe(oldKey);

    for (const server of servers) {
      expect(await published(server)).toEqual([newKey, oldKey]);
      for (const name of ["old", "new"]) {
        const key = `${server.url}/.well-known/gearmice-keys.json`;
        const said: string[] = [];
        const write = (text: string) => said.push(text);
        expect(await verifyCommand(join(root, `${name}-${count}.jsonl`), { key, write })).toBe(0);
        expect(said.join()).toContain("right, signed by");
      }
    }
    const shown = (await run(["keys", "list"], cli())).out + JSON.stringify(after);
    for (let i = 0; i < count; i++) {
      const read = async (name: string): Promise<Json[]> => JSON.parse(await readFile(join(dir(i), name), "utf8")).keys;
      // Of the old record key only the public half is left.
      const records = await until("the old private half has gone", async () => {
        const found = await read("record-key.json");
        return found[0].d === undefined ? found : null;
      });
      const tokens = await read("token-keys.json");
      for (const { key } of tokens) expect(shown).not.toContain(key);
      expect(records.map(({ d }) => typeof d)).toEqual(["undefined", "string"]);
      expect(shown).not.toContain(records[1].d);
      expect((await stat(join(dir(i), "token-keys.json"))).mode & 0o777).toBe(0o600);
    }
    for (const server of servers) expect(server.output()).not.toContain('"at":"keys"');
  });
});

test("--keep-days 0: old tokens open nothing any more", async () => {
  const [server] = running as [RunningServer];
  const { token } = await guest(server, "Bob");
  const rotated = await keys(["rotate", "--after", "0", "--keep-days", "0"], { DATA_DIR: server.dataDir });
  await takenUp(server, rotated);
  expect((await call(server, "GET", "/seats", { token })).status).toBe(401);
});

describe("what is refused", () => {
  test.each([
    ["no server has run there", ["list"], 1, "no server has run"],
    ["a wrong number", ["rotate", "--keep-days", "soon"], 2, "whole number"],
  ])("%s", async (_name, args, code, err) => {
    const ended = await run(["keys", ...args], { DATA_DIR: join(root, randomUUID()) });
    expect(ended).toMatchObject({ code, err: expect.stringContaining(err) });
  });
  test("keys that others can read are narrowed before they are used", async () => {
    const dir = join(root, "1-0");
    for (const name of ["token-keys.json", "record-key.json"]) await chmod(join(dir, name), 0o644);
    await keys(["list"], { DATA_DIR: dir });
    for (const name of ["token-keys.json", "record-key.json"]) {
      expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    }
  });
});
