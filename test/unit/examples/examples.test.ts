/** The lines that people copy, from the page and the README: each is run as it stands, against a server that runs. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../../agents/llm/testing/modelServer.ts";
import { type House, openHouse } from "../../../cli/testing/house.ts";
import { agentExamples, DEFAULT_ROOT } from "../../../shared/examples/agents.ts";

let house: House;
let models: ModelServer;
let home: string;
beforeAll(async () => {
  house = await openHouse();
  home = await mkdtemp(join(tmpdir(), "gearmice-examples-"));
  models = await startModelServer(({ user }) => {
    const tile = /(?:on|tile of) (P\d+)/.exec(user)?.[1] ?? "P11";
    const type = /placements of (G\d)/.exec(user)?.[1];
    return { text: JSON.stringify({ command: type === undefined ? `G@${tile}+90` : `${type}@${tile}(b=0)+90` }) };
  });
});
afterAll(async () => {
  await models.close();
  await house.close();
  await rm(home, { recursive: true, force: true });
});

function run(command: string, args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const env = {
    ...process.env,
    HOME: home,
    // What `npx` finds in a checkout of this repository.
    PATH: [resolve("node_modules/.bin"), process.env.PATH].join(delimiter),
  };
  return new Promise((done, failed) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      out += chunk;
    });
    child.once("error", failed);
    child.once("close", (code) => done({ code, out }));
  });
}

const example = (id: string) => {
  const found = agentExamples(house.url).find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};
const inShell = (text: string) =>
  // The repository's own command, as `npx` would run it there.
  run("bash", ["-c", text.replaceAll("npx gearmice", `"${process.execPath}" "${resolve("cli/gearmice.js")}"`)]);
async function inFile(id: string, runner: string) {
  const { file, text } = example(id);
  const path = join(home, file ?? "");
  await writeFile(path, text);
  return run(runner, [path]);
}

const ENDED = /TIMEOUT|VICTORY|FORFEIT/;

/** The lines under "Check a result", for this server. They go on where the example for curl has ended. */
const checking = () => linesUnder("## Check a result", "README.md");

/** The first lines for the shell under a heading, for this server. */
async function linesUnder(heading: string, file: string): Promise<string> {
  const [, below = ""] = (await readFile(file, "utf8")).split(`${heading}\n`);
  const [, lines] = /```sh\n(.*?)\n```/s.exec(below) ?? [];
  if (lines === undefined) throw new Error(`${file} has no lines under ${heading}`);
  return lines.replaceAll(DEFAULT_ROOT, house.url).replaceAll("localhost:2567", new URL(house.url).host);
}

describe("each plays to its end", () => {
  test.each<[id: string, go: () => Promise<{ code: number | null; out: string }>]>([
    [
      "curl, and the check of its result",
      async () => {
        const { code, out } = await inShell(`cd "${home}"\n${example("curl").text}\n${await checking()}`);
        expect(out).toContain("match.jsonl: right, signed by ");
        return { code, out };
      },
    ],
    ["python", () => inFile("python", "python3")],
    ["typescript", () => inFile("typescript", process.execPath)],
    [
      "script",
      async () => {
        await inShell(`npx gearmice status --server ${house.url}`);
        return inShell(example("script").text);
      },
    ],
    ["local-model", () => inShell(example("local-model").text.replace(/http:\/\/localhost:11434/, models.url))],
  ])("%s", async (_id, go) => {
    const { code, out } = await go();
    expect(out).toMatch(ENDED);
    expect(code).toBe(0);
  });

  test("mcp: the settings lead to the door", async () => {
    const { gearmice } = JSON.parse(example("mcp").text).mcpServers;
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(gearmice.url)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("play_move");
    await client.close();
  });
});

test("the lines of the classic interface", async () => {
  const { code, out } = await inShell(await linesUnder("## Classic interface", "docs/sdk.md"));
  expect(code).toBe(0);
  expect(out.match(/"success":true/g)).toHaveLength(2);
  expect(out).toContain("Turn 1 [P1]: G4@P11(b=0)+90");
});

test("none is left out, and the README has them all, word by word", async () => {
  const readme = await readFile("README.md", "utf8");
  const ids = agentExamples().map(({ id }) => id);
  expect(ids.sort()).toEqual(["curl", "local-model", "mcp", "python", "script", "typescript"]);
  for (const { language, text } of agentExamples()) expect(readme).toContain(`\`\`\`${language}\n${text}\n\`\`\``);
});
