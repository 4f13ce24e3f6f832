/** What a stranger can do, done in real Chromium against a real server with its real house bots. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import type { NativeState } from "../../shared/protocol/state.ts";
import {
  canvasIsDrawn,
  openPreset,
  type Person,
  person,
  playToTheEnd,
  playTurn,
  type Seen,
  seen,
  serverAndBrowser,
  settledCode,
  waitFor,
} from "../support/page.ts";
import { startProxy } from "../support/proxy.ts";
import { picker } from "../support/random.ts";
import { startServerProcess } from "../support/server.ts";
import { until } from "../support/until.ts";

const shared = serverAndBrowser();
const people: Person[] = [];

afterEach(async () => {
  const errors = people.flatMap((p) => p.errors);
  for (const { context } of people.splice(0)) await context.close();
  expect(errors, "errors in the pages").toEqual([]);
});

/** Without WebGL where the picture does not matter: drawing it by software is most of what a test would take. */
async function newPerson(webgl = false): Promise<Page> {
  const someone = await person(shared.browser, { webgl });
  people.push(someone);
  return someone.page;
}

/** What three windows must agree on. */
function position({ version, turn, board, mice, scores, current_player }: Seen) {
  return { version, turn, board, mice, scores, current_player };
}

describe("Playroom", () => {
  test("The Solo Trial is played with the mouse to VICTORY or TIMEOUT", async () => {
    const page = await newPerson(true);
    await openPreset(page, shared.server.url, "solo-trial");
    await waitFor(page, "g.phase === 'playing'");
    await until("the board is drawn", () => canvasIsDrawn(page));
    const end = await playToTheEnd(page, picker(7));
    expect(end.turn).toBeLessThanOrEqual(36);
    const result = page.locator("dialog[open] .result-table");
    await result.waitFor();
    const api = await fetch(`${shared.server.url}/api/v1/rooms?status=over`).then((r) => r.json());
    expect(JSON.stringify(api)).toContain(await settledCode(page));
    const heading = await page.locator("dialog[open] h2").first().textContent();
    expect(["All mice are home", "Out of moves"]).toContain(heading?.trim());
  });

  test("David vs Goliath is played against a house bot to its result", async () => {
    const page = await newPerson();
    await openPreset(page, shared.server.url, "david-goliath");
    const end = await playToTheEnd(page, picker(11));
    expect(end.phase).toBe("over");
    await page.locator("dialog[open] .result-table tbody tr").nth(1).waitFor();
    expect(await page.locator("dialog[open] .result-table tbody tr").count()).toBe(2);
    // Every second turn was the bot's.
    expect(end.turn).toBeGreaterThan(20);
    await page.getByRole("button", { name: "Rematch" }).click();
    const again = await waitFor(page, "g.phase === 'playing' && g.turn < 3");
    expect(again.seat).toBe("P2");
  });

  test("The Duel by code in two browsers, with a spectator: three boards agree after every turn", async () => {
    const [host, friend, watcher] = [await newPerson(), await newPerson(), await newPerson()];
    const code = await openPreset(host, shared.server.url, "duel");
    await friend.goto(shared.server.url);
    await friend.fill("#join-code", code.toLowerCase().replace("ixent-", ""));
    await friend.getByRole("button", { name: "Join" }).click();
    await waitFor(friend, "g.phase === 'playing' && g.seat === 'P2'");
    await waitFor(host, "g.phase === 'playing' && g.seat === 'P1'");
    await watcher.goto(`${shared.server.url}/room/${code}?watch=1`);
    expect((await waitFor(watcher, "g.link === 'live'")).seat).toBeNull();
    const pick = picker(3);
    for (let turn = 0; turn < 14; turn++) {
      await playTurn(turn % 2 === 0 ? host : friend, pick);
      const { version } = (await seen(turn % 2 === 0 ? host : friend)) as Seen;
      const views = await Promise.all(
        [host, friend, watcher].map((page) => waitFor(page, `g.version >= ${version} && !g.animating`)),
      );
      expect(position(views[1] as Seen)).toEqual(position(views[0] as Seen));
      expect(position(views[2] as Seen)).toEqual(position(views[0] as Seen));
    }
  });

  test("A reload in mid-turn keeps the seat and the board, and the clock goes on", async () => {
    const page = await newPerson();
    await openPreset(page, shared.server.url, "david-goliath");
    const pick = picker(5);
    for (let i = 0; i < 3; i++) await playTurn(page, pick);
    const before = await waitFor(page, "g.current_player === g.seat && !g.animating");
    const deadline = async () => (await matchState(page)).meta.deadline_ms ?? 0;
    const running = await deadline();
    await page.reload();
    const after = await waitFor(page, "g.link === 'live' && g.current_player === g.seat");
    expect(after.seat).toBe("P1");
    expect(position(after)).toEqual(position(before));
    expect(Math.abs((await deadline()) - running)).toBeLessThan(1_000);
    await playTurn(page, pick);
  });

  test("A cut connection comes back by itself to the right board, without a reload", async () => {
    const proxy = await startProxy(shared.server.url);
    try {
      const page = await newPerson();
      await openPreset(page, proxy.url, "david-goliath");
      const pick = picker(9);
      await playTurn(page, pick);
      await waitFor(page, "g.current_player === g.seat");
      await page.evaluate("window.stillTheSamePage = true");
      proxy.cut();
      await waitFor(page, "g.link === 'retrying'");
      proxy.mend();
      await waitFor(page, "g.link === 'live'");
      await playTurn(page, pick);
      expect(await page.evaluate("window.stillTheSamePage")).toBe(true);
    } finally {
      await proxy.close();
    }
  });

  test("A 2v2 with three house bots from the custom form", async () => {
    const page = await newPerson();
    await page.goto(shared.server.url);
    const form = page.getByRole("form", { name: "Custom room" });
    await form.getByLabel("Format").selectOption("2v2");
    await form.getByRole("button", { name: "Open the room" }).click();
    const started = await waitFor(page, "g.phase === 'playing' && g.seat === 'P1'");
    expect(started.board).toHaveLength(16);
    const end = await playToTheEnd(page, picker(13));
    expect(end.phase).toBe("over");
    const rows = page.locator("dialog[open] .result-table tbody tr");
    await rows.nth(3).waitFor();
    expect(await rows.count()).toBe(4);
  });

  test("A typed command is played, and a bad one is answered with the server's reason", async () => {
    const page = await newPerson();
    await openPreset(page, shared.server.url, "david-goliath");
    await waitFor(page, "g.current_player === g.seat");
    await page.fill("#command", "G4@P22+90");
    await page.click('[aria-label="Send command"]');
    await page.waitForSelector("#command-answer.problem");
    expect(await page.textContent("#command-answer")).toMatch(/start edge|edge/i);
    await page.fill("#command", "G4@P11(b=2)+90");
    await page.click('[aria-label="Send command"]');
    await waitFor(page, "g.turn >= 1");
    expect((await seen(page))?.board[0]).toMatch(/^G4P11/);
  });

  test("Unknown and full rooms are told in words", async () => {
    const page = await newPerson();
    await page.goto(`${shared.server.url}/room/IXENT-AAAAAA`);
    await page.waitForSelector("h1");
    expect(await page.textContent("main")).toMatch(/no such room/i);
    const [host, friend, late] = [await newPerson(), await newPerson(), await newPerson()];
    const code = await openPreset(host, shared.server.url, "duel");
    await friend.goto(`${shared.server.url}/room/${code}`);
    await waitFor(friend, "g.seat === 'P2'");
    await late.goto(`${shared.server.url}/room/${code}`);
    expect((await waitFor(late, "g.link === 'live'")).seat).toBeNull();
    expect(await late.textContent("main")).toMatch(/You are watching/);
  });
});

test("The showcase: a live match of house bots stands in the list and can be watched without any login", async () => {
  const shown = await startServerProcess({ SHOWCASE: "on", SHOWCASE_PACE_MS: "200" });
  try {
    const page = await newPerson();
    await page.goto(shown.url);
    await page
      .getByRole("button", { name: /^Watch/ })
      .or(page.getByRole("link", { name: /^Watch/ }))
      .last()
      .click();
    const first = await waitFor(page, "g.link === 'live' && g.phase === 'playing'");
    expect(first.seat).toBeNull();
    await waitFor(page, `g.turn >= ${first.turn + 2}`);
  } finally {
    await shown.stop();
  }
});

/** The match on screen as a spectator gets it over HTTP. */
async function matchState(page: Page): Promise<NativeState> {
  const code = await settledCode(page);
  const room = (await (await fetch(`${shared.server.url}/api/v1/rooms/${code}`)).json()) as { match_id: string };
  return (await (await fetch(`${shared.server.url}/api/v1/matches/${room.match_id}/state`)).json()) as NativeState;
}
