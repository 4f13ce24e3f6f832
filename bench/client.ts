/**
 * `npm run bench:client`: what the page costs, in a real Chromium against a real server. Beside the frame times stand
 * those of a page that only clears a WebGL canvas of the same size, taken in the same minutes: on a machine without a
 * graphics card they say how much of a frame is Chromium's software rendering.
 * Arguments: `load` or `frames` for one of the two; `--seconds=15`; `--json`: one object a line.
 */
import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { launch, waitFor } from "../test/support/page.ts";
import { type RunningServer, startServerProcess } from "../test/support/server.ts";
import { until } from "../test/support/until.ts";

const args = process.argv.slice(2);
const json = args.includes("--json");
const seconds = Number(args.find((a) => a.startsWith("--seconds="))?.slice("--seconds=".length) ?? 15);
const part = args.find((a) => a === "load" || a === "frames");
const SIZE = { width: 1366, height: 820 };

function tell(row: Record<string, string | number>): void {
  const text = Object.entries(row).map(([name, value]) => `${name} ${value}`);
  console.log(json ? JSON.stringify(row) : text.join("  "));
}

/** What the browser says of a page's load, from its first byte on. */
const OBSERVE = `
  window.measured = { fcp: 0, lcp: 0, cls: 0, blocked: 0 };
  const watch = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  watch("paint", (e) => { if (e.name === "first-contentful-paint") measured.fcp = e.startTime; });
  watch("largest-contentful-paint", (e) => { measured.lcp = e.startTime; });
  watch("layout-shift", (e) => { if (!e.hadRecentInput) measured.cls += e.value; });
  watch("longtask", (e) => { measured.blocked += Math.max(0, e.duration - 50); });`;

interface Load {
  readonly fcp: number;
  readonly lcp: number;
  readonly cls: number;
  readonly blocked: number;
}

/** Scripts as they go over a line that compresses; by address, so that what is loaded twice counts once. */
function countScripts(page: Page): () => number {
  const sizes = new Map<string, number>();
  page.on("response", async (response) => {
    if (!/\.js$/.test(new URL(response.url()).pathname)) return;
    const body = await response.body().catch(() => null);
    if (body !== null) sizes.set(response.url(), gzipSync(body).byteLength);
  });
  return () => [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1_000;
}

async function load(browser: Browser, server: RunningServer, viewport: typeof SIZE, device: string): Promise<void> {
  const context = await browser.newContext({ viewport });
  try {
    await context.addInitScript(OBSERVE);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const scripts = countScripts(page);
    await page.goto(server.url);
    await page.waitForSelector("[data-preset] button:not(:disabled)");
    const usable = await page.evaluate<number>("performance.now()");
    const lobby = scripts();
    await page.waitForLoadState("networkidle");
    await until("the first paint", () => page.evaluate<boolean>("measured.fcp > 0"));
    const { fcp, lcp, cls, blocked } = await page.evaluate<Load>("measured");
    await page.click('[data-preset="david-goliath"] button');
    await page.waitForSelector(".board[data-drawn='webgl']");
    await waitFor(page, "g.phase === 'playing'");
    const ms = (n: number) => Math.round(n);
    tell({
      bench: "load",
      device,
      first_contentful_paint_ms: ms(fcp),
      largest_contentful_paint_ms: ms(lcp),
      usable_ms: ms(usable),
      total_blocking_ms: ms(blocked),
      cumulative_layout_shift: Number(cls.toFixed(3)),
      lobby_script_kB_gzip: Number(lobby.toFixed(1)),
      match_script_kB_gzip: Number(scripts().toFixed(1)),
    });
  } finally {
    await context.close();
  }
}

/** Times between animation frames, in ms. */
const FRAMES = (ms: number) => `new Promise((done) => {
  const times = [];
  let last = performance.now();
  const end = last + ${ms};
  const frame = (now) => {
    times.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(frame);
    else done(times.slice(1));
  };
  requestAnimationFrame(frame);
})`;

/** A canvas of the board's size that is cleared each frame. */
const BARE = `(() => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 800, height: 800 });
  document.body.append(canvas);
  const gl = canvas.getContext("webgl");
  const draw = (now) => {
    gl.clearColor((now / 1000) % 1, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
})()`;

function frameRow(what: string, times: readonly number[], more: Record<string, number> = {}): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1));
  const total = times.reduce((sum, ms) => sum + ms, 0);
  tell({
    bench: "frames",
    what,
    frames_per_second: Number(((1_000 * times.length) / total).toFixed(1)),
    median_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    longest_ms: at(1),
    over_33_ms_percent: Number(((100 * times.filter((ms) => ms > 33.4).length) / times.length).toFixed(1)),
    ...more,
  });
}

