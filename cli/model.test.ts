/** `gearmice play --model`: a real process that asks a server which speaks the wire format of local models. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../agents/llm/testing/modelServer.ts";
import type { Json } from "../server/testing/kit.ts";
import { build } from "../shared/prompts/index.ts";
import { sha256Hex } from "../shared/protocol/hash.ts";
import { type House, openHouse } from "./testing/house.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));
const KEY = "sk-canary-0123456789";

let house: House;
let models: ModelServer;
let home: string;
beforeAll(async () => {
  house = await openHouse();
  home = await mkdtemp(join(tmpdir(), "gearmice-home-"));
  // It says what a weak model would: fences, chatter, now and then nonsense, and a legal command where it was told one.
  models = await startModelServer(({ user }, n) => {
    const tile = /on (P\d+)/.exec(user)?.[1] ?? /tile of (P\d+)/.exec(user)?.[1];
    const type = /placements of (G\d)/.exec(user)?.[1];
    if (tile === undefined) return { text: n % 2 === 0 ? "I would go north." : '{"command": "G1@P99+90"}', output: 5 };
    const command = type === undefined ? `G@${tile}+90` : `${type}@${tile}(b=0)+90`;
    const text = `Let me see.\n\`\`\`json\n{"command": "${command}", "reasoning": "the first that is legal"}\n\`\`\``;
    return { text, input: 100, output: 20, thinkingTokens: 4 };
  });
});
afterAll(async () => {
  await models.close();
  await house.close();
  await rm(home, { recursive: true, force: true });
});

function run(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { ...process.env, GEARMICE_HOME: home, GEARMICE_SERVER: house.url, OPENAI_API_KEY: KEY };
  const child = spawn(process.execPath, [BIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out, err })));
}
const local = (...args: readonly string[]) => run(...args, "--model", "tiny", "--local-url", `${models.url}/v1`);
const lines = async (address: string): Promise<Json[]> =>
  (await (await fetch(address)).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("lab: the texts stand behind the system prompt; every turn is played; tokens are told and recorded", async () => {
  await writeFile(join(home, "mine.txt"), "Think of the exits first.");
  const asked = models.asked.length;
  const { code, out } = await local("play", "--mode", "lab", "--prompt-file", join(home, "mine.txt"), "--json");
  expect(code).toBe(0);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ kind: "lab", seat: "P1" });
  expect(models.asked[asked]?.system).toBe(`${build("solo", "P1")}\n\nThink of the exits first.`);
  const [header, ...events] = await lines(report.record);
  expect(header.seats[0]).toMatchObject({ model: "tiny" });
  const turns = events.filter(({ type }) => type === "turn");
  expect(turns.length).toBe(report.turns);
  expect(turns[0]).toMatchObject({ reasoning: "the first that is legal" });
  expect(turns.at(-1).token_usage.total).toBeGreaterThan(turns[0].token_usage.total);
});

test("benchmark: the fixed prompt and no second chance; what is refused loses the turn", async () => {
  await writeFile(join(home, "mine.txt"), "Think of the exits first.");
  const asked = models.asked.length;
  const { code, out, err } = await local("play", "--mode", "benchmark", "--prompt-file", join(home, "mine.txt"));
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^TIMEOUT after 22 turns/) });
  expect(err).toContain("left out of a benchmark match");
  const own = models.asked.slice(asked);
  expect(own.length).toBe(22);
  expect(new Set(own.map(({ system }) => system))).toEqual(new Set([build("solo", "P1")]));
  expect(own.every(({ user }) => !user.includes("Legal now"))).toBe(true);
  const [header] = await lines(/record: (\S+)/.exec(out)?.[1] ?? "");
  expect(header.session).toMatchObject({
    mode: "benchmark",
    model: "tiny",
    prompt_hash: sha256Hex(build("solo", "P1")),
  });
});

test("arena: against a house bot to the end, in the name of the model", async () => {
  const { code, out } = await local("arena", "create", "--opponent", "random", "--json");
  expect(code).toBe(0);
  const [header] = await lines(JSON.parse(out).record);
  expect(header.seats.map(({ model, brain }: Json) => model ?? brain)).toEqual(["tiny", "random"]);
});

test("nobody at the model's address: said before a session is used up or a seat is taken", async () => {
  const rooms = house.app.gateway.holders().length;
  const { code, err } = await run(
    "play",
    "--mode",
    "benchmark",
    "--model",
    "x",
    "--local-url",
    "http://127.0.0.1:9/v1",
  );
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(/no model's server at .*:9\/v1/) });
  expect(house.app.gateway.holders().length).toBe(rooms);
});

test.each<[name: string, args: readonly string[], reason: RegExp]>([
  ["no key", ["--model", "anthropic/some"], /ANTHROPIC_API_KEY/],
  ["no file", ["--model", "tiny", "--strategy-file", "nowhere"], /no file nowhere/],
  ["no address", ["--model", "tiny", "--local-url", "here"], /--model tiny/],
])("%s: a wrong call", async (_name, args, reason) => {
  const { code, err } = await run("play", ...args);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(reason) });
  expect(err).not.toContain(KEY);
});
