/** What Phaser does that is not wanted (DESIGN, traps), looked at in the page that ships. */
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { LESSONS } from "../../client/learn/lessons.ts";
import { canvasIsDrawn, NO_WEBGL, openPreset, playTurn, serverAndBrowser, waitFor } from "../support/page.ts";
import { picker } from "../support/random.ts";
import { until } from "../support/until.ts";

/** Matches in one page; `BOARD_ROUNDS=50` by hand. */
const ROUNDS = Number(process.env.BOARD_ROUNDS ?? 2);
/** Boards of local matches in one page, the same two sizes in turn; `BOARDS=52` by hand. */
const BOARDS = Number(process.env.BOARDS ?? 12);

const shared = serverAndBrowser();

/** Counts, before the page's own scripts run, what is asked of WebGL; text, since it runs in the page. */
const COUNT_WEBGL = `
  const count = { contexts: 0, textures: 0, buffers: 0, programs: 0 };
  window.webglCount = count;
  const { getContext } = HTMLCanvasElement.prototype;
  const known = new WeakSet();
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    const context = getContext.call(this, kind, ...rest);
    if (context && String(kind).includes("webgl") && !known.has(context)) {
      known.add(context);
      count.contexts += 1;
    }
    return context;
  };
  for (const type of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    for (const [what, name] of [["textures", "Texture"], ["buffers", "Buffer"], ["programs", "Program"]]) {
      const create = type.prototype["create" + name];
      const remove = type.prototype["delete" + name];
      type.prototype["create" + name] = function (...all) { count[what] += 1; return create.apply(this, all); };
      type.prototype["delete" + name] = function (it) { if (it) count[what] -= 1; return remove.call(this, it); };
    }
  }`;
type Options = Parameters<Browser["newContext"]>[0];

async function withPage(options: Options, script: string | null, use: (page: Page) => Promise<void>): Promise<void> {
  const context: BrowserContext = await shared.browser.newContext({
    viewport: { width: 1024, height: 640 },
    reducedMotion: "reduce",
    ...options,
  });
  try {
    if (script !== null) await context.addInitScript(script);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await use(page);
    expect(errors, "errors in the page").toEqual([]);
  } finally {
    await context.close();
  }
}

const count = (page: Page) =>
  page.evaluate<{ contexts: number; textures: number; buffers: number; programs: number }>("window.webglCount");

/** From the lobby into a match of its own, a move, and back by the link in the page: no reload in between. */
async function visit(page: Page, preset: string): Promise<void> {
  await page.click(`[data-preset="${preset}"] button`);
  await waitFor(page, "g.link === 'live' && g.phase === 'playing'");
  await page.locator('.board[data-drawn="webgl"]').waitFor();
  await playTurn(page, picker(1));
  await page.locator('a[href="/"]').first().click();
  await page.locator("[data-preset]").first().waitFor();
}

interface Held {
  /** Bytes. */
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** What a page holds once everything that nobody needs has been given back. */
async function heldBy(page: Page): Promise<() => Promise<Held>> {
  const session = await page.context().newCDPSession(page);
  return async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
    return { heap: usedSize, nodes, listeners: jsEventListeners };
  };
}

/**
 * A screen that is kept alive shows in nodes (it has hundreds) and listeners, a board in bytes. The last screen may be
 * held for some seconds yet, by a call that is still to time out. What does grow is code: Chromium compiles anew what
 * has turned out to run often.
 */
async function expectNothingLeft(before: Held, held: () => Promise<Held>, what: string): Promise<void> {
  const after = await until(`what ${what} needed has been given back`, async () => {
    const now = await held();
    return now.nodes - before.nodes < 150 && now.listeners - before.listeners < 150 ? now : null;
  });
  if (process.env.BOARD_ROUNDS || process.env.BOARDS) console.log(what, JSON.stringify({ before, after }));
  expect(after.heap - before.heap, "heap").toBeLessThan(3_000_000);
}

test(`one Game for the life of a page: ${ROUNDS} matches leave no texture, buffer, canvas or heap behind`, async () => {
  await withPage({}, COUNT_WEBGL, async (page) => {
    await page.goto(shared.server.url);
    const presets = ["solo-trial", "david-goliath", "challenger"];
    // The first round of each size makes what is kept; Phaser tries out a context or two when it loads.
    for (const preset of presets) await visit(page, preset);
    const held = await heldBy(page);
    const [before, holding] = [await count(page), await held()];
    expect(before.textures).toBeGreaterThan(0);
    for (let round = 0; round < ROUNDS; round++) await visit(page, presets[round % presets.length] ?? "");
    expect(await count(page)).toEqual(before);
    await expectNothingLeft(holding, held, `${ROUNDS} matches`);
    expect(await page.locator("canvas.board-canvas").count()).toBe(0);
  });
});

