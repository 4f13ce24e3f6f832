/** Showcase TV: always a match that is being played, bots' first, and the next one when it is over. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PlayerId } from "../../../shared/engine/types.ts";
import { boardModel } from "../../board/model.ts";
import { Board } from "../../dom/board.tsx";
import { listRooms, type RoomRow } from "../../net/api.ts";
import { type Lookback, openLookback } from "../../store/lookback.ts";
import { openSession, type Session } from "../../store/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { TopBar } from "../../ui/topbar.tsx";
import { FORMAT_NAMES } from "../../ui/words.ts";
import { exposeView } from "../../viewModel.ts";
import { Banner } from "../match/banner.tsx";
import { Players } from "../match/players.tsx";
import { headline } from "../match/result.tsx";

/** How long a result stands before the next match comes on. */
const RESULT_MS = 8_000;
const ASK_AGAIN_MS = 5_000;

export function TvPage() {
  const [code, setCode] = useState<string | null>(null);
  const [seen, setSeen] = useState<readonly string[]>([]);
  useEffect(() => {
    document.title = "Gearmice · TV";
  }, []);
  useEffect(() => {
    if (code !== null) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const rooms = await listRooms("playing", stop.signal).catch(() => []);
      if (stop.signal.aborted) return;
      const next = choose(rooms, seen);
      if (next) setCode(next.code);
      else timer = setTimeout(look, ASK_AGAIN_MS);
    };
    void look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [code]);
  const next = () => {
    if (code !== null) setSeen([...seen.slice(-20), code]);
    setCode(null);
  };
  return (
    <div class="page match tv">
      <TopBar compact links>
        <span class="match-title">Gearmice TV</span>
        {code !== null && (
          <>
            <a class="button small" href={`/room/${code}?watch=1`}>
              <Icon name="eye" size={16} /> Open
            </a>
            <button type="button" class="button small" onClick={next}>
              Next match
            </button>
          </>
        )}
      </TopBar>
      {code === null ? (
        <main class="empty" aria-busy="true">
          <div class="spinner" role="img" aria-label="Looking for a match" />
          <p>Looking for a match…</p>
        </main>
      ) : (
        <Channel key={code} code={code} onOver={next} />
      )}
    </div>
  );
}

/** Bots' matches first: nobody minds being shown; of those, one that was not on just now. */
function choose(rooms: readonly RoomRow[], seen: readonly string[]): RoomRow | null {
  const bots = rooms.filter((room) => room.seats.every((seat) => seat.kind === "ai"));
  const all = bots.length > 0 ? bots : rooms;
  return all.find((room) => !seen.includes(room.code)) ?? null;
}

function Channel({ code, onOver }: { code: string; onOver: () => void }) {
  const [open, setOpen] = useState<{ session: Session; back: Lookback } | null>(null);
  useEffect(() => {
    const session = openSession({ code, watch: true });
    const back = openLookback(session);
    setOpen({ session, back });
    return () => {
      back.close();
      session.close();
    };
  }, [code]);
  return open === null ? null : <Picture {...open} onOver={onOver} />;
}

function Picture({ session, back, onOver }: { session: Session; back: Lookback; onOver: () => void }) {
  const state = session.state.value;
  const trouble = session.trouble.value;
  const [busy, setBusy] = useState(false);
  const board = useMemo(() => (state === null ? null : boardModel(state)), [state]);
  const over = trouble !== null || state?.meta.phase === "over";
  useEffect(() => exposeView(session, back, () => busy), [session, busy]);
  useEffect(() => {
    if (!over) return;
    const timer = setTimeout(onOver, trouble === null ? RESULT_MS : 0);
    return () => clearTimeout(timer);
  }, [over]);
  if (state === null || board === null) return <main class="empty" aria-busy="true" />;
  return (
    <main class="match-main">
      <h1 class="sr-only">
        Gearmice TV: {FORMAT_NAMES[state.meta.format]}, level {state.meta.level_id}
      </h1>
      <div class="side left tab-players shown">
        <Players state={state} shown={state} seat={null as PlayerId | null} />
      </div>
      <div class="centre">
        {over ? (
          <div class="banner mine" role="status">
            <span class="banner-who">{headline(state, null)}</span>
          </div>
        ) : (
          <Banner state={state} seat={null} />
        )}
        <Board
          feed={back.feed}
          board={board}
          me={null}
          legal={NOTHING}
          chosen={null}
          premove={null}
          premoveTo={null}
          ghost={null}
          preview={null}
          onPick={() => undefined}
          onHover={() => undefined}
          onKey={() => false}
          onBusy={setBusy}
          onEvent={() => undefined}
        />
      </div>
    </main>
  );
}

const NOTHING: ReadonlySet<never> = new Set();
