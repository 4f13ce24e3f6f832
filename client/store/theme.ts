/** Light or dark: the system's, unless the person wishes otherwise. */
import { computed, effect, signal } from "@preact/signals";
import type { Theme } from "../board/palette.ts";
import { savedTheme, saveTheme, type ThemeWish } from "../net/storage.ts";

export const themeWish = signal<ThemeWish>("system");
const systemDark = signal(false);
export const theme = computed<Theme>(() =>
  themeWish.value === "system" ? (systemDark.value ? "dark" : "light") : themeWish.value,
);

export function wishTheme(wish: ThemeWish): void {
  themeWish.value = wish;
  saveTheme(wish);
}

/** Follows the system and marks the page; returns its unbind. */
export function bindTheme(): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    systemDark.value = media.matches;
  };
  follow();
  themeWish.value = savedTheme();
  media.addEventListener("change", follow);
  const mark = effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
  return () => {
    media.removeEventListener("change", follow);
    mark();
  };
}
