/** The hosted SDK's door, used from Python as its client does: Solo and a duel to the end, by a script and by a model. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Asked, type ModelServer, startModelServer } from "../../../agents/llm/testing/modelServer.ts";
import { call, guest, type Json, serve, type TestServer, until } from "../../../server/testing/kit.ts";
import { legalMoves, restoreMatch } from "../../../shared/engine/index.ts";
import { build } from "../../../shared/prompts/index.ts";
import { visibleIn } from "../../../shared/protocol/visible.ts";

vi.setConfig({ testTimeout: 120_000 });
const path = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const CLIENT = path("test/python/sdk_client.py");
const SCRIPT = ["--agent-script", path("cli/player/templates/agent.py")];

let server: TestServer;
let models: ModelServer;
let tokens: string[];
beforeAll(async () => {
  server = await serve();
  models = await startModelServer((asked) => ({
    text: `<think>Let me see.</think> ${JSON.stringify({ command: firstLegal(asked), reasoning: "It is legal." })}`,
    input: 100,
    output: 30,
    thinkingTokens: 10,
  }));
  tokens = await Promise.all(["Ada", "Bob"].map(loggedIn));
});
afterAll(async () => {
  await server?.stop();
  await models?.close();
});

/** Runs the client; `told` hears each line that it says. Rejects with what it wrote when it fails. */
function python(args: readonly string[], told: (line: Json) => void = () => {}): Promise<Json[]> {
  return new Promise((resolve, reject) => {
    const child = spawn("python3", [CLIENT, server.url, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const lines: Json[] = [];
    let errors = "";
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(JSON.parse(line));
      told(lines.at(-1));
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(lines) : reject(new Error(`exit ${code}: ${JSON.stringify(lines)} ${errors}`)),
    );
  });
}

/** A guest who takes a personal code and logs in with it from Python. */
async function loggedIn(name: string): Promise<string> {
  const { token } = await guest(server, name);
  const { code } = (await call(server, "POST", "/access-codes", { token })).body;
  const [answer] = await python(["login", code]);
  expect(answer).toMatchObject({ success: true, expires_in: expect.any(Number) });
  return answer.id_token;
}

function firstLegal({ user }: Asked): string {
  const match = restoreMatch(visibleIn(JSON.parse(user)), "5f3bedef890f10583eb6bfc54e50c924");
  return match.ok ? (legalMoves(match.value)[0] ?? "") : "";
}

const session = async (body: object) =>
  (await call(server, "POST", "/sessions", { token: tokens[0] ?? "", body })).body.session_id;
const own = (i: number) => ["--token", tokens[i] ?? ""];
const local = () => ["--local-url", models.at("openai"), "--model", "local-1"];

test("Solo to the end by a script, in a benchmark session: it is on the official board", async () => {
  const id = await session({ mode: "benchmark", level: 1 });
  const [started, end] = await python(["play", ...own(0), "--session", id, ...SCRIPT]);
  expect(started).toMatchObject({ level: 1, provider: "custom" });
  expect(end).toMatchObject({ result: expect.stringMatching(/VICTORY|TIMEOUT/), refused: 0 });
  const match = server.gateway.holders().find(({ match }) => match.session?.id === id)?.match;
  expect(match?.kind).toBe("benchmark");
  const board = await until("the match's row", async () => {
    const { body } = await call(server, "GET", "/leaderboard?kind=benchmark&format=solo&level=1");
    return body.rows.length > 0 ? body.rows : null;
  });
  expect(board).toMatchObject([{ name: "Ada", match_id: match?.id }]);
});

test("Solo to the end by a local model, in a lab session; its tokens are counted", async () => {
  const id = await session({ mode: "lab", level: 1 });
  const [started, end] = await python(["play", ...own(0), "--session", id, "--prompt", "Be quick.", ...local()]);
  expect(started).toMatchObject({ provider: "local" });
  expect(end).toMatchObject({ result: expect.stringMatching(/VICTORY|TIMEOUT/), refused: 0 });
  expect(end.scoring).toMatchObject({
    tokens_used: { P1: 130 * end.turn },
    thinking_tokens: { P1: 10 * end.turn },
  });
  expect(models.asked[0]).toMatchObject({ model: "local-1", system: `${build("solo", "P1")}\n\nBe quick.` });
});

test("a duel to the end: created by a script, joined by a local model", async () => {
  let joining: Promise<Json[]> | null = null;
  const created = await python(["create", ...own(0), "--mode", "1v1", ...SCRIPT], (line) => {
    if (line.room) joining = python(["join", ...own(1), "--room", line.room, ...local()]);
  });
  const joined: Json[] = (await joining) ?? [];
  expect([created[0].slot, joined[0].slot]).toEqual(["P1", "P2"]);
  const [one, two] = [created.at(-1), joined.at(-1)];
  expect(one).toMatchObject({ status: { result: expect.stringMatching(/VICTORY|TIMEOUT/) }, refused: 0 });
  expect(two).toEqual(one);
  expect(one.scoring.thinking_tokens.P2).toBeGreaterThan(0);
  expect(models.asked.at(-1)?.system).toBe(build("1v1", "P2"));
});

test("what is refused is told with its code", async () => {
  await expect(python(["play", "--token", "nobody", ...SCRIPT])).rejects.toThrow(/unauthorized/);
  await expect(python(["join", ...own(0), "--room", "IXENT-QQQQQQ", ...SCRIPT])).rejects.toThrow(/not_found/);
});
