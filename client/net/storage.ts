/** What this browser remembers: who we are, which seats are ours, and a few wishes. Works without storage too. */
import type { PlayerId } from "../../shared/engine/types.ts";

export interface Identity {
  readonly token: string;
  readonly id: string;
  readonly name: string;
}

export interface OwnSeat {
  readonly match_id: string;
  readonly code: string;
  readonly seat: PlayerId;
  readonly seat_token: string;
}

const MAX_SEATS = 40;
const memory = new Map<string, string>();

function read<T>(key: string): T | null {
  try {
    const text = globalThis.localStorage?.getItem(`gearmice.${key}`) ?? memory.get(key) ?? null;
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    globalThis.localStorage?.setItem(`gearmice.${key}`, text);
  } catch {
    // Storage is full or forbidden: this page remembers, the next one will not.
  }
}

export const savedIdentity = (): Identity | null => read<Identity>("identity");
export const saveIdentity = (identity: Identity | null): void => write("identity", identity);

export const savedName = (): string | null => read<string>("name");
export const saveName = (name: string): void => write("name", name);

export const THEME_WISHES = ["system", "light", "dark", "contrast"] as const;
export type ThemeWish = (typeof THEME_WISHES)[number];
export const savedTheme = (): ThemeWish => {
  const saved = read<ThemeWish>("theme");
  return saved !== null && THEME_WISHES.includes(saved) ? saved : "system";
};
export const saveTheme = (theme: ThemeWish): void => write("theme", theme);

/** Ids of the lessons of the first game that were solved. */
export const savedLessons = (): readonly string[] => {
  const all = read<string[]>("lessons");
  return Array.isArray(all) ? all : [];
};
export const saveLessons = (ids: readonly string[]): void => write("lessons", ids);

export const savedMute = (): boolean => read<boolean>("mute") ?? false;
export const saveMute = (mute: boolean): void => write("mute", mute);

function seats(): OwnSeat[] {
  const all = read<OwnSeat[]>("seats");
  return Array.isArray(all) ? all : [];
}

/** Our seat in a match, by its room code or id; null when we have none. */
export function ownSeat(codeOrMatchId: string): OwnSeat | null {
  return seats().find((s) => s.code === codeOrMatchId || s.match_id === codeOrMatchId) ?? null;
}

export function saveSeat(seat: OwnSeat): void {
  write("seats", [seat, ...seats().filter((s) => s.match_id !== seat.match_id)].slice(0, MAX_SEATS));
}

export function forgetSeat(matchId: string): void {
  write(
    "seats",
    seats().filter((s) => s.match_id !== matchId),
  );
}
