/** A server that is killed while commands play on it: each goes on by itself when there is one again, to its result. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { call, guest, type Json } from "../server/testing/kit.ts";
import { freePort } from "../test/support/ports.ts";
import { startServerProcess } from "../test/support/server.ts";
import { until } from "../test/support/until.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));
const TEMPLATE = new URL("player/templates/agent.py", import.meta.url);

test("kill -9 in the middle of `play`, `arena create`, `arena watch` and a wait for one's turn", {
  timeout: 90_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), "gearmice-home-"));
  const dataDir = await mkdtemp(join(tmpdir(), "gearmice-data-"));
  const settings = { PORT: String(await freePort()), BOT_PACE_MS: "0" };
  let server = await startServerProcess(settings, dataDir);
  // One that takes its time until the server has been killed, so that this is in the middle however slow the machine is.
  const agent = join(home, "slow.py");
  const killed = join(home, "killed");
  const pause = `import os, time; time.sleep(0.05 if os.path.exists(${JSON.stringify(killed)}) else 1.5)`;
  await writeFile(agent, (await readFile(TEMPLATE, "utf8")).replace("    if line.strip():", `    ${pause}\n$&`));
  const start = (...args: readonly string[]) => {
    const env = { ...process.env, GEARMICE_HOME: home, GEARMICE_SERVER: server.url };
    const child = spawn(process.execPath, [BIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      child.once("close", (code) => resolve({ code, out, err }));
    });
    return { ended, err: () => err };
  };
  try {
    const solo = start("play", "--mode", "benchmark", "--agent-loop", agent);
    await until("it plays", () => /turn 2\/22/.test(solo.err()));
    const duel = start("arena", "create", "--opponent", "greedy", "--agent-loop", agent);
    await until("its code is told", () => /room IXENT-/.test(duel.err()));
    const watching = start("arena", "watch", /IXENT-\w+/.exec(duel.err())?.[0] ?? "");
    await until("all three are at it", () => /turn \d+\/48/.test(watching.err()));
    const waiter = await guest(server);
    const room: Json = { format: "1v1", level: 1 };
    const mine = (await call(server, "POST", "/rooms", { token: waiter.token, body: room })).body;
    const other = await call(server, "POST", `/rooms/${mine.code}/join`, {
      token: (await guest(server)).token,
      body: {},
    });
    const waits = expect(
      call(server, "GET", `/matches/${mine.match_id}/state?wait=turn`, { token: other.body.seat_token }),
    ).rejects.toThrow();
    const model = new Client({ name: "test", version: "1" });
    const args = [BIN, "mcp", "--server", server.url];
    const env = { ...process.env, GEARMICE_HOME: home } as Record<string, string>;
    await model.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
    const rooms = async () => ((await model.callTool({ name: "list_rooms", arguments: {} })) as Json).structuredContent;

    await server.stop("SIGKILL");
    await writeFile(killed, "");
    await waits;
    expect(await rooms()).toMatchObject({ ok: false, code: "unavailable", retry_after_s: expect.any(Number) });
    server = await startServerProcess(settings, dataDir);

    expect(await rooms()).toMatchObject({ ok: true });
    await model.close();
    const ends = await Promise.all([solo.ended, duel.ended, watching.ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(solo.err()).toMatch(/trying again in/);
    for (const { out } of ends.slice(0, 2)) expect(out).toMatch(/^(VICTORY|TIMEOUT) after \d+ turns/);
    // No turn was lost or played twice over it.
    expect(ends[0]?.err).not.toContain("refused");
    expect(ends[1]?.err).not.toContain("refused");
    expect(ends[2]?.err).toContain("turn 48/48");
  } finally {
    await server.stop();
    await rm(home, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
});