interface Spent {
  /** Our own script, style and layout on the page's main thread. */
  readonly own: number;
  /** Chromium's process that draws: without a graphics card it does the card's work. */
  readonly drawing: number;
}

/** Processor time so far, in ms: what other processes take of the machine does not count. */
async function spending(browser: Browser, page: Page): Promise<() => Promise<Spent>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const whole = await browser.newBrowserCDPSession();
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string) => 1_000 * (metrics.find((m) => m.name === name)?.value ?? 0);
    const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
    const gpu = processInfo.filter(({ type }) => type === "GPU");
    return {
      own: of("ScriptDuration") + of("LayoutDuration") + of("RecalcStyleDuration"),
      drawing: 1_000 * gpu.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
    };
  };
}

async function frames(browser: Browser, server: RunningServer): Promise<void> {
  const page = await browser.newPage({ viewport: SIZE });
  page.setDefaultTimeout(120_000);
  try {
    await page.goto("about:blank");
    await page.evaluate(BARE);
    frameRow("a bare WebGL canvas", await page.evaluate<number[]>(FRAMES(seconds * 500)));

    const answer = await page.request.post(`${server.url}/api/v1/identities`, { data: { name: "Bench" } });
    const { token } = (await answer.json()) as { token: string };
    const seats = Array.from({ length: 4 }, () => ({ kind: "ai", brain: "greedy" }));
    const opened = await page.request.post(`${server.url}/api/v1/rooms`, {
      data: { format: "ffa4", level: 4, seats, join: false },
      headers: { authorization: `Bearer ${token}` },
    });
    const { code } = (await opened.json()) as { code: string };
    await page.goto(`${server.url}/room/${code}?watch=1`);
    await page.waitForSelector(".board[data-drawn='webgl']");
    const from = await waitFor(page, "g.phase === 'playing'");
    const spent = await spending(browser, page);
    const before = await spent();
    const times = await page.evaluate<number[]>(FRAMES(seconds * 1_000));
    const after = await spent();
    const to = await waitFor(page, "true");
    const each = (of: keyof Spent) => Number(((after[of] - before[of]) / times.length).toFixed(1));
    frameRow("ffa4 on 10x10, bots at full pace", times, {
      own_cpu_ms_per_frame: each("own"),
      drawing_cpu_ms_per_frame: each("drawing"),
      turns: to.turn - from.turn,
    });

    await page.goto("about:blank");
    await page.evaluate(BARE);
    frameRow("a bare WebGL canvas", await page.evaluate<number[]>(FRAMES(seconds * 500)));
  } finally {
    await page.close();
  }
}

const built = spawnSync("vite", ["build", "--logLevel", "warn"], { stdio: "inherit" });
if (built.status !== 0) process.exit(1);
const server = await startServerProcess({ BOT_PACE_MS: "0", SHOWCASE_PACE_MS: "0" });
const browser = await launch();
try {
  if (part !== "frames") {
    await load(browser, server, SIZE, "desktop");
    await load(browser, server, { width: 360, height: 740 }, "phone");
  }
  if (part !== "load") await frames(browser, server);
} finally {
  await browser.close();
  await server.stop();
}
