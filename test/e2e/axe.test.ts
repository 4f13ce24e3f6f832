/** What axe finds in the pages that people meet; it must find nothing. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { THEMES } from "../../client/board/palette.ts";
import { agentExamples } from "../../shared/examples/agents.ts";
import { duelWith } from "../support/apiMatch.ts";
import { NO_WEBGL, openPreset, serverAndBrowser, waitFor } from "../support/page.ts";
import { picker } from "../support/random.ts";
import { until } from "../support/until.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const shared = serverAndBrowser();
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate<Violation[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)",
  );
  return found.map(({ id, nodes }) =>
    `${id}: ${nodes.map((n) => `${n.html} (${n.failureSummary})`).join(" | ")}`.slice(0, 600),
  );
}

const PLACES: readonly [name: string, go: (page: Page) => Promise<unknown>][] = [
  ["the Playroom", (page) => page.goto(shared.server.url).then(() => page.waitForSelector("[data-preset]"))],
  [
    "a match in play",
    async (page) => {
      await openPreset(page, shared.server.url, "david-goliath");
      await waitFor(page, "g.phase === 'playing'");
      await page.waitForSelector(".board[data-drawn]:not([data-drawn=''])");
    },
  ],
  [
    "a room of one's own, its bot in a manner of play",
    async (page) => {
      await page.goto(shared.server.url);
      await page.getByLabel("Seat P2").selectOption("House bot: random");
      await page.getByLabel("Manner of P2").selectOption("Lazy");
      await page.getByRole("button", { name: "Open the room" }).click();
      await waitFor(page, "g.phase === 'playing'");
      const { seats } = await page.evaluate<{ seats: { brain: string | null }[] }>(
        "fetch('/api/v1/rooms/' + document.querySelector('[data-room-code]').dataset.roomCode).then((r) => r.json())",
      );
      expect(seats.map(({ brain }) => brain)).toEqual([null, "random"]);
    },
  ],
  ["a room that waits", (page) => openPreset(page, shared.server.url, "duel")],
  [
    "a result",
    async (page) => {
      await openPreset(page, shared.server.url, "solo-trial");
      await page.getByRole("button", { name: "Resign" }).click();
      await page.locator("dialog[open]").getByRole("button", { name: "Resign" }).click();
      await page.locator("dialog[open] .result-table").waitFor();
    },
  ],
  [
    "a match looked back at",
    async (page) => {
      const match = await duelWith(page, shared.server.url);
      for (let turn = 0; turn < 3; turn++) await match.turn(picker(turn));
      await waitFor(page, "g.turn === 3");
      await page.locator('.moves [data-turn="2"]').click();
      await waitFor(page, "g.shown.turn === 2");
    },
  ],
  [
    "the first game",
    async (page) => {
      await page.goto(`${shared.server.url}/tutorial`);
      await page.waitForSelector(".board[data-drawn]:not([data-drawn=''])");
    },
  ],
  [
    "the rules",
    async (page) => {
      await page.goto(`${shared.server.url}/rules`);
      await page.locator("[data-try] .board[data-drawn='flat']").nth(4).waitFor();
    },
  ],
  [
    "the analysis board",
    async (page) => {
      await page.goto(`${shared.server.url}/analysis`);
      await page.getByRole("button", { name: "What would P1 do?" }).click();
      await page.locator(".hint").first().waitFor();
    },
  ],
  [
    "the level editor, with something to say",
    async (page) => {
      await page.goto(`${shared.server.url}/analysis#map=solo_10111.11111.11001.11011.11101_5.5.5.3_48_28`);
      await page.locator("[data-problem]").nth(1).waitFor();
      await page.locator(".editor .board[data-drawn='flat']").waitFor();
    },
  ],
  [
    "the leaderboard",
    async (page) => {
      await page.goto(`${shared.server.url}/leaderboard`);
      await page.locator(".empty-board, .result-table").first().waitFor();
    },
  ],
  ["an address that is none", (page) => page.goto(`${shared.server.url}/room/nonsense`)],
  [
    "how to bring an agent, with a session made",
    async (page) => {
      await page.goto(`${shared.server.url}/agents`);
      await page.getByLabel("Format").selectOption("1v1");
      await page.getByRole("button", { name: "Make a session" }).click();
      const made = await page.locator(".session pre").textContent();
      expect(made).toMatch(
        new RegExp(
          `^npx gearmice arena create --format 1v1 --level 1 --mode benchmark --session \\S+ --server ${shared.server.url} `,
        ),
      );
      const shown = await page.locator("section pre").allTextContents();
      expect(shown).toEqual(agentExamples(shared.server.url).map(({ text }) => text));
    },
  ],
  ["the page of the API", (page) => page.goto(`${shared.server.url}/docs`)],
];

/** Whether the page has the theme, has been drawn with it, and nothing moves any more. */
const settled = (theme: string) => `(async () => {
  const { theme = "${theme}" } = document.documentElement.dataset;
  for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
  return theme === "${theme}" && document.getAnimations().length === 0;
})()`;

test.each(PLACES)("%s, light, dark and high contrast", async (_name, go) => {
  // The page's own policy would keep axe out.
  const context = await shared.browser.newContext({ colorScheme: "light", reducedMotion: "reduce", bypassCSP: true });
  try {
    await context.addInitScript(NO_WEBGL);
    await context.addInitScript(AXE);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await go(page);
    for (const theme of THEMES) {
      const contrast = theme === "contrast" ? "more" : "no-preference";
      await page.emulateMedia({ colorScheme: theme === "light" ? "light" : "dark", contrast });
      // Colours that are on their way to another theme's are nobody's.
      await until("the colours have settled", () => page.evaluate<boolean>(settled(theme)));
      expect(await violations(page), theme).toEqual([]);
    }
  } finally {
    await context.close();
  }
});
