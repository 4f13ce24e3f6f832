import "@preact/signals";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bindRouter, route } from "./router.ts";
import { Lobby } from "./screens/lobby/page.tsx";
import { bindTheme } from "./store/theme.ts";
import "./styles/base.css";
import "./styles/lobby.css";
import "./styles/match.css";
import { TopBar } from "./ui/topbar.tsx";

type MatchPageType = typeof import("./screens/match/page.tsx").MatchPage;

/** The match screen comes when somebody opens a match: the lobby does without it. */
function LazyMatch(props: Parameters<MatchPageType>[0]) {
  const [Page, setPage] = useState<{ component: MatchPageType } | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    import("./screens/match/page.tsx")
      .then((module) => setPage({ component: module.MatchPage }))
      .catch(() => setFailed(true));
  }, []);
  if (Page) return <Page.component {...props} />;
  return (
    <div class="page plain">
      <TopBar />
      <main class="empty">
        {failed ? <p>The match screen could not be loaded. Reload the page to try again.</p> : <div class="spinner" />}
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
      return <LazyMatch route={now} />;
    case "lost":
      return (
        <div class="page plain">
          <TopBar />
          <main class="empty">
            <h1>Nothing here</h1>
            <p>
              <a class="button primary" href="/">
                Back to the Playroom
              </a>
            </p>
          </main>
        </div>
      );
  }
}

bindTheme();
bindRouter();
const root = document.querySelector("#app");
if (root) render(<App />, root);
