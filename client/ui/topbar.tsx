import type { ComponentChildren } from "preact";
import { THEME_WISHES, type ThemeWish } from "../net/storage.ts";
import { type NamedPage, route } from "../router.ts";
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

/** The pages that everybody may want next; the bar of a match has no room for them. */
const LINKS: readonly (readonly [name: NamedPage, text: string])[] = [
  ["rules", "Rules"],
  ["analysis", "Analysis"],
  ["leaderboard", "Leaderboard"],
  ["tv", "TV"],
];

interface TopBarProps {
  children?: ComponentChildren;
  compact?: boolean;
  /** Left out: where the bar is not compact. */
  links?: boolean;
}

export function TopBar({ children, compact = false, links = !compact }: TopBarProps) {
  const wish = themeWish.value;
  const here = route.value.page;
  return (
    <header class={compact ? "topbar compact" : "topbar"}>
      <a class="brand" href="/" aria-label="Gearmice, Playroom">
        <Logo size={compact ? 30 : 36} />
        <span class="brand-name">Gearmice</span>
      </a>
      <div class="topbar-middle">
        {compact && children}
        {links && (
          <nav class="top-links" aria-label="Pages">
            {LINKS.map(([name, text]) => (
              <a key={name} href={`/${name}`} {...(here === name ? { "aria-current": "page" as const } : {})}>
                {text}
              </a>
            ))}
          </nav>
        )}
        {!compact && children}
      </div>
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
