/** Addresses of the app: `/`, `/room/<code>`, `/match/<id>`, and pages with a name of their own. */
import { signal } from "@preact/signals";
import { type MatchId, parseMatchId, parseRoomCode, type RoomCode } from "../shared/protocol/ids.ts";

/** Pages that are the same for everybody, each loaded when it is opened. */
export const NAMED_PAGES = ["agents", "tutorial", "rules", "analysis", "leaderboard", "tv"] as const;
export type NamedPage = (typeof NAMED_PAGES)[number];

export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "room"; readonly code: RoomCode; readonly watch: boolean }
  | { readonly page: "match"; readonly id: MatchId }
  | { readonly page: NamedPage }
  | { readonly page: "lost"; readonly path: string };

export function parseRoute(path: string, query: string): Route {
  if (path === "/" || path === "/index.html") return { page: "lobby" };
  const [, kind, rest = ""] = path.split("/");
  const named = rest === "" ? NAMED_PAGES.find((name) => name === kind) : undefined;
  if (named !== undefined) return { page: named };
  const code = kind === "room" ? parseRoomCode(decode(rest)) : null;
  if (code !== null) return { page: "room", code, watch: new URLSearchParams(query).has("watch") };
  const id = kind === "match" ? parseMatchId(rest) : null;
  return id === null ? { page: "lost", path } : { page: "match", id };
}

/** What the server writes itself. */
const OUTSIDE = /^\/(api\/|docs$)/;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const here = (): Route => parseRoute(globalThis.location?.pathname ?? "/", globalThis.location?.search ?? "");

export const route = signal<Route>(here());

export function navigate(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  route.value = here();
  scrollTo(0, 0);
}

/** Follows the back button and clicks on links within the app; returns its unbind. */
export function bindRouter(): () => void {
  const back = () => {
    route.value = here();
  };
  const click = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
    if (link.hasAttribute("download") || OUTSIDE.test(link.pathname)) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  };
  addEventListener("popstate", back);
  document.addEventListener("click", click);
  return () => {
    removeEventListener("popstate", back);
    document.removeEventListener("click", click);
  };
}
