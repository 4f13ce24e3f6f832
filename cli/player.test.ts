/** The commands of a player, as real processes against a real house. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, guest, type Json } from "../server/testing/kit.ts";
import { until } from "../test/support/until.ts";
import { type House, openHouse } from "./testing/house.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));

let house: House;
let home: string;
beforeAll(async () => {
  house = await openHouse();
  home = await mkdtemp(join(tmpdir(), "gearmice-home-"));
});
afterAll(async () => {
  await house.close();
  await rm(home, { recursive: true, force: true });
});

const environment = () => ({ ...process.env, GEARMICE_HOME: home, GEARMICE_SERVER: house.url, GEARMICE_NAME: "Ada" });

interface Started {
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
  err(): string;
}

function start(args: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...environment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return {
    ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, out, err }))),
    err: () => err,
  };
}
const run = (...args: readonly string[]) => start(args).ended;
const agent = (name: string) => join(home, "agents", name);

/** A way to the server on which the first answer to a POST of that path is lost, though the call was granted. */
async function losingLine(target: string, path: string) {
  let lost = 0;
  const server = createServer(async (req, res) => {
    const headers = { ...(req.headers as Record<string, string>) };
    for (const hop of ["host", "connection", "content-length", "transfer-encoding"]) delete headers[hop];
    const { method = "GET", url = "" } = req;
    const body = await text(req);
    const answer = await fetch(`${target}${url}`, { method, headers, ...(body === "" ? {} : { body }) });
    const said = await answer.text();
    if (lost === 0 && method === "POST" && url === path) {
      lost += 1;
      return void res.destroy();
    }
    res.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("the player's folder", () => {
  test("is made on first use, with settings that others cannot read, and is left alone later", async () => {
    expect(await run("status")).toMatchObject({ code: 0, out: expect.stringContaining("nobody yet") });
    expect((await readdir(home)).sort()).toEqual([".env", "agents", "prompts", "strategies"]);
    expect((await stat(join(home, ".env"))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(home, "agents"))).toEqual(["agent.py", "agent.ts"]);
    await writeFile(join(home, ".env"), "GEARMICE_NAME=From the file\n");
    const { code, out } = await run("login", "--json");
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, server: house.url, name: "Ada" });
    expect(await readFile(join(home, ".env"), "utf8")).toBe("GEARMICE_NAME=From the file\n");
    expect((await stat(join(home, "identities.json"))).mode & 0o777).toBe(0o600);
  });

  test("login by an access code is that identity", async () => {
    const other = await guest(house, "Charles");
    const { code } = (await call(house, "POST", "/access-codes", { token: other.token })).body;
    expect(await run("login", "--code", code)).toMatchObject({ code: 0, out: `${house.url}: you are Charles\n` });
    expect(JSON.parse((await run("status", "--json")).out)).toMatchObject({ name: "Charles", seats: [] });
    expect(await run("login", "--code", "ZZZZ-ZZZZ")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/not_found/),
    });
  });
});

describe("play", () => {
  test.each<[name: string, args: readonly string[]]>([
    ["the template in TypeScript, a process a turn", ["--agent-script", "agent.ts"]],
    ["the template in Python, a process for the match", ["--agent-loop", "agent.py"]],
  ])("%s: to the end, without one refusal", async (_name, [flag = "", file = ""]) => {
    const { code, out, err } = await run("play", flag, agent(file));
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^(VICTORY|TIMEOUT) after \d+ turns/) });
    expect(err).not.toMatch(/refused|no answer/);
    expect(err).toMatch(/turn 1\/22 .*Turn 1 \[P1\]: G/);
  });

  test("a benchmark match: its session, its kind, one line of JSON, and a certificate on the official board", async () => {
    const { code, out } = await run("play", "--mode", "benchmark", "--brain", "greedy", "--json");
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ kind: "benchmark", seat: "P1", result: "VICTORY", winner: ["P1"] });
    const record = await (await fetch(report.record)).text();
    expect(JSON.parse(record.split("\n")[0] ?? "")).toMatchObject({
      kind: "benchmark",
      session: { mode: "benchmark" },
    });
    const board = (await call(house, "GET", "/leaderboard?kind=benchmark&format=solo&level=1")).body;
    expect(JSON.stringify(board)).toContain(report.match_id);
  });

  test("a session that was made elsewhere is used once", async () => {
    const { token } = JSON.parse(await readFile(join(home, "identities.json"), "utf8"))[house.url];
    const made = await call(house, "POST", "/sessions", { token, body: { mode: "lab" } });
    expect(made.body.command).toBe(
      `npx gearmice play --level 1 --mode lab --session ${made.body.session_id} --server ${house.url}`,
    );
    const args = [...made.body.command.split(" ").slice(2), "--brain", "greedy", "--json"];
    expect(JSON.parse((await run(...args)).out)).toMatchObject({ kind: "lab" });
    expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining("code_used") });
  });

  test("an answer that was lost: the match of the session is found again, and no other is opened", async () => {
    const line = await losingLine(house.url, "/api/v1/rooms");
    const matches = () => house.app.gateway.holders().length;
    const before = matches();
    const { code, out } = await start(["play", "--mode", "benchmark", "--brain", "greedy", "--json"], {
      GEARMICE_SERVER: line.url,
    }).ended;
    line.close();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ kind: "benchmark", seat: "P1" });
    expect([line.lost(), matches()]).toEqual([1, before + 1]);
  });

  test.each<[name: string, more: readonly string[], env: Record<string, string>, shown: string]>([
    ["--name, whatever the name of the identity", ["--name", "Lovelace"], {}, "Lovelace"],
    ["else GEARMICE_NAME", [], { GEARMICE_NAME: "Augusta" }, "Augusta"],
  ])("others are shown %s", async (_name, more, env, shown) => {
    const { out } = await start(["play", "--brain", "greedy", "--json", ...more], env).ended;
    const record = await (await fetch(JSON.parse(out).record)).text();
    expect(JSON.parse(record.split("\n")[0] ?? "").seats[0]).toMatchObject({ name: shown });
  });

  test("a script that fails plays the empty command, which the rules refuse", async () => {
    const file = join(home, "agents", "broken.cjs");
    await writeFile(file, "process.exit(1)");
    const { code, out, err } = await run("play", "--agent-script", file);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^TIMEOUT after 22 turns/) });
    expect(err).toMatch(/no answer: the script ended with 1/);
    expect(err).toMatch(/refused \(nothing\): syntax/);
  });

  test.each<[name: string, args: readonly string[], code: number, err: RegExp]>([
    ["nothing that plays", ["play"], 2, /--agent-script/],
    ["two things that play", ["play", "--brain", "greedy", "--agent-script", "x"], 2, /cannot be used with/],
    ["a file that is not there", ["play", "--agent-script", "/nowhere.ts"], 2, /no file/],
    ["no such brain", ["play", "--brain", "oracle"], 2, /random, greedy, expert/],
    ["no such level", ["play", "--brain", "greedy", "--level", "9"], 1, /bad_options/],
    ["no number", ["play", "--brain", "greedy", "--level", "two"], 2, /whole number/],
    ["no such room", ["arena", "join", "IXENT-ZZZZZZ", "--brain", "greedy"], 1, /not_found/],
    ["no address", ["status", "--server", "ftp://x"], 2, /no http/],
    ["no server there", ["status", "--server", "http://127.0.0.1:9"], 1, /cannot be reached/],
  ])("%s: exit code and reason", async (_name, args, code, err) => {
    expect(await run(...args)).toMatchObject({ code, err: expect.stringMatching(err) });
  });
});

