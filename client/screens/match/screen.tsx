/** A match on screen: board, players, the turn to make, the moves made. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TileLabel } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import { boardModel } from "../../board/model.ts";
import { assertive, polite, say } from "../../dom/announce.ts";
import { Board } from "../../dom/board.tsx";
import type { Trace } from "../../dom/overlay.tsx";
import { navigate } from "../../router.ts";
import { type Lookback, openLookback } from "../../store/lookback.ts";
import type { Session } from "../../store/session.ts";
import type { Frames } from "../../store/timeline.ts";
import { HelpDialog } from "../../ui/help.tsx";
import { Icon } from "../../ui/icons.tsx";
import { TopBar } from "../../ui/topbar.tsx";
import { FORMAT_NAMES } from "../../ui/words.ts";
import { exposeView } from "../../viewModel.ts";
import { ActionPanel } from "./action.tsx";
import { answerQuery, soundOf, useAnnouncements } from "./announcements.ts";
import { Banner, LinkPill, Onlooker } from "./banner.tsx";
import { CommandField } from "./command.tsx";
import { History } from "./history.tsx";
import { ghostOf, keyOf, useInput } from "./input.ts";
import { LookBar, spokenTurn, TurnPanel } from "./lookbar.tsx";
import { Players } from "./players.tsx";
import { Resign } from "./resign.tsx";
import { ResultDialog } from "./result.tsx";
import { Share } from "./share.tsx";
import { Waiting } from "./waiting.tsx";

type Open = "" | "help" | "resign" | "result";
type Tab = "turn" | "players" | "moves";

export function MatchScreen({ session, state }: { session: Session; state: NativeState }) {
  const [back, setBack] = useState<Lookback | null>(null);
  useEffect(() => {
    const made = openLookback(session);
    setBack(made);
    return () => made.close();
  }, [session]);
  return back === null ? null : <Screen session={session} state={state} back={back} />;
}

interface ScreenProps {
  session: Session;
  /** As the match is now, whatever is looked at. */
  state: NativeState;
  back: Lookback;
}

