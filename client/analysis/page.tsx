/** The analysis board: any position, free play for all seats, branches, hints, text in and out. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PlayerId, TileLabel } from "../../shared/engine/types.ts";
import { parseMatchId } from "../../shared/protocol/ids.ts";
import { boardModel } from "../board/model.ts";
import { polite, say } from "../dom/announce.ts";
import { Board } from "../dom/board.tsx";
import { describeEvents } from "../dom/describe.ts";
import { checkMap, emptyMap, type GameMap, makeMap, parseMap } from "../editor/map.ts";
import { EditorScreen } from "../editor/screen.tsx";
import { matchRecord, matchState } from "../net/api.ts";
import { ownSeat } from "../net/storage.ts";
import { ActionPanel } from "../screens/match/action.tsx";
import { answerQuery, soundOf } from "../screens/match/announcements.ts";
import { ghostOf, keyOf, useInput } from "../screens/match/input.ts";
import { Players } from "../screens/match/players.tsx";
import { localGame, stateOf } from "../store/localGame.ts";
import { matchAfter } from "../store/localMatch.ts";
import { previewOf } from "../store/preview.ts";
import { framesOfRecord } from "../store/timeline.ts";
import { Mark } from "../ui/icons.tsx";
import { TopBar } from "../ui/topbar.tsx";
import { exposeAnalysis } from "../viewModel.ts";
import { type Hint, hints } from "./hints.ts";
import { type Loaded, load, onMap, treeOfFrames, withCommands } from "./load.ts";
import { MoveTree } from "./moveTree.tsx";
import { Sources } from "./sources.tsx";
import { goTo, nodeAt, stepBy, type Tree, treeOf, without } from "./tree.ts";

/** `#map=…`: a map of one's own, as the editor shares it. */
const MAP = /^#map=(.+)$/;