describe("arena", () => {
  test("one creates, one joins by the code, one watches: the same result for all", async () => {
    const one = start(["arena", "create", "--agent-loop", agent("agent.py"), "--json"]);
    await until("the code is told", () => /room IXENT-/.test(one.err()));
    const code = /IXENT-\w+/.exec(one.err())?.[0] ?? "";
    expect((await run("arena", "list")).out).toContain(code);
    const watching = start(["arena", "watch", code]);
    await until("somebody watches", () => watching.err().includes(code));
    // Who creates may not be who joins: another folder is another player.
    const other = await mkdtemp(join(tmpdir(), "gearmice-home-"));
    const joined = await start(["arena", "join", code, "--brain", "greedy", "--json"], { GEARMICE_HOME: other }).ended;
    const [created, watched] = await Promise.all([one.ended, watching.ended]);
    await rm(other, { recursive: true, force: true });
    expect([created.code, joined.code, watched.code]).toEqual([0, 0, 0]);
    const [a, b] = [JSON.parse(created.out), JSON.parse(joined.out)];
    expect([a.seat, b.seat, a.result]).toEqual(["P1", "P2", b.result]);
    expect({ ...b, seat: "P1" }).toEqual(a);
    if (a.winner.length > 0) expect(watched.out).toBe(`winner: ${a.winner.join(", ")}\n`);
  });

  test("against the house, in 2v2", async () => {
    const { code, out } = await run(
      "arena",
      "create",
      "--format",
      "2v2",
      "--opponent",
      "random",
      "--brain",
      "greedy",
      "--json",
    );
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(out).scores)).toEqual(["P1", "P2", "P3", "P4"]);
  });
});

test("mcp: the settings in its help start it from any folder", async () => {
  const { out } = await run("mcp", "--help");
  const { command, args } = JSON.parse(/^ *(\{"mcpServers".*)$/m.exec(out)?.[1] ?? "").mcpServers.gearmice;
  const transport = new StdioClientTransport({
    ...{ command, args, cwd: home },
    env: environment() as Record<string, string>,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("play_move");
  await client.close();
});

test("mcp: the door on standard input and output; the model carries no token", async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp"],
    env: environment() as Record<string, string>,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const use = async (name: string, args: object): Promise<Json> =>
    ((await client.callTool({ name, arguments: args as Record<string, unknown> })) as Json).structuredContent;
  const made = await use("create_room", {
    format: "1v1",
    level: 1,
    seats: [{ kind: "any" }, { kind: "ai", brain: "random" }],
  });
  expect(made).toMatchObject({ ok: true, seat: "P1" });
  expect(made).not.toHaveProperty("player_token");
  let { state } = await use("wait_turn", { match_id: made.match_id });
  while (!state.status.game_over) {
    const { commands } = await use("legal_moves", { match_id: made.match_id });
    ({ state } = await use("play_move", { match_id: made.match_id, turn: state.meta.turn, command: commands[0] }));
  }
  const { contents } = await client.readResource({ uri: `gearmice://records/${made.match_id}` });
  expect((contents[0] as Json).text).toContain('"type":"result"');
  await client.close();
});
