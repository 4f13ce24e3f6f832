/** The page of one match: finds it, waits for it, shows it. */
import { useEffect, useState } from "preact/hooks";
import type { Route } from "../../router.ts";
import { openSession, type Session } from "../../store/session.ts";
import { Nothing } from "../../ui/nothing.tsx";
import { TopBar } from "../../ui/topbar.tsx";
import { MatchScreen } from "./screen.tsx";

export function MatchPage({ route }: { route: Extract<Route, { page: "room" | "match" }> }) {
  const [session, setSession] = useState<Session | null>(null);
  const key = route.page === "room" ? `${route.code} ${route.watch}` : route.id;
  useEffect(() => {
    const made = openSession(
      route.page === "room" ? { code: route.code, watch: route.watch } : { matchId: route.id, watch: false },
    );
    setSession(made);
    return () => made.close();
  }, [key]);
  if (session === null) return <Loading />;
  return <Opened session={session} />;
}

function Opened({ session }: { session: Session }) {
  const trouble = session.trouble.value;
  const state = session.state.value;
  if (trouble) {
    const gone = ["not_found", "room_closed"].includes(trouble.code);
    return (
      <Nothing title={gone ? "There is no such room" : "That did not work"}>
        <p>
          {gone ? "The code may be mistyped, or the match ended a while ago and its room is closed." : trouble.message}
        </p>
      </Nothing>
    );
  }
  return state === null ? <Loading /> : <MatchScreen session={session} state={state} />;
}

function Loading() {
  return (
    <div class="page plain">
      <TopBar />
      <main class="empty" aria-busy="true">
        <div class="spinner" role="img" aria-label="Loading" />
        <p>Opening the board…</p>
      </main>
    </div>
  );
}
