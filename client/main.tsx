import "@preact/signals";
import { type FunctionComponent, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bindRouter, type NamedPage, type Route, route } from "./router.ts";
import { Lobby } from "./screens/lobby/page.tsx";
import { bindTheme } from "./store/theme.ts";
import "./styles/base.css";
import "./styles/lobby.css";
import "./styles/match.css";
import "./styles/learn.css";
import "./styles/prose.css";
import { Nothing } from "./ui/nothing.tsx";
import { TopBar } from "./ui/topbar.tsx";

/** What comes when somebody opens it: the lobby does without. */
const PAGES: Readonly<Record<NamedPage | "match", () => Promise<FunctionComponent<{ route: Route }>>>> = {
  match: () =>
    import("./screens/match/page.tsx").then(({ MatchPage }) => MatchPage as FunctionComponent<{ route: Route }>),
  agents: () => import("./screens/ownAgent/page.tsx").then(({ AgentsPage }) => AgentsPage),
  analysis: () => import("./analysis/page.tsx").then(({ AnalysisPage }) => AnalysisPage),
  leaderboard: () => import("./screens/leaderboard/page.tsx").then(({ LeaderboardPage }) => LeaderboardPage),
  tv: () => import("./screens/tv/page.tsx").then(({ TvPage }) => TvPage),
  rules: () => import("./learn/rules.tsx").then(({ RulesPage }) => RulesPage),
  tutorial: () => import("./learn/tutorial.tsx").then(({ TutorialPage }) => TutorialPage),
};

function Lazy({ page, route }: { page: keyof typeof PAGES; route: Route }) {
  const [loaded, setLoaded] = useState<{ page: string; component: FunctionComponent<{ route: Route }> } | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    PAGES[page]()
      .then((component) => setLoaded({ page, component }))
      .catch(() => setFailed(true));
  }, [page]);
  if (loaded?.page === page) return <loaded.component route={route} />;
  return (
    <div class="page plain">
      <TopBar />
      <main class="empty">
        {failed ? <p>This page could not be loaded. Reload it to try again.</p> : <div class="spinner" />}
      </main>
    </div>
  );
}

function App() {
  const now = route.value;
  switch (now.page) {
    case "lobby":
      return <Lobby />;
    case "room":
    case "match":
      return <Lazy page="match" route={now} />;
    case "agents":
    case "tutorial":
    case "rules":
    case "leaderboard":
    case "tv":
    case "analysis":
      return <Lazy page={now.page} route={now} />;
    case "lost":
      return (
        <Nothing title="Nothing here">
          <p>This address leads to no page. Rooms have a code like IXENT-K7M2QP.</p>
        </Nothing>
      );
  }
}

bindTheme();
bindRouter();
const root = document.querySelector("#app");
if (root) render(<App />, root);
