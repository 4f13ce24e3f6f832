/** The server is killed in the middle of a match; the page comes back by itself, and nothing is lost. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPreset, person, playTurn, seen, waitFor } from "../support/page.ts";
import { picker } from "../support/random.ts";
import { type RunningServer, startServerProcess } from "../support/server.ts";

let browser: Browser;
let dataDir: string;
let server: RunningServer;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "gearmice-crash-"));
  server = await startServerProcess({ BOT_PACE_MS: "0" }, dataDir);
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("kill -9 and a start on the same folder: same room, same seat, same board, and the bot plays on", async () => {
  const { page, errors } = await person(browser);
  const code = await openPreset(page, server.url, "david-goliath");
  const pick = picker(21);
  for (let i = 0; i < 3; i++) await playTurn(page, pick);
  const before = await waitFor(page, "g.current_player === g.seat && !g.animating");
  await page.evaluate("window.stillTheSamePage = true");

  await server.stop("SIGKILL");
  await waitFor(page, "g.link === 'retrying'");
  server = await startServerProcess({ BOT_PACE_MS: "0", PORT: new URL(server.url).port }, dataDir);

  const after = await waitFor(page, "g.link === 'live'");
  expect(after.seat).toBe("P1");
  expect(after.board).toEqual(before.board);
  expect(after.mice).toEqual(before.mice);
  expect(after.version).toBe(before.version);
  expect(await page.evaluate("location.pathname")).toContain(code);
  expect(await page.evaluate("window.stillTheSamePage")).toBe(true);
  for (let i = 0; i < 3; i++) await playTurn(page, pick);
  await waitFor(page, "g.current_player === g.seat");
  expect((await seen(page))?.turn).toBeGreaterThanOrEqual(before.turn + 6);
  expect(errors).toEqual([]);
});
