/** Light, dark or high contrast: the system's, unless the person wishes otherwise. */
import { computed, effect, signal } from "@preact/signals";
import type { Theme } from "../board/palette.ts";
import { savedTheme, saveTheme, type ThemeWish } from "../net/storage.ts";

export const themeWish = signal<ThemeWish>("system");
const system = signal<Theme>("light");
export const theme = computed<Theme>(() => (themeWish.value === "system" ? system.value : themeWish.value));

export function wishTheme(wish: ThemeWish): void {
  themeWish.value = wish;
  saveTheme(wish);
}

/** Follows the system and marks the page; returns its unbind. */
export function bindTheme(): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const more = matchMedia("(prefers-contrast: more)");
  const follow = () => {
    system.value = more.matches ? "contrast" : dark.matches ? "dark" : "light";
  };
  follow();
  themeWish.value = savedTheme();
  for (const media of [dark, more]) media.addEventListener("change", follow);
  const mark = effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
  return () => {
    for (const media of [dark, more]) media.removeEventListener("change", follow);
    mark();
  };
}
