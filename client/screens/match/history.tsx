/** The moves so far, newest first: each can be looked back at, by click and by key. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { PlayerId } from "../../../shared/engine/types.ts";
import { describeEvents } from "../../dom/describe.ts";
import type { Lookback } from "../../store/lookback.ts";
import { type Frame, type Frames, turnsOf } from "../../store/timeline.ts";
import { Icon, Mark } from "../../ui/icons.tsx";
import { StepButtons } from "./lookbar.tsx";

export interface HistoryLine {
  readonly key: number;
  readonly turn: number | null;
  readonly player: PlayerId | null;
  readonly text: string;
  readonly kind: "move" | "event" | "lost" | "out";
}

const LINE = /^Turn (\d+) (?:\[(P[1-4])\]: )?(.*)$/s;

/** Reads the lines of R13.2. */
export function historyLines(history: readonly string[]): HistoryLine[] {
  return history.map((line, key) => {
    const found = LINE.exec(line);
    const text = (found?.[3] ?? line).replace(/^\[EVENT\] /, "");
    const player = (found?.[2] ?? null) as PlayerId | null;
    const kind = text.startsWith("[ERROR]")
      ? "lost"
      : player === null
        ? "event"
        : /^\[(TIMEOUT|RESIGNED|FORFEITED)\]$/.test(text)
          ? "out"
          : "move";
    return { key, turn: found ? Number(found[1]) : null, player, text, kind };
  });
}

interface HistoryProps {
  history: readonly string[];
  frames: Frames;
  back: Lookback;
  /** The turn counter of the match as it is now. */
  turn: number;
}

/** Up is newer, as the list has it. */
const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };

export function History({ history, frames, back, turn }: HistoryProps) {
  const list = useRef<HTMLOListElement>(null);
  const lines = historyLines(history);
  const turns = turnsOf(history);
  const shown = back.at.value ?? turn;
  const held = useRef(false);
  const rows = useMemo(() => new Rows(), [back]);

  // The line of the turn that is shown stays in view, and takes the focus along when the list has it.
  const scrolled = useRef(false);
  useEffect(() => {
    // The newest turn stands on top: nothing to be measured while the list rests there.
    if (shown === turn && !held.current && !scrolled.current) return;
    const line = list.current?.querySelector<HTMLElement>('[aria-current="step"]');
    if (!line || !list.current) return;
    if (held.current) line.focus({ preventScroll: true });
    const [box, row] = [list.current.getBoundingClientRect(), line.getBoundingClientRect()];
    if (row.top < box.top) list.current.scrollTop += row.top - box.top - 4;
    else if (row.bottom > box.bottom) list.current.scrollTop += row.bottom - box.bottom + 4;
  }, [shown, lines.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = STEPS[event.key];
    held.current = true;
    if (by !== undefined) void back.step(by);
    else if (event.key === "Home" || event.key === "Escape") void back.go(null);
    else if (event.key === "End") void back.go(0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section class="panel history" aria-label="History">
      <header class="history-head">
        <h2>Moves</h2>
        {lines.length > 0 && <StepButtons back={back} turn={turn} />}
      </header>
      {back.problem.value && <p class="problem">{back.problem.value}</p>}
      {lines.length === 0 ? (
        <p class="note">Nobody has moved yet.</p>
      ) : (
        <ol
          ref={list}
          class="moves"
          aria-label="Moves, newest first"
          onKeyDown={onKeyDown}
          onScroll={(event) => {
            scrolled.current = event.currentTarget.scrollTop > 0;
          }}
          onFocusCapture={() => {
            held.current = true;
          }}
          onFocusOut={() => {
            held.current = false;
          }}
        >
          {lines
            .map((line, i) => {
              const at = turns[i] ?? 0;
              const current = at === shown && (line.kind === "move" || line.kind === "lost");
              return rows.get(line, at, current, frames.get(at), back);
            })
            .reverse()}
          <li>
            <button
              type="button"
              class="move start"
              data-turn={0}
              tabIndex={shown === 0 ? 0 : -1}
              {...(shown === 0 ? { "aria-current": "step" as const } : {})}
              onClick={() => void back.go(0)}
            >
              <span class="move-turn">0</span>
              <span class="move-event">✦</span>
              <span class="move-text">The empty board</span>
            </button>
          </li>
        </ol>
      )}
    </section>
  );
}

/**
 * The rows of the list: the very same node while nothing of a row has changed, so that a turn of a long match costs
 * what is new of it.
 */
class Rows {
  readonly #made = new Map<
    number,
    { readonly current: boolean; readonly frame?: Frame | undefined; node: JSX.Element }
  >();

  get(line: HistoryLine, at: number, current: boolean, frame: Frame | undefined, back: Lookback): JSX.Element {
    const known = this.#made.get(line.key);
    if (known?.current === current && known.frame === frame) return known.node;
    const node = <Row key={line.key} line={line} at={at} current={current} frame={frame} back={back} />;
    this.#made.set(line.key, { current, frame, node });
    return node;
  }
}

interface RowProps {
  line: HistoryLine;
  at: number;
  current: boolean;
  frame: Frame | undefined;
  back: Lookback;
}

function Row({ line, at, current, frame, back }: RowProps) {
  return (
    <li>
      <button
        type="button"
        class={`move ${line.kind}`}
        data-turn={at}
        tabIndex={current ? 0 : -1}
        {...(current ? { "aria-current": "step" as const } : {})}
        onClick={() => void back.go(at)}
      >
        <span class="move-turn">{line.turn ?? ""}</span>
        {line.player ? <Mark player={line.player} size={18} /> : <span class="move-event">✦</span>}
        <span class="move-text">
          {line.kind === "move" ? <code>{line.text}</code> : line.text}
          {line.kind === "move" && frame?.reasoning && (
            <span class="move-thought" role="img" aria-label="with reasoning" title="with reasoning">
              <Icon name="thought" size={15} />
            </span>
          )}
          {line.kind === "move" && <Came text={describeEvents(frame?.events ?? [])} />}
        </span>
      </button>
    </li>
  );
}

function Came({ text }: { text: string }) {
  return text === "" ? null : <small>{text}</small>;
}
