/** Every preset of behaviour makes the house's brains play otherwise, in the way that it says. */
import { describe, expect, test } from "vitest";
import { escaped, type Match, type PlayerId } from "../../shared/engine/index.ts";
import { STYLE_NAMES, STYLES, type StyleName, styleOf } from "../../shared/prompts/styles.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { efficiencies, playLocally } from "../local.ts";
import { expert } from "./expert.ts";
import { greedy } from "./greedy.ts";
import { EVEN, temperOf } from "./styles.ts";

const seedOf = (n: number) => (n * 0x9e3779b1 + 1).toString(16).padStart(32, "0").slice(-32);
const styled = (style: StyleName | null, n: number) => greedy.create(seedOf(n), temperOf(style));

/** Matches of a styled P1 against an even P2. */
async function matches(style: StyleName | null, count = 4): Promise<Match[]> {
  const all: Match[] = [];
  for (let n = 1; n <= count; n++) {
    const brains = [styled(style, n), styled(null, n + 100)];
    all.push(await playLocally({ format: "1v1", level: 1, seed: seedOf(n + 200), brains }));
  }
  return all;
}
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

const plain = await matches(null);
/** Positions of even matches in which P1 or P2 is to move. */
const seen: { view: NativeState; seat: PlayerId }[] = [];
await playLocally({
  format: "1v1",
  level: 1,
  seed: seedOf(77),
  brains: [styled(null, 1), styled(null, 2)],
  onChoice: (view, seat) => seen.push({ view, seat }),
});
const clock = { remainingMs: Number.POSITIVE_INFINITY };
const choices = async (style: StyleName | null, n = 5) => {
  const brain = styled(style, n);
  return Promise.all(seen.map(async ({ view, seat }) => (await brain.choose(view, seat, clock)).command));
};

test("sabotage keeps the other's efficiency down", async () => {
  const theirs = (all: readonly Match[]) => sum(all.map((match) => efficiencies(match)[1] ?? 0));
  expect(theirs(await matches("sabotage"))).toBeLessThan(0.8 * theirs(plain));
});

test("cooperate brings more mice out, of both players together", async () => {
  const out = (all: readonly Match[]) => sum(all.flatMap((match) => Object.values(escaped(match))));
  expect(out(await matches("cooperate"))).toBeGreaterThan(out(plain));
});

test("chaos plays many of its turns otherwise, and with another seed others", async () => {
  const [even, one, two] = [await choices(null), await choices("chaos"), await choices("chaos", 6)];
  const differ = (a: readonly string[], b: readonly string[]) =>
    a.filter((command, i) => command !== b[i]).length / a.length;
  expect(differ(even, one)).toBeGreaterThan(0.25);
  expect(differ(one, two)).toBeGreaterThan(0.25);
});

test("genius looks at more and lazy at less than an even brain does", async () => {
  const looked = async (style: StyleName | null) => {
    const brain = expert.create(seedOf(1), temperOf(style));
    const { view, seat } = seen[20]!;
    const { reasoning = "" } = await brain.choose(view, seat, clock);
    return Number(/at (\d+) positions/.exec(reasoning)?.[1]);
  };
  const [lazy, even, genius] = [await looked("lazy"), await looked(null), await looked("genius")];
  expect(lazy).toBeLessThan(even);
  expect(genius).toBeGreaterThan(even);
});

test("lazy comes off worse than an even brain, which does not look at points in the hand alone", async () => {
  const ahead = (all: readonly Match[]) =>
    sum(all.map((match) => (efficiencies(match)[0] ?? 0) - (efficiencies(match)[1] ?? 0)));
  expect(ahead(await matches("lazy"))).toBeLessThan(ahead(plain));
});

describe("no two styles choose alike", () => {
  const all = [null, ...STYLE_NAMES];
  const rows = all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b] as const));
  const played = new Map<StyleName | null, string[]>();
  test.each(rows)("%s and %s", async (a, b) => {
    for (const style of [a, b]) if (!played.has(style)) played.set(style, await choices(style));
    const [one, two] = [played.get(a) ?? [], played.get(b) ?? []];
    expect(one.filter((command, i) => command !== two[i]).length).toBeGreaterThan(0);
  });
});

test("a style is named, whatever its case; what names none is refused", () => {
  expect(STYLES.map(({ name }) => name)).toEqual([...STYLE_NAMES]);
  for (const { name, title, text } of STYLES) {
    expect(styleOf(` ${title.toUpperCase()} `)?.name).toBe(name);
    expect([...text].length).toBeLessThan(2_222);
  }
  expect(styleOf("be nice")).toBeNull();
  expect(temperOf(null)).toBe(EVEN);
  expect(() => temperOf("be nice")).toThrow();
});