export function AnalysisPage() {
  const [{ loaded, opened }, setOpened] = useState<{ loaded: Loaded | null; opened: number }>({
    loaded: null,
    opened: 0,
  });
  const setLoaded = (now: Loaded) => setOpened((before) => ({ loaded: now, opened: before.opened + 1 }));
  const [problem, setProblem] = useState<string | null>(null);
  const [editing, setEditing] = useState<GameMap | null>(null);
  const close = (now: Loaded | null) => {
    setEditing(null);
    if (now !== null) setLoaded(now);
    const map = (now ?? loaded)?.map;
    history.replaceState(null, "", map ? `/analysis#map=${makeMap(map)}` : "/analysis");
  };
  const open = () => {
    const shared = MAP.exec(location.hash)?.[1];
    if (shared === undefined) return false;
    const map = parseMap(shared);
    if (map === null) setProblem("The map of this link cannot be read.");
    else if (checkMap(map).some((p) => p.fatal)) setEditing(map);
    else {
      setEditing(null);
      setLoaded(onMap(map));
      return true;
    }
    return false;
  };
  useEffect(() => {
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, []);
  useEffect(() => {
    document.title = "Gearmice · Analysis";
    if (open()) return;
    const asked = new URLSearchParams(location.search);
    const id = parseMatchId(asked.get("match") ?? "");
    if (id === null) {
      setLoaded({ tree: treeOf(matchAfter({ format: "1v1", level: 1 }, [])), names: {} });
      return;
    }
    fromMatch(id, asked.get("code"), Number(asked.get("turn") ?? Number.NaN))
      .then(setLoaded)
      .catch((error: unknown) => {
        setProblem(error instanceof Error ? error.message : String(error));
        setLoaded({ tree: treeOf(matchAfter({ format: "1v1", level: 1 }, [])), names: {} });
      });
  }, []);
  return (
    <div class="page match analysis">
      <TopBar compact links>
        <span class="match-title">Analysis</span>
      </TopBar>
      {loaded === null ? (
        <main class="empty" aria-busy="true">
          <div class="spinner" role="img" aria-label="Loading" />
        </main>
      ) : editing !== null ? (
        <EditorScreen first={editing} onPlay={(map) => close(onMap(map))} onClose={() => close(null)} />
      ) : (
        <AnalysisBoard
          key={opened}
          first={loaded}
          problem={problem}
          onEdit={(now) => {
            setLoaded(now);
            setEditing(now.map ?? emptyMap("solo", 5, 5));
          }}
        />
      )}
    </div>
  );
}

/** The match as it was played, as far as its record tells us. */
async function fromMatch(id: string, code: string | null, turn: number): Promise<Loaded> {
  const own = ownSeat(id);
  const [token, room] = [own?.seat_token ?? null, own?.code ?? code ?? undefined];
  const state = await matchState(id, token, room);
  const frames = framesOfRecord(await matchRecord(id, token, state.meta.room_code), state);
  const tree = treeOfFrames(frames);
  const names = Object.fromEntries(
    Object.entries(state.status.players).flatMap(([p, info]) => (info.name === null ? [] : [[p, info.name]])),
  );
  const there = tree.nodes.find((n) => n.match.turn === turn);
  return { tree: there ? goTo(tree, there.id) : tree, names };
}

interface BoardProps {
  first: Loaded;
  problem: string | null;
  onEdit: (now: Loaded) => void;
}

function AnalysisBoard({ first, problem, onEdit }: BoardProps) {
  const [loaded, setLoaded] = useState(first);
  const { tree, names, map } = loaded;
  const node = nodeAt(tree);
  const { match } = node;
  const kind = map ? makeMap(map) : `${match.format} ${match.level}`;
  const game = useMemo(() => localGame(match, names), [names, kind]);
  const last = useRef(node);
  // The picture follows the node: on by one it plays the turn, else it shows the position.
  useEffect(() => {
    const on = node.parent !== null && node.parent === last.current.id && last.current.match !== node.match;
    last.current = node;
    if (game.match.value !== match) game.show(match, on ? node.events : null);
  }, [node, game]);

  const state = useMemo(() => stateOf(match, names), [match, names]);
  const board = useMemo(() => boardModel(state), [state]);
  const seat = match.currentPlayer;
  const input = useInput(state, seat, node.id, match);
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<{ node: number; hints: readonly Hint[] } | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const [bots, setBots] = useState<ReadonlySet<PlayerId>>(new Set());
  const legal = useMemo(() => new Set<TileLabel>(input.factors?.tiles ?? []), [input.factors]);
  const rotation = input.choice?.stage === "rotation" ? input.choice : null;
  const setTree = (next: Tree) => setLoaded({ ...loaded, tree: next });
  const hinted = useMemo(
    () => (pointed === null || seat === null ? null : previewOf(match, state, pointed)),
    [pointed, match, state],
  );

  useEffect(() => {
    setPointed(null);
  }, [node.id]);
  useEffect(
    () => exposeAnalysis(() => ({ node: node.id, nodes: tree.nodes.length, turn: match.turn, mover: seat })),
    [tree],
  );

  const play = (command: string) => {
    const next = withCommands(tree, command);
    setTree(next);
    const came = nodeAt(next);
    say(`${came.player} ${came.command}. ${describeEvents(came.events)}`);
  };
  // A house bot answers where the line ends: what has been taken back stays taken back.
  const botMoves = seat !== null && bots.has(seat) && node.children.length === 0 && !busy;
  useEffect(() => {
    if (!botMoves) return;
    const soon = setTimeout(() => {
      const [best] = hints(match, 1);
      if (best) play(best.command);
    }, BOT_WAITS_MS);
    return () => clearTimeout(soon);
  }, [botMoves, node]);

  const step = (by: -1 | 1) => {
    const next = stepBy(tree, by);
    setTree(next);
    const there = nodeAt(next);
    say(there.command === null ? "The start" : `Turn ${there.match.turn}: ${there.player} ${there.command}`);
  };
  const onKey = (key: string): boolean => {
    if (key === "," || key === ".") step(key === "," ? -1 : 1);
    else if (key === "Enter" && input.command !== null) play(input.command);
    else return keyOf(input, key) || answerQuery(key, state, seat, input.factors?.tiles ?? []);
    return true;
  };

  return (
    <main class="match-main">
      <h1 class="sr-only">Analysis board</h1>
      <div class="side left tab-players shown">
        <Players state={state} shown={state} seat={null} />
        <Sources
          loaded={loaded}
          onEdit={() => onEdit(loaded)}
          problem={problem}
          onLoad={(text) => setLoaded(load(text))}
          onCommands={(text) => setTree(withCommands(tree, text))}
          onLevel={(setup) => setLoaded({ tree: treeOf(matchAfter(setup, [])), names: {} })}
        />
      </div>
      <div class="centre">
        <div class="banner">
          <span class="banner-who">
            {seat === null ? (
              `Over: ${match.result?.toLowerCase() ?? ""}`
            ) : (
              <>
                <Mark player={seat} size={20} /> {names[seat] ?? seat} to move
              </>
            )}
          </span>
          <span class="banner-turns">
            <span>
              Turn <b>{match.turn}</b> of {match.maxMoves}
            </span>
          </span>
        </div>
        <Board
          key={kind}
          feed={game.feed}
          board={board}
          me={seat}
          legal={legal}
          chosen={input.choice?.tile ?? null}
          premove={rotation?.premove?.tile ?? null}
          premoveTo={rotation?.premove ?? null}
          ghost={pointed === null ? ghostOf(input, seat) : null}
          preview={busy ? null : (hinted ?? input.shown)}
          onPick={input.tile}
          onHover={input.hoverTile}
          onKey={onKey}
          onBusy={setBusy}
          onEvent={soundOf}
        />
      </div>
      <div class="side right">
        <div class="tab-turn shown">
          {seat !== null && (
            <ActionPanel
              state={state}
              board={board}
              seat={seat}
              input={input}
              sending={false}
              problem={null}
              onPlay={() => input.command !== null && play(input.command)}
            />
          )}
          {seat !== null && (
            <HintPanel
              mover={seat}
              hints={found?.node === node.id ? found.hints : null}
              players={match.players}
              bots={bots}
              onBots={setBots}
              onAsk={() => setFound({ node: node.id, hints: hints(match) })}
              onPoint={setPointed}
              onPlay={play}
            />
          )}
        </div>
        <div class="tab-moves shown">
          <MoveTree
            tree={tree}
            onGo={(id) => setTree(goTo(tree, id))}
            onStep={step}
            onCut={() => setTree(without(tree))}
          />
        </div>
      </div>
      <div class="sr-only" role="status">
        {polite.value}
      </div>
    </main>
  );
}

/** Long enough that one sees whose turn it is. */
const BOT_WAITS_MS = 450;

interface HintProps {
  players: readonly PlayerId[];
  /** Seats that the house plays. */
  bots: ReadonlySet<PlayerId>;
  onBots: (bots: ReadonlySet<PlayerId>) => void;
  mover: PlayerId;
  hints: readonly Hint[] | null;
  onAsk: () => void;
  onPoint: (command: string | null) => void;
  onPlay: (command: string) => void;
}

function HintPanel({ players, bots, onBots, mover, hints: found, onAsk, onPoint, onPlay }: HintProps) {
  const change = (player: PlayerId, on: boolean) => {
    const next = new Set(bots);
    if (on) next.add(player);
    else next.delete(player);
    onBots(next);
  };
  return (
    <section class="panel hints" aria-label="Hints">
      <header class="history-head">
        <h2>Hints</h2>
        <button type="button" class="button small" onClick={onAsk} disabled={found !== null}>
          {found === null ? `What would ${mover} do?` : "Two turns deep"}
        </button>
      </header>
      {players.length > 1 && (
        <fieldset class="bot-seats">
          <legend>The house plays</legend>
          {players.map((player) => (
            <label key={player}>
              <input
                type="checkbox"
                checked={bots.has(player)}
                onChange={(event) => change(player, event.currentTarget.checked)}
              />
              <Mark player={player} size={16} /> {player}
            </label>
          ))}
        </fieldset>
      )}
      {found && (
        <ol>
          {found.map(({ command, value }) => (
            <li key={command}>
              <button
                type="button"
                class="hint"
                onClick={() => onPlay(command)}
                onPointerEnter={(event) => event.pointerType === "mouse" && onPoint(command)}
                onPointerLeave={() => onPoint(null)}
                onFocus={() => onPoint(command)}
                onBlur={() => onPoint(null)}
              >
                <code>{command}</code>
                <b title="Points ahead, the best answer taken off">
                  {value > 0 ? `+${value}` : `${value}`.replace("-", "−")}
                </b>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
