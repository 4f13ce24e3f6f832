import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { SMALL_FILE } from "../server/accounts/smallStore.ts";
import { LEDGER_FILE } from "../server/ranking/fileLedger.ts";
import { until } from "../test/support/until.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "gearmice-cli-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the command; `stopOn`: is sent SIGTERM when its output holds that. */
function run(args: readonly string[], env: Record<string, string> = {}, stopOn?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: {
        ...process.env,
        PORT: "0",
        HOST: "127.0.0.1",
        DATA_DIR: dir,
        SHOWCASE: "off",
        LOG_LEVEL: "silent",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (stopOn !== undefined && out.includes(stopOn)) child.kill("SIGTERM");
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

describe("exit codes: 0 done, 1 failed, 2 a wrong call", () => {
  const rows: readonly { name: string; args: string[]; code: number; out?: string; err?: string }[] = [
    { name: "version", args: ["--version"], code: 0, out: version },
    { name: "help", args: ["--help"], code: 0, out: "serve" },
    { name: "help of a command has examples", args: ["engine", "--help"], code: 0, out: "Examples:" },
    { name: "help of serve names the settings", args: ["serve", "--help"], code: 0, out: "PORT" },
    { name: "help of verify", args: ["help", "verify"], code: 0, out: "--allow-unknown-signer" },
    { name: "no such command", args: ["fly"], code: 2, err: "unknown command" },
    { name: "no such option", args: ["engine", "--fast"], code: 2, err: "unknown option" },
    { name: "verify without a file", args: ["verify"], code: 2, err: "missing required argument" },
    { name: "verify of a file that is not there", args: ["verify", "/nowhere.jsonl"], code: 2, out: "/nowhere.jsonl" },
  ];
  it.each(rows)("$name", async ({ args, code, out = "", err = "" }) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code, out: expect.stringContaining(out), err: expect.stringContaining(err) });
  });

  test("no command at all shows what there is", async () => {
    const { out, err } = await run([]);
    expect(out + err).toContain("engine");
  });

  test("a setting that is none", async () => {
    expect(await run(["serve"], { PORT: "often" })).toMatchObject({ code: 2, err: expect.stringContaining("PORT") });
  });

  test("serve says its address and ends on SIGTERM", async () => {
    const { code, out } = await run(["serve"], {}, "http://127.0.0.1:");
    expect(out).toMatch(/^Gearmice is ready: http:\/\/127\.0\.0\.1:\d+\/\n/);
    expect(code).toBe(0);
  });
});

describe("storage that never answers does not hold the process (10 s are promised)", () => {
  test("a file system that hangs while it starts: SIGTERM ends it", async () => {
    // Opening a pipe that nobody writes to is a call that does not return.
    execFileSync("mkfifo", [join(dir, SMALL_FILE)]);
    const child = spawn(process.execPath, [BIN, "serve"], {
      env: { ...process.env, PORT: "0", OPS_PORT: "0", DATA_DIR: dir },
      stdio: "ignore",
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once("exit", (_code, signal) => resolve(signal)),
    );
    await until("it hangs there", () => existsSync(join(dir, LEDGER_FILE)));
    child.kill("SIGTERM");
    expect(await ended).toBe("SIGKILL");
  });

  test("a Redis that takes the connection and says nothing: it says so and ends", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { code, err } = await run(["serve"], { REDIS_URL: url });
    silent.close();
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("Redis cannot be reached") });
  });
});
