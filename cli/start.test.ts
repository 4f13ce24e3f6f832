import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isStale } from "./start.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "gearmice-start-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Writes a file that was last changed at that second. */
function file(name: string, seconds: number): string {
  const path = join(dir, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  utimesSync(path, seconds, seconds);
  return path;
}

/** Folders count too, so that a deleted file shows. */
function touch(name: string, seconds: number): void {
  utimesSync(join(dir, name), seconds, seconds);
}

describe("whether the client must be built", () => {
  it("nothing was built", () => {
    expect(isStale(join(dir, "dist"), [file("client/a.ts", 1)])).toBe(true);
  });

  it("a source is newer, however deep it lies", () => {
    const built = file("dist/index.html", 100);
    file("client/a.ts", 50);
    file("client/deep/b.ts", 150);
    for (const name of ["client", "client/deep"]) touch(name, 50);
    expect(isStale(built, [join(dir, "client")])).toBe(true);
  });

  it("all sources are older", () => {
    const built = file("dist/index.html", 100);
    file("client/a.ts", 50);
    touch("client", 50);
    expect(isStale(built, [join(dir, "client"), join(dir, "not there")])).toBe(false);
  });

  it("a source was deleted: its folder is newer", () => {
    const built = file("dist/index.html", 100);
    file("client/a.ts", 50);
    touch("client", 150);
    expect(isStale(built, [join(dir, "client")])).toBe(true);
  });
});
