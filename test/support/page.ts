/** The page as a person uses it: real Chromium, mouse clicks on what is shown, and the page's own view model. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { CHROMIUM, CHROMIUM_ARGS } from "./chromium.ts";
import { type RunningServer, startServerProcess } from "./server.ts";
import { until } from "./until.ts";

/** What `window.gearmice` shows (client/viewModel.ts). */
export interface Seen {
  readonly phase: string;
  readonly version: number;
  readonly turn: number;
  readonly current_player: string | null;
  readonly seat: string | null;
  readonly link: string;
  readonly animating: boolean;
  readonly board: readonly string[];
  readonly mice: Readonly<Record<string, readonly [pos: string, base: number | null, status: string]>>;
  readonly scores: Readonly<Record<string, number>>;
  readonly shown: { readonly turn: number; readonly live: boolean; readonly board: readonly string[] };
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGS] });
}

/** A server and a browser for all tests of a file: there when they run, gone after them. */
export function serverAndBrowser(): { readonly server: RunningServer; readonly browser: Browser } {
  let server: RunningServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    server = await startServerProcess({ BOT_PACE_MS: "0" });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  const there = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error("not started");
    return thing;
  };
  return {
    get server() {
      return there(server);
    },
    get browser() {
      return there(browser);
    },
  };
}

/** A person with a browser of their own: nothing shared with others. Errors of the page are collected. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly errors: string[];
}

/** A browser without WebGL: the board is drawn flat, which costs a machine without a graphics card far less. */
export const NO_WEBGL = `
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return String(kind).includes("webgl") ? null : getContext.call(this, kind, ...rest);
  };`;

export async function person(
  browser: Browser,
  { viewport = { width: 1024, height: 640 }, webgl = true } = {},
): Promise<Person> {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  if (!webgl) await context.addInitScript(NO_WEBGL);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content.Security.Policy|Uncaught/i.test(message.text())) {
      errors.push(message.text());
    }
  });
  return { context, page, errors };
}

// What runs in the page is text: this file is compiled for Node.
export function seen(page: Page): Promise<Seen | null> {
  return page.evaluate<Seen | null>("window.gearmice ?? null");
}

/**
 * Resolves when the page's state fulfils `condition` (a JavaScript expression over `g`, the view model).
 * Asked again and again from outside: the page's own policy forbids it to evaluate text, and keeps doing so here.
 */
export async function waitFor(page: Page, condition: string, timeout = 60_000): Promise<Seen> {
  const met = `(() => { const g = window.gearmice; return g && (${condition}) ? g : null; })()`;
  return until(condition, () => page.evaluate<Seen | null>(met), timeout);
}

/** Opens a room from its card in the Playroom; resolves when the match screen is connected. Gives the room code. */
export async function openPreset(page: Page, url: string, preset: string): Promise<string> {
  await page.goto(url);
  await page.click(`[data-preset="${preset}"] button`);
  return settledCode(page);
}

/** The code of the room on screen, once it is connected. */
export async function settledCode(page: Page): Promise<string> {
  await waitFor(page, "g.link === 'live'");
  return page.evaluate<string>("location.pathname.split('/').pop()");
}

const LEGAL = '[role="gridcell"][data-legal="true"]';

/** Puts a legal turn together by clicks: any legal tile, then the turn that promises more points. */
export async function chooseTurn(page: Page, pick: (n: number) => number): Promise<void> {
  const legal = page.locator(LEGAL);
  await legal.first().waitFor();
  await legal.nth(pick(await legal.count())).click();
  // Locators, not handles: a handle keeps the screen that it is from alive.
  await page.locator(".turn-choice:not(:disabled)").first().waitFor();
  const texts = await page.locator(".turn-choice .outcome").allTextContents();
  const [left = 0, right = 0] = texts.map((text) => Number(/[+−]\d+/.exec(text)?.[0]?.replace("−", "-") ?? 0));
  await page
    .locator(".turn-choice")
    .nth(right > left ? 1 : 0)
    .click();
  await page.locator("button.play:not(:disabled)").waitFor();
}

/** Puts one legal turn together and plays it. */
export async function playTurn(page: Page, pick: (n: number) => number): Promise<void> {
  const before = await waitFor(page, "g.current_player === g.seat");
  await chooseTurn(page, pick);
  await page.click("button.play:not(:disabled)");
  await waitFor(page, `g.version > ${before.version}`);
}

/** Plays our own turns as they come until the match is over. */
export async function playToTheEnd(page: Page, pick: (n: number) => number, atMost = 600): Promise<Seen> {
  for (let i = 0; i < atMost; i++) {
    const now = await waitFor(page, "g.phase === 'over' || g.current_player === g.seat");
    if (now.phase === "over") return now;
    await playTurn(page, pick);
  }
  throw new Error(`not over after ${atMost} turns`);
}

/** Grid and overlay alone come to some two hundred, a drawn board to well over a thousand. */
const COLOURS_OF_A_DRAWN_BOARD = 600;

/**
 * Whether the board shows its picture, as the screen has it: an idle board draws nothing, and a WebGL canvas can then
 * not be read from within the page.
 */
export async function canvasIsDrawn(page: Page): Promise<boolean> {
  const canvas = page.locator(".board canvas");
  if ((await canvas.count()) === 0) return false;
  return (await colours(page, await canvas.screenshot())) > COLOURS_OF_A_DRAWN_BOARD;
}

function colours(page: Page, png: Buffer): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const blob = await (await fetch("data:image/png;base64,${png.toString("base64")}")).blob();
    const copy = new OffscreenCanvas(96, 96);
    const ink = copy.getContext("2d");
    ink.drawImage(await createImageBitmap(blob), 0, 0, 96, 96);
    const { data } = ink.getImageData(0, 0, 96, 96);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  })()`);
}
