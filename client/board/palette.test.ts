/** 3:1 for what has to be told apart (WCAG 2.2, 1.4.11), computed from the colours that are drawn. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PLAYERS } from "../../shared/engine/types.ts";
import { BOWL, METAL, OUTLINE, PALETTES, PLAYER_COLOURS, THEMES, type Theme } from "./palette.ts";

/** Relative luminance of `#rrggbb`, or `#rgb`, 0..1. */
function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const c = Number.parseInt(full.slice(i, i + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

test("the formula is WCAG's", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

describe("on every theme's board", () => {
  const pairs: [what: string, a: string, b: string][] = [];
  for (const parity of ["R", "L"] as const) {
    const metal = METAL[parity];
    pairs.push([`${parity}: a free base on its gear`, BOWL[parity][0], metal.face]);
    pairs.push([`${parity}: the edge of a gear on its face`, metal.edge, metal.face]);
    for (const p of PLAYERS) pairs.push([`${parity}: the outline of a mouse or cap of ${p}`, OUTLINE, metal.face]);
  }
  // A mouse is its colour, its outline or both against the dark of a base; its shape lies on it in white.
  for (const p of PLAYERS) pairs.push([`${p} on a taken base`, PLAYER_COLOURS[p], BOWL.R[1]]);
  for (const p of PLAYERS) pairs.push([`${p}'s outline`, PLAYER_COLOURS[p], OUTLINE]);
  test.each(pairs)("%s", (_what, a, b) => expect(contrast(a, b)).toBeGreaterThanOrEqual(3));
});

describe("theme by theme", () => {
  test.each(THEMES)("%s: numbers in the frame, gears on their wells", (theme: Theme) => {
    const palette = PALETTES[theme];
    expect(contrast(palette.frameText, palette.frame)).toBeGreaterThanOrEqual(4.5);
    for (const parity of ["R", "L"] as const) {
      // Either the body or its dark edge stands out from the well.
      const body = Math.max(...[METAL[parity].mid, METAL[parity].edge].map((c) => contrast(c, palette.well[0])));
      expect(body).toBeGreaterThanOrEqual(3);
    }
    const lane = PLAYERS.map((p) =>
      Math.max(contrast(PLAYER_COLOURS[p], palette.burrow), contrast(palette.halo ?? OUTLINE, PLAYER_COLOURS[p])),
    );
    for (const each of lane) expect(each).toBeGreaterThanOrEqual(3);
  });

  test("high contrast: lines of the board, 7:1; mice have a halo against anything dark", () => {
    const palette = PALETTES.contrast;
    expect(contrast(palette.wellEdge, palette.well[0])).toBeGreaterThanOrEqual(7);
    expect(contrast(palette.burrowEdge, palette.burrow)).toBeGreaterThanOrEqual(7);
    expect(contrast(palette.halo ?? "#000", BOWL.R[0])).toBeGreaterThanOrEqual(7);
    expect(contrast(palette.obstacle[0], palette.well[0])).toBeGreaterThanOrEqual(3);
  });
});

/** Custom properties of a theme in the page's style sheet. */
function properties(theme: Theme): Record<string, string> {
  const css = readFileSync(new URL("../styles/base.css", import.meta.url), "utf8");
  const read = (selector: string) => {
    const at = css.indexOf(`${selector} {`);
    const block = at < 0 ? "" : css.slice(at, css.indexOf("}", at));
    return Object.fromEntries([...block.matchAll(/(--[\w-]+): (#[0-9a-f]{3,6});/g)].map((m) => [m[1], m[2]]));
  };
  return { ...read(":root"), ...(theme === "light" ? {} : read(`:root[data-theme="${theme}"]`)) };
}

describe("the page's own colours", () => {
  const text = ["--ink", "--ink-2", "--accent", "--good", "--bad"];
  const grounds = ["--bg", "--surface", "--surface-2"];
  test.each(THEMES)("%s: text 4.5:1 on every ground, borders of controls 3:1", (theme: Theme) => {
    const colours = properties(theme);
    const least = theme === "contrast" ? 7 : 4.5;
    for (const ground of grounds) {
      for (const ink of text) {
        const found = contrast(colours[ink] ?? "", colours[ground] ?? "");
        expect(found, `${ink} on ${ground}`).toBeGreaterThanOrEqual(least);
      }
      expect(contrast(colours["--legal"] ?? "", colours[ground] ?? ""), `--legal on ${ground}`).toBeGreaterThanOrEqual(
        3,
      );
    }
    expect(contrast(colours["--brass-ink"] ?? "", colours["--brass"] ?? "")).toBeGreaterThanOrEqual(4.5);
    if (theme === "contrast") expect(contrast(colours["--line"] ?? "", "#000000")).toBeGreaterThanOrEqual(7);
  });
});
