/**
 * `node test/shots.ts [name…]`: pictures of every screen and state into `shots/` (ignored), from the built client on a
 * real server with real bots. Names pick some: `node test/shots.ts lobby placement`.
 */
import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { apiMatch, duelWith } from "./support/apiMatch.ts";
import { CHROMIUM, CHROMIUM_ARGS } from "./support/chromium.ts";
import { chooseTurn } from "./support/page.ts";
import { picker } from "./support/random.ts";
import { startServerProcess } from "./support/server.ts";
import { until } from "./support/until.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = `${ROOT}shots`;
const pick = picker(17);

const SIZES = {
  desktop: { width: 1366, height: 820 },
  tablet: { width: 834, height: 1112 },
  phone: { width: 360, height: 740 },
  sideways: { width: 740, height: 360 },
} as const;
type Size = keyof typeof SIZES;
type Scheme = "light" | "dark" | "contrast";

interface Stage {
  readonly url: string;
  readonly page: Page;
}

/** A state of the app: how to get there. The picture is taken when it resolves. */
type Scene = (stage: Stage) => Promise<void>;

async function ready(page: Page): Promise<void> {
  await page.waitForSelector(".board[data-drawn='webgl']");
  await settled(page);
}

/** Asks again and again from here: the page's content policy forbids code made of text, and that is well. */
async function waitFor(page: Page, condition: string): Promise<void> {
  await until(condition, () => page.evaluate<boolean>(`Boolean(${condition})`), 60_000);
}

async function settled(page: Page): Promise<void> {
  await waitFor(page, "window.gearmice?.link === 'live' && !window.gearmice.animating");
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
}

async function openPreset(stage: Stage, preset: string): Promise<void> {
  await stage.page.goto(stage.url);
  await stage.page.click(`[data-preset="${preset}"] button`);
  await ready(stage.page);
}

/** Plays turns of our own as they come, by the panel's own buttons, until `enough`. */
async function playUntil(page: Page, enough: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400 && !(await enough()); i++) {
    await waitFor(
      page,
      "window.gearmice?.phase === 'over' || (window.gearmice?.current_player === window.gearmice?.seat && document.querySelector('.action'))",
    );
    if ((await over(page)()) || (await enough())) return;
    const version = await page.evaluate<number>("window.gearmice.version");
    await chooseTurn(page, pick);
    await page.click("button.play");
    await waitFor(page, `window.gearmice.version > ${version}`);
  }
}

const rotating = (page: Page) => async () => (await page.locator(".slots").count()) > 0;
const over = (page: Page) => async () => page.evaluate<boolean>("window.gearmice?.phase === 'over'");

const SCENES: Readonly<Record<string, Scene>> = {
  lobby: async ({ url, page }) => {
    await page.goto(url);
    await page.waitForSelector(".live-list li, .live .note");
    await page.waitForSelector(".showcase-board canvas");
  },
  help: async ({ url, page }) => {
    await openPreset({ url, page }, "solo-trial");
    await page.getByRole("button", { name: "How to play" }).first().click();
    await page.waitForSelector("dialog[open]");
  },
  analysis: async ({ url, page }) => {
    const match = await apiMatch(url, { format: "1v1", level: 1 });
    await match.playTo(20, pick);
    await match.resign("P1");
    await page.goto(`${url}/analysis?match=${match.id}&code=${match.code}&turn=18`);
    await page.waitForSelector(".board[data-drawn='webgl']");
    await page.getByRole("button", { name: "What would P1 do?" }).click();
    await page.locator(".hint").nth(1).click();
    await page.waitForTimeout(1200); // the turn is played
    await page.getByRole("button", { name: "What would P2 do?" }).click();
    await page.locator(".hint").first().focus();
    await page.waitForTimeout(400); // the gears lean
  },
  leaderboard: async ({ url, page }) => {
    await page.goto(`${url}/leaderboard`);
    await page.locator(".empty-board, .result-table").first().waitFor();
  },
  tv: async ({ url, page }) => {
    await page.goto(`${url}/tv`);
    await page.waitForSelector(".board[data-drawn='webgl']");
    await page.waitForTimeout(600); // bots never pause: no instant is still
  },
  rules: async ({ url, page }) => {
    await page.goto(`${url}/rules`);
    await page.locator("[data-try] .board[data-drawn='flat']").nth(4).waitFor();
    await page.click('[data-try="ladder"] [data-tile="P12"]');
    await page.click('[data-try="ladder"] .turn-choice >> nth=1');
  },
  tutorial: async ({ url, page }) => {
    await page.goto(`${url}/tutorial`);
    await page.waitForSelector(".board[data-drawn='webgl']");
    await page.click('[data-tile="P21"]');
    await page.click(".turn-choice >> nth=0");
    await page.waitForTimeout(400); // the gears lean
  },
  sabotage: async ({ url, page }) => {
    await page.goto(`${url}/tutorial`);
    await page.click('[aria-label^="Lesson 7"]');
    await page.waitForSelector(".board[data-drawn='webgl']");
    await page.click('[data-tile="P11"]');
    await page.click(".turn-choice >> nth=0");
    await page.click("button.play");
    await page.waitForSelector(".lesson-said");
    await page.waitForTimeout(1200); // the turn is played
  },
  waiting: async (stage) => openPreset(stage, "alliance"),
  placement: async (stage) => openPreset(stage, "david-goliath"),
  preview: async (stage) => {
    await openPreset(stage, "david-goliath");
    let turns = 0;
    await playUntil(stage.page, async () => turns++ >= 4);
    await settled(stage.page);
    await chooseTurn(stage.page, pick);
    await stage.page.waitForTimeout(400); // the gears lean
  },
  rotation: async (stage) => {
    await openPreset(stage, "david-goliath");
    await playUntil(stage.page, rotating(stage.page));
    await settled(stage.page);
    await chooseTurn(stage.page, pick);
    await stage.page.waitForTimeout(400);
  },
  solo: async (stage) => {
    await openPreset(stage, "solo-trial");
    await playUntil(stage.page, rotating(stage.page));
    await settled(stage.page);
  },
  lookback: async ({ url, page }) => {
    const match = await duelWith(page, url);
    await match.playTo(9, pick);
    await waitFor(page, "window.gearmice.turn === 9 && !window.gearmice.animating");
    await page.evaluate("document.activeElement?.blur()");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await waitFor(page, "window.gearmice.shown.turn === 7");
    await ready(page);
  },
  result: async ({ url, page }) => {
    const match = await duelWith(page, url);
    await match.playTo(48, pick);
    await page.waitForSelector("dialog[open] [data-chart] canvas");
  },
  big: async (stage) => {
    await openPreset(stage, "colosseum");
    let turns = 0;
    await playUntil(stage.page, async () => turns++ >= 8);
    await settled(stage.page);
  },
  refusal: async (stage) => {
    await openPreset(stage, "david-goliath");
    await stage.page.fill("#command", "G4@P11(b=9)+90");
    await stage.page.click('[aria-label="Send command"]');
    await stage.page.waitForSelector("#command-answer.problem");
  },
  editor: async ({ url, page }) => {
    // An island, a shut lane and a stock that does not fit: what a check says.
    await page.goto(`${url}/analysis#map=solo_10111.11111.11001.11011.11101_5.5.5.3_48_28`);
    await page.waitForSelector(".editor .board[data-drawn='flat']");
  },
  ownmap: async ({ url, page }) => {
    await page.goto(`${url}/analysis#map=1v1_111111.110011.101111.111101.110011.111111`);
    await page.waitForSelector(".board[data-drawn='webgl']");
    await page.getByRole("checkbox", { name: "P2" }).check();
    await page.click('[data-tile="P31"]');
    await page.click(".turn-choice >> nth=0");
    await page.click("button.play");
    await waitFor(page, "window.gearmiceAnalysis?.turn === 2");
    await page.waitForTimeout(1200); // the turn is played
  },
  agents: async ({ url, page }) => {
    await page.goto(`${url}/agents`);
    await page.getByRole("button", { name: "Make a session" }).click();
    await page.locator(".session pre").waitFor();
  },
  lost: async ({ url, page }) => {
    await page.goto(`${url}/no/such/page`);
    await page.waitForSelector("h1");
  },
  nowhere: async ({ url, page }) => {
    await page.goto(`${url}/room/IXENT-AAAAAA`);
    await page.waitForSelector("h1");
  },
};