function Screen({ session, state, back }: ScreenProps) {
  const seat = session.seat.value;
  const looking = back.at.value !== null;
  const shown = back.shown.value ?? state;
  const frames = session.frames.value;
  const frame = frames.get(shown.meta.turn);
  const board = boardModel(shown);
  const input = useInput(state, seat);
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState<Open>("");
  const [tab, setTab] = useState<Tab>("turn");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const { meta } = state;
  const mine = meta.phase === "playing" && meta.current_player === seat && seat !== null;
  const next = session.next.value;
  const legal = useMemo(() => new Set(input.factors?.tiles ?? []), [input.factors]);

  useEffect(() => exposeView(session, back, () => busy), [session, back, busy]);
  useEffect(() => setProblem(null), [meta.turn, input.command]);
  useAnnouncements(session, seat);

  const over = meta.phase === "over";
  useEffect(() => {
    if (over && !busy) setOpen("result");
  }, [over, busy]);
  useEffect(() => {
    if (next !== null && seat !== null) navigate(`/room/${next}`);
  }, [next]);

  const send = async () => {
    if (input.command === null || sending) return;
    setSending(true);
    const answer = await session.move(input.command);
    setSending(false);
    if (!answer.ok) setProblem(answer.message);
  };

  useEffect(() => bindStepKeys(back), [back]);
  const at = back.at.value;
  const told = useRef(at);
  useEffect(() => {
    if (told.current === at) return;
    told.current = at;
    say(spokenTurn(state, back.frame.value));
  }, [at]);

  const onKey = (key: string): boolean => {
    if (key === "," || key === ".") {
      void back.step(key === "," ? -1 : 1);
      return true;
    }
    if (looking) {
      // Nothing that is looked at can be played.
      if (key === "Escape") void back.go(null);
      return key === "Escape" || answerQuery(key, shown, seat, []);
    }
    if (key === "Enter") {
      if (input.command === null) return false;
      void send();
      return true;
    }
    return keyOf(input, key) || answerQuery(key, state, seat, input.factors?.tiles ?? []);
  };

  const ghost = looking ? null : ghostOf(input, seat);
  const byArrows = !busy && (looking || still());
  // Neither a choice nor an animation changes anything about them.
  const players = useMemo(() => <Players state={state} shown={shown} seat={seat} />, [state, shown, seat]);
  const rotation = !looking && input.choice?.stage === "rotation" ? input.choice : null;
  return (
    <div class="page match" data-phase={meta.phase} data-mine={mine ? "true" : "false"}>
      <TopBar compact>
        <span class="match-title">
          {FORMAT_NAMES[meta.format]}{" "}
          <small>
            level {meta.level_id} · {meta.dimensions.replace("x", "×")}
          </small>
        </span>
        <Share code={meta.room_code} />
        <LinkPill session={session} />
        <button type="button" class="icon-button" aria-label="How to play" onClick={() => setOpen("help")}>
          <Icon name="help" />
        </button>
      </TopBar>
      <main class="match-main">
        <h1 class="sr-only">Match in room {meta.room_code}</h1>
        <div class={`side left tab-players ${tab === "players" ? "shown" : ""}`}>{players}</div>
        <div class="centre">
          {looking ? <LookBar state={state} back={back} mine={mine} /> : <Banner state={state} seat={seat} />}
          <Board
            feed={back.feed}
            board={board}
            me={seat}
            legal={looking ? NOTHING : legal}
            chosen={looking ? null : (input.choice?.tile ?? null)}
            premove={rotation?.premove?.tile ?? null}
            premoveTo={rotation?.premove ?? null}
            ghost={ghost}
            preview={busy || looking ? null : input.shown}
            trace={byArrows ? traceOf(frames, shown.meta.turn) : null}
            onPick={(tile) => {
              if (looking) return;
              input.tile(tile);
              if (input.factors !== null) setTab("turn");
            }}
            onHover={input.hoverTile}
            onKey={onKey}
            onBusy={setBusy}
            onEvent={soundOf}
          />
        </div>
        <nav class="tabs" aria-label="Panels">
          {(["turn", "players", "moves"] as const).map((name) => (
            <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
              {name === "turn" ? "Turn" : name === "players" ? "Players" : "Moves"}
            </button>
          ))}
        </nav>
        <div class="side right">
          <div class={`tab-turn ${tab === "turn" ? "shown" : ""}`}>
            {meta.phase === "waiting" && <Waiting state={state} seat={seat} session={session} />}
            {mine && !looking && seat !== null && (
              <ActionPanel
                state={state}
                board={board}
                seat={seat}
                input={input}
                sending={sending}
                problem={problem}
                onPlay={send}
              />
            )}
            {!mine && !looking && meta.phase === "playing" && <Onlooker state={state} seat={seat} />}
            {over && (
              <section class="panel over">
                <p>The match is over.</p>
                <button type="button" class="button primary" onClick={() => setOpen("result")}>
                  Show the result
                </button>
                <a
                  class="button"
                  href={`/analysis?match=${meta.match_id}&code=${meta.room_code}&turn=${shown.meta.turn}`}
                >
                  Analyse
                </a>
              </section>
            )}
            {(looking || over) && frame && <TurnPanel state={state} frame={frame} />}
            {seat !== null && !looking && meta.phase === "playing" && (
              <CommandField session={session} state={state} suggestion={input.command} mine={mine} />
            )}
          </div>
          <div class={`tab-moves ${tab === "moves" ? "shown" : ""}`}>
            <History history={state.data.history} frames={frames} back={back} turn={meta.turn} />
          </div>
          {seat !== null && meta.phase === "playing" && state.status.players[seat]?.status === "ACTIVE" && (
            <button type="button" class="button quiet resign" onClick={() => setOpen("resign")}>
              <Icon name="flag" size={17} /> Resign
            </button>
          )}
        </div>
      </main>
      <div class="sr-only" role="status">
        {polite.value}
      </div>
      <div class="sr-only" role="alert">
        {assertive.value}
      </div>
      {open === "help" && <HelpDialog onClose={() => setOpen("")} />}
      {open === "resign" && (
        <Resign
          session={session}
          solo={meta.format === "solo"}
          onClose={() => setOpen((now) => (now === "resign" ? "" : now))}
        />
      )}
      {open === "result" && over && (
        <ResultDialog
          session={session}
          state={state}
          seat={seat}
          next={next}
          asked={asked}
          problem={problem}
          canRematch={seat !== null && session.link.value === "live"}
          onRematch={async () => {
            setAsked(true);
            const answer = await session.rematch();
            if (answer.ok) return;
            setAsked(false);
            setProblem(answer.message ?? "No rematch is possible now.");
          }}
          onClose={() => setOpen("")}
          onTurn={(turn) => {
            setOpen("");
            void back.go(turn);
          }}
        />
      )}
    </div>
  );
}

const NOTHING: ReadonlySet<TileLabel> = new Set();

/** Without animation a turn is told by arrows. */
const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The turn that led to `turn`, with the board before it. */
function traceOf(frames: Frames, turn: number): Trace | null {
  const [before, frame] = [frames.get(turn - 1), frames.get(turn)];
  return before && frame ? { events: frame.events, before: boardModel(before.state) } : null;
}

/** ← and → step through the turns while nothing on the page has the focus; returns its unbind. */
function bindStepKeys(back: Lookback): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    if (event.key === "ArrowLeft") void back.step(-1);
    else if (event.key === "ArrowRight") void back.step(1);
    else if (event.key === "Escape") void back.go(null);
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
