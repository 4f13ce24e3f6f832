/** What the pages offer beside the match itself: looking back, results, tutorial, analysis. One server, one browser. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { openPreset, type Person, person, playTurn, seen, serverAndBrowser, waitFor } from "../support/page.ts";
import { picker } from "../support/random.ts";

const shared = serverAndBrowser();
const people: Person[] = [];

afterEach(async () => {
  const errors = people.flatMap((p) => p.errors);
  for (const { context } of people.splice(0)) await context.close();
  expect(errors, "errors in the pages").toEqual([]);
});

async function newPerson(): Promise<Page> {
  const someone = await person(shared.browser, { webgl: false });
  people.push(someone);
  return someone.page;
}

describe("looking back", () => {
  test("shows every earlier turn, plays nothing, stays when moves arrive, and comes home; late comers as well", async () => {
    const [host, friend] = [await newPerson(), await newPerson()];
    const code = await openPreset(host, shared.server.url, "duel");
    await friend.goto(`${shared.server.url}/room/${code}`);
    await waitFor(friend, "g.seat === 'P2' && g.phase === 'playing'");
    const pick = picker(4);
    const boards: (readonly string[])[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const mover = turn % 2 === 0 ? host : friend;
      boards.push((await waitFor(mover, `g.turn === ${turn} && !g.animating`)).board);
      await playTurn(mover, pick);
    }
    // P2 is to move. The host goes back by click, then by key, and looks while P2 plays.
    const now = await waitFor(host, "g.turn === 5 && !g.animating && g.shown.live");
    await host.click('.moves [data-turn="3"]');
    expect((await waitFor(host, "g.shown.turn === 3")).shown.board).toEqual(boards[3]);
    await host.keyboard.press("ArrowDown");
    expect((await waitFor(host, "g.shown.turn === 2")).shown.board).toEqual(boards[2]);
    await playTurn(friend, pick);
    const later = await waitFor(host, "g.turn === 6");
    expect(later.shown).toEqual({ turn: 2, live: false, board: boards[2] });
    // It is the host's turn: whatever is pressed while looking back plays nothing.
    expect(await host.locator('[role="gridcell"][data-legal="true"]').count()).toBe(0);
    expect(await host.locator("button.play").count()).toBe(0);
    const cell = host.locator('[role="gridcell"][tabindex="0"]');
    await cell.focus();
    for (const key of ["Enter", "+", "Enter", " ", "1", "Enter"]) await host.keyboard.press(key);
    expect((await seen(host))?.version).toBe(later.version);
    await host.keyboard.press("Escape");
    const home = await waitFor(host, "g.shown.live && !g.animating");
    expect(home.shown.board).toEqual(home.board);
    expect(home.board).not.toEqual(now.board);
    await playTurn(host, pick);

    const late = await newPerson();
    await late.goto(`${shared.server.url}/room/${code}?watch=1`);
    await waitFor(late, "g.link === 'live' && g.turn === 7");
    await late.keyboard.press("ArrowLeft");
    await waitFor(late, "g.shown.turn === 6 && !g.shown.live");
    for (const turn of [5, 4, 3, 2, 1, 0]) {
      await late.keyboard.press("ArrowLeft");
      const { shown } = await waitFor(late, `g.shown.turn === ${turn}`);
      if (turn < 5) expect(shown.board).toEqual(boards[turn]);
    }
    await late.getByRole("button", { name: "To now" }).last().click();
    await waitFor(late, "g.shown.live && g.shown.turn === 7");
  });
});