async function shoot(browser: Browser, url: string, name: string, size: Size, scheme: Scheme): Promise<void> {
  const context: BrowserContext = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: scheme === "light" ? "light" : "dark",
    contrast: scheme === "contrast" ? "more" : "no-preference",
    deviceScaleFactor: size === "phone" && name !== "lobby" ? 2 : 1,
    hasTouch: size !== "desktop",
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(`${name}: ${error.message}`));
  page.setDefaultTimeout(60_000);
  try {
    await SCENES[name]?.({ url, page });
    await page.mouse.move(2, 2);
    const fullPage = ["lobby", "rules", "agents"].includes(name);
    if (fullPage) await scrollThrough(page);
    await page.screenshot({ path: `${OUT}/${name}-${size}-${scheme}.png`, fullPage });
    console.log(`${name} ${size} ${scheme}`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} ${size} ${scheme}: ${error instanceof Error ? error.message : error}`);
    await page.screenshot({ path: `${OUT}/${name}-${size}-${scheme}-failed.png` }).catch(() => undefined);
  } finally {
    await context.close();
  }
}

/** Pictures are drawn as they come into view. */
async function scrollThrough(page: Page): Promise<void> {
  for (const picture of await page.locator("canvas.board-picture").all()) {
    await picture.scrollIntoViewIfNeeded();
    await until("a drawn picture", () => picture.getAttribute("data-drawn"));
  }
  await page.evaluate("scrollTo(0, 0)");
}

/** Which sizes and schemes: all of them for the most seen, a few for the rest. */
const EVERY: readonly (readonly [Size, Scheme])[] = [
  ["desktop", "dark"],
  ["desktop", "light"],
  ["phone", "light"],
  ["phone", "dark"],
  ["tablet", "light"],
  ["tablet", "dark"],
  ["sideways", "light"],
  ["desktop", "contrast"],
  ["phone", "contrast"],
];

const wanted = process.argv.slice(2);
const [names, only] = [wanted.filter((w) => w in SCENES), wanted.filter((w) => !(w in SCENES))];
const built = spawnSync("npx", ["vite", "build", "--logLevel", "warn"], { cwd: ROOT, stdio: "inherit" });
if (built.status !== 0) process.exit(1);
await mkdir(OUT, { recursive: true });
const given = process.env.GEARMICE_URL;
const server = given ? null : await startServerProcess({ SHOWCASE: "on", BOT_PACE_MS: "0", RATE_LIMITS: "off" });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGS] });
try {
  for (const name of names.length > 0 ? names : Object.keys(SCENES)) {
    for (const [size, scheme] of EVERY) {
      if (only.length > 0 && !only.includes(`${size}-${scheme}`)) continue;
      await shoot(browser, given ?? server?.url ?? "", name, size, scheme);
    }
  }
} finally {
  await browser.close();
  await server?.stop();
}
