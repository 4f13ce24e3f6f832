/** What the pages offer beside the match itself: looking back, results, tutorial, analysis. One server, one browser. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { LESSONS } from "../../client/learn/lessons.ts";
import { qrPicture } from "../../client/ui/qr.ts";
import { apiMatch, duelWith } from "../support/apiMatch.ts";
import { openPreset, type Person, person, type Seen, seen, serverAndBrowser, waitFor } from "../support/page.ts";
import { picker } from "../support/random.ts";
import { until } from "../support/until.ts";

const shared = serverAndBrowser();
const people: Person[] = [];

afterEach(async () => {
  const errors = people.flatMap((p) => p.errors);
  for (const { context } of people.splice(0)) await context.close();
  expect(errors, "errors in the pages").toEqual([]);
});

async function newPerson(viewport = { width: 1024, height: 640 }): Promise<Page> {
  const someone = await person(shared.browser, { webgl: false, viewport });
  people.push(someone);
  return someone.page;
}

describe("looking back", () => {
  test("shows every earlier turn, plays nothing, stays when moves arrive, and comes home; late comers as well", async () => {
    const host = await newPerson();
    const match = await duelWith(host, shared.server.url);
    const pick = picker(4);
    const boards: string[][] = [];
    for (let turn = 0; turn <= 5; turn++) {
      boards.push(Object.values((await match.state()).data.board_encoding));
      if (turn < 5) await match.turn(pick);
    }
    // P2 is to move. The host goes back by click, then by key, and looks while P2 plays.
    await waitFor(host, "g.turn === 5 && g.shown.live");
    // Without animation the last turn is told by arrows over the board.
    expect(await host.locator(".overlay .trace [data-turns]").count()).toBeGreaterThan(0);
    await host.click('.moves [data-turn="3"]');
    expect((await waitFor(host, "g.shown.turn === 3")).shown.board).toEqual(boards[3]);
    await host.keyboard.press("ArrowDown");
    expect((await waitFor(host, "g.shown.turn === 2")).shown.board).toEqual(boards[2]);
    await match.turn(pick);
    const later = await waitFor(host, "g.turn === 6");
    expect(later.shown).toEqual({ turn: 2, live: false, board: boards[2] });
    // It is the host's turn: whatever is pressed while looking back plays nothing.
    expect(await host.locator('[role="gridcell"][data-legal="true"]').count()).toBe(0);
    expect(await host.locator("button.play").count()).toBe(0);
    await host.locator('[role="gridcell"][tabindex="0"]').focus();
    for (const key of ["Enter", "+", "Enter", " ", "1", "Enter"]) await host.keyboard.press(key);
    expect((await seen(host))?.version).toBe(later.version);
    await host.keyboard.press("Escape");
    const home = await waitFor(host, "g.shown.live");
    expect(home.shown.board).toEqual(home.board);
    await match.turn(pick);
    await waitFor(host, "g.turn === 7 && g.shown.live");

    // Who comes late has seen nothing of it: the record tells.
    await host.goto(`${shared.server.url}/`);
    await host.evaluate("localStorage.removeItem('gearmice.seats')");
    await host.goto(`${shared.server.url}/room/${match.code}?watch=1`);
    await waitFor(host, "g.link === 'live' && g.turn === 7 && g.seat === null");
    for (const turn of [6, 5, 4, 3, 2, 1, 0]) {
      await host.keyboard.press("ArrowLeft");
      const { shown } = await waitFor(host, `g.shown.turn === ${turn} && !g.shown.live`);
      if (turn <= 5) expect(shown.board).toEqual(boards[turn]);
    }
    await host.getByRole("button", { name: "To now" }).last().click();
    await waitFor(host, "g.shown.live && g.shown.turn === 7");
  });
});

test("a turn is previewed before it is played; questions by key, presence, low time and sounds", async () => {
  const match = await apiMatch(shared.server.url, { format: "1v1", level: 1, turn_seconds: 59 });
  await match.playTo(6, picker(12));
  const page = await newPerson();
  await page.addInitScript(`
    window.tones = 0;
    const { createOscillator } = AudioContext.prototype;
    AudioContext.prototype.createOscillator = function () { window.tones += 1; return createOscillator.call(this); };`);
  await page.goto(shared.server.url);
  const seat = { match_id: match.id, code: match.code, seat: "P1", seat_token: match.tokens.P1 };
  await page.evaluate(`localStorage.setItem("gearmice.seats", '${JSON.stringify([seat])}')`);
  await page.goto(`${shared.server.url}/room/${match.code}`);
  const opened = await waitFor(page, "g.link === 'live' && g.current_player === g.seat");

  // Low time interrupts; the clock wears its warning.
  const told = () => page.locator('[role="alert"]').allInnerTexts();
  await until("low time is told", async () => (await told()).some((text) => /^\d+ seconds left/.test(text)));
  expect(await page.locator('[data-player="P1"] .clock').getAttribute("class")).toMatch(/running (soon|low)/);

  // Everything that would turn has its arc, nothing has been sent, and the numbers are those of the turn as played.
  await page.locator('[role="gridcell"][data-legal="true"]').first().click();
  await page.locator(".turn-choice").first().click();
  const arcs = await page.locator(".overlay .turns [data-turns]").count();
  expect(arcs).toBeGreaterThan(0);
  const block = (await page.locator(".block-size").textContent()) ?? "";
  expect(block).toBe(
    arcs === 1 ? "This gear turns alone." : `A block of ${arcs} gears turns: neighbours against each other.`,
  );
  const outcome = ((await page.locator(".turn-choice .outcome").first().textContent()) ?? "").replaceAll("−", "-");
  expect((await seen(page))?.version).toBe(opened.version);

  // Questions asked of the focused board.
  const said = async () => (await page.locator('[role="status"].sr-only').textContent()) ?? "";
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  for (const [key, answer] of [
    ["m", /^M1_P1 .*M4_P1 /],
    ["g", /^Your gears: P\d\d, P\d\d, P\d\d/],
    ["l", /^Legal here: P\d\d/],
    ["c", /^P1 has 0:\d\d/],
    ["h", /^Turn 6 \[P2\]: G/],
    ["s", /^P1 \d+ points, P2 \d+ points/],
  ] as const) {
    await page.keyboard.press(key);
    await until(`an answer to ${key}`, async () => answer.test(await said()));
  }

  const watcher = await newPerson();
  await watcher.goto(`${shared.server.url}/room/${match.code}?watch=1`);
  await page.getByTitle("1 spectator").waitFor();
  expect(await page.locator('[data-player="P1"] [aria-label="connected"]').count()).toBe(1);

  const scores = (await seen(page))?.scores ?? {};
  await page.click("button.play");
  const after = await waitFor(page, `g.version > ${opened.version}`);
  const points = Object.entries(after.scores).flatMap(([p, n]) => (n === scores[p] ? [] : [n - (scores[p] ?? 0)]));
  expect((outcome.match(/[+-]\d+/g) ?? []).map(Number)).toEqual(points);
  const tones = () => page.evaluate<number>("window.tones");
  await until("a sound", async () => (await tones()) > 0);
  await page.getByRole("button", { name: "Sound is on" }).click();
  const before = await tones();
  await match.turn(picker(1));
  await waitFor(page, "g.turn === 8");
  expect(await tones()).toBe(before);
});

test("a room that waits shows its link as a QR code, and who opens the link sits at once", async () => {
  const host = await newPerson();
  const code = await openPreset(host, shared.server.url, "duel");
  const link = `${shared.server.url}/room/${code}`;
  const drawn = host.getByRole("img", { name: "QR code of the link to this room" });
  await drawn.waitFor();
  expect(await drawn.locator("path[data-qr]").getAttribute("d")).toBe(qrPicture(link).path);
  const friend = await newPerson();
  await friend.goto(link);
  expect((await waitFor(friend, "g.phase === 'playing'")).seat).toBe("P2");
});

describe("the result", () => {
  test("has the course of the match as charts and as a table, and leads to the board of any turn", async () => {
    const page = await newPerson();
    const match = await duelWith(page, shared.server.url);
    const states = [await match.state()];
    for (let turn = 0; turn < 6; turn++) states.push(await match.turn(picker(turn + 2)));
    await match.turn(picker(9), "I like this tile.");
    states.push(await match.state());
    await match.resign("P2");
    await page.reload(); // Who comes when it is over has it from the record.
    const chart = page.locator("dialog[open] [data-chart] canvas");
    await chart.nth(1).waitFor();
    await page.locator("dialog[open] summary").click();
    const rows = await page.locator("dialog[open] .course-table tbody tr").allInnerTexts();
    expect(rows).toHaveLength(8);
    const told = rows.map((row) => (row.match(/\d+/g) ?? []).map(Number));
    expect(told).toEqual(
      states.map(({ meta, scoring: { scores }, status: { mice_rescued: home } }) => [
        meta.turn,
        scores.P1,
        home.P1,
        scores.P2,
        home.P2,
      ]),
    );
    await page.getByRole("button", { name: "Show turn 4" }).click();
    const { shown } = await waitFor(page, "g.shown.turn === 4 && !g.shown.live");
    expect(shown.board).toEqual(Object.values(states[4]?.data.board_encoding ?? {}));
    expect(await page.locator("dialog[open]").count()).toBe(0);
    // Reasoning is everybody's when the match is over, and stands beside its move.
    expect(await page.locator(".reasoning").count()).toBe(0);
    await page.locator('.moves [data-turn="4"]').press("Home");
    await waitFor(page, "g.shown.live");
    expect(await page.locator(".reasoning").textContent()).toBe("I like this tile.");
  });
});

describe("the analysis board", () => {
  test("plays a finished match on from any turn: branches, undo, hints, text out and in", async () => {
    const page = await newPerson();
    const match = await apiMatch(shared.server.url, { format: "1v1", level: 1 });
    await match.playTo(18, picker(6));
    await match.resign("P1");
    const look = () =>
      page.evaluate<{ node: number; nodes: number; turn: number; mover: string }>("window.gearmiceAnalysis");
    const at = (what: string, met: (now: Awaited<ReturnType<typeof look>>) => boolean) =>
      until(what, async () => {
        const now = await look().catch(() => null);
        return now && met(now) ? now : null;
      });
    await page.goto(`${shared.server.url}/analysis?match=${match.id}&code=${match.code}&turn=17`);
    const opened = await at("the match is loaded", (now) => now.turn === 17);
    expect(opened).toMatchObject({ nodes: 19, mover: "P2" });
    // Another move than the one played is a branch.
    await page.getByRole("button", { name: "What would P2 do?" }).click();
    const hint = page.locator(".hint").first();
    const command = await hint.locator("code").textContent();
    await hint.click();
    const branched = await at("the branch is played", (now) => now.turn === 18 && now.mover === "P1");
    expect(branched.nodes).toBe(20);
    expect(await page.locator(`[data-node="${branched.node}"] code`).textContent()).toBe(command);
    // The position goes out as text and comes back as the same board.
    const tiles = () =>
      page.locator('[role="gridcell"]').evaluateAll((cells) => cells.map((c) => c.getAttribute("aria-label")));
    const before = await tiles();
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))");
    await page.getByRole("button", { name: "Copy position" }).click();
    const field = page.locator("#position-text");
    await until("the text stands in the field", async () => (await field.inputValue()).startsWith("{"));
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const alone = await at("the position is loaded", (now) => now.nodes === 1);
    expect(alone.turn).toBe(18);
    expect(await tiles()).toEqual(before);
    // Played by keyboard, taken back by keyboard.
    await page.locator('[role="gridcell"][tabindex="0"]').focus();
    for (const key of [" ", "+", "Enter"]) await page.keyboard.press(key);
    await at("a turn is played", (now) => now.turn === 19 && now.nodes === 2);
    await page.keyboard.press(",");
    await at("it is taken back", (now) => now.turn === 18);
    await page.fill("#position-text", '{"meta":1}');
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.locator("#position-said.problem").waitFor();
    expect((await look()).nodes).toBe(2);
  });
});

test("the level editor checks a map, and the house plays on it; the link opens the same map", async () => {
  const page = await newPerson();
  await page.goto(`${shared.server.url}/analysis`);
  await page.getByRole("button", { name: "Level editor" }).click();
  const editor = page.locator("main.editor");
  await editor.getByLabel("Format").selectOption("1v1");
  await editor.getByLabel("Columns").selectOption("4");
  await editor.getByRole("combobox", { name: "Rows" }).selectOption("3");
  // By keyboard: an obstacle in the corner shuts a lane and leaves a number that two cannot share.
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  await page.keyboard.press("Enter");
  await page.locator('[data-map="1v1_0111.1111.1111"]').waitFor();
  const problems = () =>
    page.locator("[data-problem]").evaluateAll((all) => all.map((one) => one.getAttribute("data-problem")));
  expect(await problems()).toEqual(["lane", "uneven"]);
  expect(await page.getByRole("button", { name: "Play it here" }).isDisabled()).toBe(true);
  await page.keyboard.press("Enter");
  for (const tile of ["P22", "P32"]) await page.click(`[data-tile="${tile}"]`);
  await page.locator('[data-map="1v1_1111.1001.1111"]').waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Play it here" }).click();
  await page.getByRole("checkbox", { name: "P2" }).check();
  const look = () =>
    page.evaluate<{ nodes: number; turn: number; mover: string } | undefined>("window.gearmiceAnalysis");
  await until("the board is there", async () => (await look())?.turn === 0);
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  for (const key of ["4", " ", "+", "Enter"]) await page.keyboard.press(key);
  await until("the house has answered", async () => (await look())?.turn === 2);
  expect((await look())?.mover).toBe("P1");
  // Whoever is given the link has the same map.
  expect(page.url()).toBe(`${shared.server.url}/analysis#map=1v1_1111.1001.1111`);
  await page.reload();
  await until("the map is there", async () => (await look())?.turn === 0);
  const walls = page.locator('[role="gridcell"][aria-label$="obstacle"]');
  expect(await walls.evaluateAll((all) => all.map((one) => one.getAttribute("data-tile")))).toEqual(["P22", "P32"]);
});

test("the leaderboard lists who has finished, and TV goes from one match to the next", async () => {
  const page = await newPerson();
  const [first, second] = [
    await apiMatch(shared.server.url, { format: "1v1", level: 1 }),
    await apiMatch(shared.server.url, { format: "1v1", level: 1 }),
  ];
  await page.goto(`${shared.server.url}/tv`);
  await waitFor(page, "g.link === 'live' && g.seat === null && g.phase === 'playing'");
  const shown = (await page.locator('a[href*="watch=1"]').getAttribute("href")) ?? "";
  const [on, other] = shown.includes(first.code) ? [first, second] : [second, first];
  expect(shown).toContain(on.code);
  await on.turn(picker(1));
  await waitFor(page, "g.turn === 1");
  await on.resign("P2");
  await waitFor(page, "g.phase === 'over'");
  await page.getByRole("button", { name: "Next match" }).click();
  await page.locator(`a[href*="${other.code}"]`).waitFor();
  await other.resign("P1");

  await page.goto(`${shared.server.url}/leaderboard`);
  await until("the results are in", async () => {
    await page.getByLabel("Level").selectOption("2");
    await page.getByLabel("Level").selectOption("1");
    return (await page.locator(".result-table tbody tr").count()) > 0;
  });
  await page.locator(".result-table tbody a").first().click();
  await waitFor(page, "g.phase === 'over'");
});

test("nothing is wider than a phone, and what is to be hit is not smaller than a finger", async () => {
  const page = await newPerson({ width: 360, height: 740 });
  const width = () => page.evaluate<number>("document.documentElement.scrollWidth");
  for (const [path, there] of [
    ["/", "[data-preset]"],
    ["/tutorial", ".board[data-drawn='flat']"],
    ["/rules", "[data-try='bridge'] .board[data-drawn='flat']"],
    ["/analysis", ".board[data-drawn='flat']"],
    ["/analysis#map=1v1_101.101.111", ".editor .board[data-drawn='flat']"],
    ["/leaderboard", ".empty-board, .result-table"],
    ["/no/such/page", ".nothing h1"],
    ["/agents", ".session select"],
  ] as const) {
    await page.goto(shared.server.url + path);
    await page.locator(there).first().waitFor();
    expect(await width(), path).toBe(360);
  }
  await page.getByRole("button", { name: "Make a session" }).click();
  await page.locator(".session pre").waitFor();
  expect(await width(), "with a session").toBe(360);
  // Programs are told of an address that is none as they are told everything.
  const none = await fetch(`${shared.server.url}/no/such/page`);
  expect([none.status, ((await none.json()) as { error: { code: string } }).error.code]).toEqual([404, "not_found"]);
  await openPreset(page, shared.server.url, "david-goliath");
  await waitFor(page, "g.current_player === g.seat");
  expect(await width()).toBe(360);
  await page.locator('[role="gridcell"][data-legal="true"]').first().click();
  const heights = await page
    .locator(".action button:visible")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  // On its side the board stands beside the panel, both whole in sight.
  await page.setViewportSize({ width: 740, height: 360 });
  const box = async (of: string) => (await page.locator(of).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await until("two columns", async () => {
    const [board, panel] = [await box(".board"), await box(".side.right")];
    return board.x + board.width <= panel.x && board.y + board.height <= 360 && panel.x + panel.width <= 740;
  });
  // And it can be installed.
  const manifest = await (await fetch(`${shared.server.url}/manifest.webmanifest`)).json();
  expect(await page.locator('link[rel="manifest"]').getAttribute("href")).toContain("manifest");
  for (const { src, type } of (manifest as { icons: { src: string; type: string }[] }).icons) {
    const icon = await fetch(new URL(src, shared.server.url));
    expect(`${icon.status} ${icon.headers.get("content-type")?.split(";")[0]}`, src).toBe(`200 ${type}`);
  }
});

test("a whole duel by keyboard alone, from the Playroom to the result, looking back included", async () => {
  const page = await newPerson();
  await page.goto(shared.server.url);
  await page.locator('[data-preset="david-goliath"]').waitFor();
  // Tab until the button of the duel against a bot has the focus.
  const focused = () => page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''");
  for (let i = 0; i < 60 && (await focused()) !== "Play David vs Goliath"; i++) await page.keyboard.press("Tab");
  expect(await focused()).toBe("Play David vs Goliath");
  await page.keyboard.press("Enter");
  await waitFor(page, "g.current_player === g.seat");
  const onBoard = () => page.evaluate<boolean>("document.activeElement?.getAttribute('role') === 'gridcell'");
  const toBoard = async () => {
    for (let i = 0; i < 30 && !(await onBoard()); i++) await page.keyboard.press("Tab");
    expect(await onBoard()).toBe(true);
  };
  const pick = picker(8);
  for (let i = 0; ; i++) {
    const now = await waitFor(page, "g.phase === 'over' || g.current_player === g.seat");
    if (now.phase === "over") break;
    await toBoard();
    if (i === 5) {
      // In the middle of one's own turn: two back, nothing played, and home again.
      await page.keyboard.press(",");
      await page.keyboard.press(",");
      await waitFor(page, `g.shown.turn === ${now.turn - 2} && !g.shown.live`);
      for (const key of [" ", "+", "Enter"]) await page.keyboard.press(key);
      expect((await seen(page))?.version).toBe(now.version);
      await page.keyboard.press("Escape");
      await waitFor(page, "g.shown.live");
    }
    const legal = await page
      .locator('[role="gridcell"][data-legal="true"]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-tile") ?? ""));
    await arrowTo(page, legal[pick(legal.length)] ?? "");
    for (const key of [" ", pick(2) === 0 ? "+" : "-", "Enter"]) await page.keyboard.press(key);
    await waitFor(page, `g.version > ${now.version}`);
  }
  await page.locator("dialog[open] .result-table").waitFor();
  await page.keyboard.press("Escape");
  await toBoard();
  await page.keyboard.press(",");
  const end = (await seen(page)) as Seen;
  await waitFor(page, `g.shown.turn === ${end.turn - 1}`);
});

test("the first game: every lesson is solved by keyboard, in the page alone, and remembered", async () => {
  const page = await newPerson();
  await page.goto(`${shared.server.url}/tutorial`);
  const calls: string[] = [];
  page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  for (const [i, lesson] of LESSONS.entries()) {
    const main = page.locator(`main[data-lesson="${lesson.id}"]`);
    await main.waitFor();
    if (i === 0) {
      // A gear that lets nobody in is told to be none of it.
      await compose(page, "G1@P21(b=0)+90");
      await page.locator('main[data-said="missed"]').waitFor();
      await page.keyboard.press("Enter"); // the focus is on: Try again
      await page.locator('main[data-said=""]').waitFor();
    }
    await compose(page, lesson.answer);
    await page.locator('main[data-said="done"]').waitFor();
    await page.keyboard.press("Enter"); // the focus is on: Next lesson
  }
  await page.locator("[data-preset]").first().waitFor();
  expect(calls.filter((path) => path.includes("/matches"))).toEqual([]);
  await page.goto(`${shared.server.url}/tutorial`);
  await page
    .locator('.lesson-steps [data-done="true"]')
    .nth(LESSONS.length - 1)
    .waitFor();
});

/** Puts a command together on the focused grid by keys alone, and plays it. */
async function compose(page: Page, command: string): Promise<void> {
  const [, gear, place] = /^G(\d)@(P\d+)/.exec(command) ?? [];
  const [, premoved, b] = /G@(P\d+):b=(\d)/.exec(command) ?? [];
  const turned = place ?? /G@(P\d+)[+-]90$/.exec(command)?.[1] ?? "";
  const facing = Number(/\(b=(\d)\)/.exec(command)?.[1] ?? 0);
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  if (gear) await page.keyboard.press(gear);
  if (premoved) {
    await page.keyboard.press("p");
    await arrowTo(page, premoved);
    await page.keyboard.press(" ");
    await page.keyboard.press(String(Number(b) + 1));
    await page.keyboard.press("p");
  }
  await arrowTo(page, turned);
  await page.keyboard.press(" ");
  for (let i = 0; i < facing; i++) await page.keyboard.press("r");
  await page.keyboard.press(command.endsWith("+90") ? "+" : "-");
  await page.keyboard.press("Enter");
}

/** From wherever the focus is on a board of at most 4×4 to a tile. */
async function arrowTo(page: Page, tile: string): Promise<void> {
  const at = await page.evaluate<string>("document.activeElement?.getAttribute('data-tile') ?? ''");
  const [dx, dy] = [Number(tile[1]) - Number(at[1]), Number(tile[2]) - Number(at[2])];
  for (let i = 0; i < Math.abs(dx); i++) await page.keyboard.press(dx > 0 ? "ArrowRight" : "ArrowLeft");
  for (let i = 0; i < Math.abs(dy); i++) await page.keyboard.press(dy > 0 ? "ArrowUp" : "ArrowDown");
}