test(`${BOARDS} boards in one page, and neither the heap nor the graphics card holds more than before`, async () => {
  await withPage({}, COUNT_WEBGL, async (page) => {
    await page.goto(`${shared.server.url}/tutorial`);
    await page.waitForSelector('.board[data-drawn="webgl"]');
    const held = await heldBy(page);
    // Lessons are matches of their own, played in the page: 3×3 and 4×4 boards in turn.
    const open = async (lesson: number) => {
      await page.evaluate(`document.querySelectorAll(".lesson-steps button")[${lesson}].click()`);
      // Not waitForSelector: the handle that it gives would hold the whole screen.
      await page.locator(`main[data-lesson="${LESSONS[lesson]?.id}"] .board[data-drawn="webgl"]`).waitFor();
    };
    const rounds = async (n: number) => {
      for (let i = 0; i < n; i++) await open([0, 6, 3, 5][i % 4] ?? 0);
    };
    await rounds(4); // the first ones make what is kept
    const [before, holding] = [await count(page), await held()];
    await rounds(BOARDS);
    expect(await count(page)).toEqual(before);
    await expectNothingLeft(holding, held, `${BOARDS} boards`);
    expect(await page.locator("canvas.board-canvas").count()).toBe(1);
  });
});

/** Kilobytes of script, compressed as they go over the line. */
const BUDGET_KB = { lobby: 60, match: 450 };

test(`the lobby comes without Phaser and with at most ${BUDGET_KB.lobby} kB of script, a match with ${BUDGET_KB.match} in all`, async () => {
  await withPage({}, null, async (page) => {
    const scripts = new Map<string, Promise<number>>();
    page.on("response", (answer) => {
      const name = answer.url().split("/").at(-1) ?? "";
      if (!name.endsWith(".js")) return;
      scripts.set(
        name,
        answer.body().then((body) => gzipSync(body).byteLength / 1_000),
      );
    });
    const loaded = async () => (await Promise.all(scripts.values())).reduce((sum, kb) => sum + kb, 0);
    await page.goto(shared.server.url, { waitUntil: "networkidle" });
    expect(scripts.size).toBeGreaterThan(0);
    expect([...scripts.keys()].filter((name) => /phaser|page-/.test(name))).toEqual([]);
    expect(await loaded()).toBeLessThanOrEqual(BUDGET_KB.lobby);
    await page.click('[data-preset="solo-trial"] button');
    await page.locator('.board[data-drawn="webgl"]').waitFor();
    expect([...scripts.keys()].some((name) => name.startsWith("phaserView"))).toBe(true);
    expect(await loaded()).toBeLessThanOrEqual(BUDGET_KB.match);
  });
});

describe("the canvas has the pixels of the screen, and at most two for each of CSS'", () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
  ])("devicePixelRatio %i", async (deviceScaleFactor, ratio) => {
    await withPage({ deviceScaleFactor }, null, async (page) => {
      await openPreset(page, shared.server.url, "solo-trial");
      await until("the board is drawn", () => canvasIsDrawn(page));
      const size = await page.evaluate<{ pixels: number; css: number }>(
        "(() => { const c = document.querySelector('canvas.board-canvas'); return { pixels: c.width, css: c.getBoundingClientRect().width }; })()",
      );
      expect(size.pixels / size.css).toBeCloseTo(ratio, 1);
    });
  });
});

test("keys typed anywhere but on the board are the page's own: Phaser takes none from the window", async () => {
  await withPage({}, null, async (page) => {
    await openPreset(page, shared.server.url, "solo-trial");
    await until("the board is drawn", () => canvasIsDrawn(page));
    await page.evaluate(
      "window.taken = []; addEventListener('keydown', (e) => { if (e.defaultPrevented) window.taken.push(e.key); })",
    );
    await page.evaluate("document.activeElement?.blur()");
    for (const key of ["ArrowUp", "ArrowDown", "Space", "Enter", "Tab"]) await page.keyboard.press(key);
    expect(await page.evaluate("window.taken")).toEqual([]);
  });
});

test("without WebGL the board is drawn flat, and everything can be played", async () => {
  await withPage({}, NO_WEBGL, async (page) => {
    await openPreset(page, shared.server.url, "david-goliath");
    await waitFor(page, "g.phase === 'playing'");
    await until("the board is drawn", () => canvasIsDrawn(page));
    const pick = picker(9);
    for (let turn = 0; turn < 3; turn++) await playTurn(page, pick);
    const seen = await waitFor(page, "g.turn >= 5");
    expect(seen.board.filter((tile) => tile.startsWith("G")).length).toBeGreaterThanOrEqual(5);
  });
});

describe("a lost WebGL context", () => {
  const lose = `(() => {
    const canvas = document.querySelector("canvas.board-canvas");
    window.loser = (canvas.getContext("webgl2") ?? canvas.getContext("webgl")).getExtension("WEBGL_lose_context");
    window.loser.loseContext();
  })()`;

  test("comes back with its picture, and the match is played on", async () => {
    await withPage({}, null, async (page) => {
      await openPreset(page, shared.server.url, "solo-trial");
      await until("the board is drawn", () => canvasIsDrawn(page));
      await page.evaluate(lose);
      await until("the picture is gone", async () => !(await canvasIsDrawn(page)));
      await page.evaluate("window.loser.restoreContext()");
      await until("the board is drawn again", () => canvasIsDrawn(page));
      await playTurn(page, picker(2));
      expect(await page.locator('.board[data-drawn="webgl"]').count()).toBe(1);
    });
  });

  test("that does not come back is given up for the plain board", async () => {
    await withPage({}, null, async (page) => {
      await openPreset(page, shared.server.url, "solo-trial");
      await until("the board is drawn", () => canvasIsDrawn(page));
      await page.evaluate(lose);
      await page.waitForSelector('.board[data-drawn="flat"]');
      await until("the board is drawn plainly", () => canvasIsDrawn(page));
      await playTurn(page, picker(2));
    });
  });
});
