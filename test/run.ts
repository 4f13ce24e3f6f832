/**
 * `npm test`: format, lint, types, the client's build, unit tests, end-to-end tests.
 * The last line is `N passed, N failed`, the totals over all of them; the exit status says the same.
 * Arguments choose suites by name: `npm test -- unit`.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./support/chromium.ts";
import { ensureRunners } from "./support/debian.ts";
import { ensureRedis } from "./support/redis.ts";

interface Totals {
  readonly passed: number;
  readonly failed: number;
}

interface Suite {
  readonly name: string;
  readonly run: () => Promise<Totals>;
}

/** Runs a command with our output; resolves with whether it exited with 0. */
function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit" });
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}

function check(name: string, command: string, ...args: string[]): Suite {
  return {
    name,
    run: async () => ((await succeeds(command, args)) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }),
  };
}

interface JsonReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** One Vitest project. A file that fails before its first test counts as one failure. */
async function vitest(project: string): Promise<Totals> {
  const dir = await mkdtemp(join(tmpdir(), "gearmice-test-"));
  try {
    const file = join(dir, "report.json");
    const good = await succeeds("vitest", [
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ]);
    const report: JsonReport = JSON.parse(await readFile(file, "utf8"));
    const unread = report.testResults.filter((f) => f.status === "failed" && f.assertionResults.length === 0).length;
    const failed = report.numFailedTests + unread;
    return { passed: report.numPassedTests, failed: good || failed > 0 ? failed : 1 };
  } catch (error) {
    console.error(`${project}: no report (${String(error)})`);
    return { passed: 0, failed: 1 };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Test files run side by side, so what they share is installed before. */
async function unit(): Promise<Totals> {
  for (const problem of [ensureRedis(), ensureRunners()]) if (problem !== null) console.error(problem);
  return vitest("unit");
}

/** After the unit tests, not beside them: servers are killed here under as much load as the machine gives. */
async function chaos(): Promise<Totals> {
  const problem = ensureRedis();
  if (problem !== null) console.error(problem);
  return vitest("chaos");
}

async function endToEnd(): Promise<Totals> {
  const problem = ensureChromium();
  if (problem !== null) {
    console.error(problem);
    return { passed: 0, failed: 1 };
  }
  return vitest("e2e");
}

const SUITES: readonly Suite[] = [
  check("lint", "biome", "ci", "--error-on-warnings", "."),
  check("types", "tsc", "-p", "."),
  check("types-engine", "tsc", "-p", "shared/engine"),
  check("types-client", "tsc", "-p", "client"),
  { name: "unit", run: unit },
  { name: "chaos", run: chaos },
  check("build", "vite", "build", "--logLevel", "warn"),
  { name: "e2e", run: endToEnd },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !SUITES.some((s) => s.name === name));
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(", ")}; there are ${SUITES.map((s) => s.name).join(", ")}`);
  process.exit(2);
}

const rows: { suite: string; passed: number; failed: number; seconds: number }[] = [];
for (const suite of SUITES.filter((s) => wanted.length === 0 || wanted.includes(s.name))) {
  console.log(`\n── ${suite.name}`);
  const from = Date.now();
  const totals = await suite.run();
  rows.push({ suite: suite.name, ...totals, seconds: Math.round((Date.now() - from) / 1000) });
}
console.table(rows);
const passed = rows.reduce((n, r) => n + r.passed, 0);
const failed = rows.reduce((n, r) => n + r.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
