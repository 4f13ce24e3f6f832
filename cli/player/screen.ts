/** What a player sees while a match is on: a board that is drawn anew at a terminal, one line a turn elsewhere. */
import type { Choice } from "../../agents/brains/brain.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import type { Refusal } from "../../shared/protocol/codes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { sizeOf, textBoard, textStandings } from "./textBoard.ts";

export interface Screen {
  show(state: NativeState): void;
  chose(choice: Choice, thinkingMs: number): void;
  refused(command: string, refusal: Refusal): void;
  note(text: string): void;
}

export interface ScreenOptions {
  readonly me: PlayerId | null;
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Calls again and again until what it returns is called. */
  readonly every?: (ms: number, then: () => void) => () => void;
}

export const silent: Screen = { show() {}, chose() {}, refused() {}, note() {} };

/** Between two looks at the clock of a turn: at a terminal, and where every look is a line. */
const TICK_MS = 1_000;
const LINE_MS = 60_000;
const NOTES = 3;
const [CLEAR, HOME, REST_OF_LINE, REST] = ["\u001b[2J", "\u001b[H", "\u001b[K", "\u001b[J"];

export function openScreen({ me, write, isTerminal, now = monotonic, every = interval }: ScreenOptions): Screen {
  const startedMs = now();
  let shown: { readonly state: NativeState; readonly atMs: number } | null = null;
  let turnFromMs = startedMs;
  let notes: string[] = [];
  /** They stay until there is something newer to say. */
  let isOld = false;
  let isClear = false;
  let stop = () => {};
  const head = ({ meta }: NativeState) =>
    `${meta.room_code}  ${meta.format} level ${meta.level_id}  turn ${meta.turn}/${meta.max_moves}`;
  const draw = () => {
    if (shown === null) return;
    const { state } = shown;
    const wide = process.stdout.columns ?? 80;
    const board = sizeOf(state.meta.dimensions).width * 8 + 5 <= wide ? textBoard(state, { colour: true }) : [];
    const last = state.data.history.slice(-3);
    const top = `${head(state)}${eta(state, shown.atMs - startedMs)}${clockText(state, shown.atMs)}`;
    const lines = [top, "", ...board, "", ...textStandings(state, me), "", ...last, ...notes];
    // Over what stands there: a screen that is cleared every second flickers.
    write(`${isClear ? "" : CLEAR}${HOME}${lines.map((line) => `${line}${REST_OF_LINE}`).join("\n")}\n${REST}`);
    isClear = true;
  };
  /** Who is to move, for how long, and how long there is. */
  const clockText = ({ meta, status }: NativeState, atMs: number) => {
    const { current_player: mover, deadline_ms, server_time_ms } = meta;
    const thinking = now() - turnFromMs;
    if (status.game_over || mover === null || thinking < TICK_MS) return "";
    const left = deadline_ms === null ? "" : `, ${span(deadline_ms - server_time_ms - (now() - atMs))} left`;
    return `  ${mover} thinks ${span(thinking)}${left}`;
  };
  return {
    show(state) {
      if (shown?.state.meta.version === state.meta.version) return;
      const fresh = shown === null;
      if (shown?.state.meta.turn !== state.meta.turn) turnFromMs = now();
      shown = { state, atMs: now() };
      if (isTerminal) draw();
      else
        write(`${head(state)}${eta(state, now() - startedMs)}${fresh ? "" : `  ${state.data.history.at(-1) ?? ""}`}\n`);
      isOld = true;
      stop();
      if (state.status.game_over) return;
      const { atMs } = shown;
      stop = every(isTerminal ? TICK_MS : LINE_MS, isTerminal ? draw : () => write(`${clockText(state, atMs)}\n`));
    },
    chose({ command, usage }, thinkingMs) {
      const tokens = usage === undefined ? "" : `, ${usage.total} tokens so far`;
      this.note(`plays ${command || "(nothing)"} after ${(thinkingMs / 1_000).toFixed(1)} s${tokens}`);
    },
    refused(command, { code, message }) {
      this.note(`refused ${command || "(nothing)"}: ${code}: ${message}`);
    },
    note(text) {
      if (!isTerminal) return write(`  ${text}\n`);
      notes = [...(isOld ? [] : notes), text].slice(-NOTES);
      isOld = false;
      draw();
    },
  };
}

const monotonic = () => performance.now();

function interval(ms: number, then: () => void): () => void {
  // What is only looked at keeps no program alive.
  const timer = setInterval(then, ms).unref();
  return () => clearInterval(timer);
}

/** How long the rest will take at most, at the pace so far. */
function eta({ meta }: NativeState, passedMs: number): string {
  if (meta.phase !== "playing" || meta.turn < 2) return "";
  return `  at most ${span((passedMs / meta.turn) * meta.turns_left)} to go`;
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
