import type { ComponentChildren } from "preact";
import type { ThemeWish } from "../net/storage.ts";
import { themeWish, wishTheme } from "../store/theme.ts";
import { Icon, type IconName, Logo } from "./icons.tsx";
import { muted, setMuted } from "./sound.ts";

const NEXT: Readonly<Record<ThemeWish, ThemeWish>> = { system: "light", light: "dark", dark: "system" };
const THEME_ICON: Readonly<Record<ThemeWish, IconName>> = { system: "auto", light: "sun", dark: "moon" };

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
      <button
        type="button"
        class="icon-button"
        aria-label={`Colours: ${wish}`}
        title={`Colours: ${wish}`}
        onClick={() => wishTheme(NEXT[wish])}
      >
        <Icon name={THEME_ICON[wish]} />
      </button>
    </header>
  );
}
