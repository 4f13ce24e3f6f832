import type { ComponentChildren } from "preact";
import { THEME_WISHES, type ThemeWish } from "../net/storage.ts";
import { themeWish, wishTheme } from "../store/theme.ts";
import { Icon, type IconName, Logo } from "./icons.tsx";
import { muted, setMuted } from "./sound.ts";

const THEME_ICON: Readonly<Record<ThemeWish, IconName>> = {
  system: "auto",
  light: "sun",
  dark: "moon",
  contrast: "contrast",
};
const THEME_NAMES: Readonly<Record<ThemeWish, string>> = {
  system: "Like the system",
  light: "Light",
  dark: "Dark",
  contrast: "High contrast",
};

export function TopBar({ children, compact = false }: { children?: ComponentChildren; compact?: boolean }) {
  const wish = themeWish.value;
  return (
    <header class={compact ? "topbar compact" : "topbar"}>
      <a class="brand" href="/" aria-label="Gearmice, Playroom">
        <Logo size={compact ? 30 : 36} />
        <span class="brand-name">Gearmice</span>
      </a>
      <div class="topbar-middle">{children}</div>
      <button
        type="button"
        class="icon-button"
        aria-label={muted.value ? "Sound is off" : "Sound is on"}
        aria-pressed={!muted.value}
        onClick={() => setMuted(!muted.value)}
      >
        <Icon name={muted.value ? "mute" : "sound"} />
      </button>
      <span class="icon-button theme-choice" title={`Colours: ${THEME_NAMES[wish]}`}>
        <Icon name={THEME_ICON[wish]} />
        <select
          aria-label="Colours"
          value={wish}
          onChange={(event) => wishTheme(event.currentTarget.value as ThemeWish)}
        >
          {THEME_WISHES.map((each) => (
            <option key={each} value={each}>
              {THEME_NAMES[each]}
            </option>
          ))}
        </select>
      </span>
    </header>
  );
}
