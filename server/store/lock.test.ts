import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DataDirLocked, type FolderLock, lockFolder } from "./lock.ts";

let dir: string;
let held: FolderLock[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-lock-"));
});
afterEach(async () => {
  for (const lock of held) lock.release();
  held = [];
  await rm(dir, { recursive: true, force: true });
});
const lock = async () => {
  const made = await lockFolder(dir, () => {});
  held.push(made);
  return made;
};
const holder = (over: object) =>
  writeFile(join(dir, "lock"), JSON.stringify({ pid: 1, host: hostname(), started: null, token: "t", ...over }));

/** Another process that holds the lock. */
async function otherProcess() {
  const module = fileURLToPath(new URL("./lock.ts", import.meta.url));
  const script = `import { lockFolder } from ${JSON.stringify(module)};
    await lockFolder(${JSON.stringify(dir)}, () => {}); console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

describe("one process per data folder", () => {
  test("a second one is refused, in this process too", async () => {
    await lock();
    await expect(lock()).rejects.toThrow(DataDirLocked);
  });

  test("after release it is free, and nothing is left", async () => {
    (await lock()).release();
    expect(await readdir(dir)).toEqual([]);
    await lock();
  });

  test("a living process keeps it; killed without warning, it does not", async () => {
    const child = await otherProcess();
    await expect(lock()).rejects.toThrow(DataDirLocked);
    child.kill("SIGKILL");
    await once(child, "exit");
    await lock();
    expect(JSON.parse(await readFile(join(dir, "lock"), "utf8")).pid).toBe(process.pid);
    expect(await readdir(dir)).toEqual(["lock"]);
  });

  test.each([
    ["a pid that now belongs to another process", { pid: process.ppid, started: "1" }],
    ["our own pid from before a restart of the container", { pid: process.pid, started: "1" }],
    ["a pid that no process has", { pid: 2 ** 22 + 1 }],
  ])("%s holds nothing", async (_, over) => {
    await holder(over);
    await lock();
  });

  test.each([
    ["empty", ""],
    ["cut short", '{"pid":'],
    ["of another form", "[]"],
  ])("a file that is %s holds nothing", async (_, text) => {
    await writeFile(join(dir, "lock"), text);
    await lock();
  });

  test("a holder on another machine counts while it touches its file", async () => {
    await holder({ host: "elsewhere" });
    await expect(lock()).rejects.toThrow(DataDirLocked);
    const before = new Date(Date.now() - 60_000);
    await utimes(join(dir, "lock"), before, before);
    await lock();
  });

  test("of many that take over a dead one's lock at once one gets it", async () => {
    await holder({ pid: 2 ** 22 + 1 });
    const all = await Promise.allSettled(Array.from({ length: 8 }, lock));
    expect(all.filter((a) => a.status === "fulfilled")).toHaveLength(1);
  });
});
