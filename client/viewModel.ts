/** A read-only look at the match on screen, for end-to-end tests: no pixels, no handles to change anything with. */
import type { NativeState } from "../shared/protocol/state.ts";
import { boardModel } from "./board/model.ts";
import type { Lookback } from "./store/lookback.ts";
import type { Session } from "./store/session.ts";

export interface ViewModel {
  readonly phase: string;
  readonly version: number;
  readonly turn: number;
  readonly current_player: string | null;
  readonly seat: string | null;
  readonly link: string;
  readonly animating: boolean;
  readonly board: readonly string[];
  readonly mice: Readonly<Record<string, readonly [pos: string, base: number | null, status: string]>>;
  readonly scores: Readonly<Record<string, number>>;
  /** What the board shows: the state itself, or that of an earlier turn. */
  readonly shown: { readonly turn: number; readonly live: boolean; readonly board: readonly string[] };
}

declare global {
  interface Window {
    gearmice?: ViewModel | undefined;
    gearmiceAnalysis?: AnalysisView | undefined;
  }
}

/** Puts the view model on the window; returns its unbind. */
export function exposeView(session: Session, back: Lookback, animating: () => boolean): () => void {
  const look = (): ViewModel | undefined => {
    const state = session.state.peek();
    if (state === null) return undefined;
    const shown = back.shown.peek() ?? state;
    return Object.freeze({
      phase: state.meta.phase,
      version: state.meta.version,
      turn: state.meta.turn,
      current_player: state.meta.current_player,
      seat: session.seat.peek(),
      link: session.link.peek(),
      animating: animating(),
      board: encodings(state),
      mice: Object.fromEntries(
        Object.entries(state.data.mice).map(([id, m]) => [id, [m.pos, m.on_base, m.status] as const]),
      ),
      scores: { ...state.scoring.scores } as Record<string, number>,
      shown: { turn: shown.meta.turn, live: back.at.peek() === null, board: encodings(shown) },
    });
  };
  Object.defineProperty(window, "gearmice", { get: look, configurable: true, enumerable: true });
  return () => {
    delete window.gearmice;
  };
}

/** Where the analysis board stands. */
export interface AnalysisView {
  readonly node: number;
  readonly nodes: number;
  readonly turn: number;
  readonly mover: string | null;
}

/** Puts the analysis on the window; returns its unbind. */
export function exposeAnalysis(look: () => AnalysisView): () => void {
  Object.defineProperty(window, "gearmiceAnalysis", { get: look, configurable: true, enumerable: true });
  return () => {
    delete window.gearmiceAnalysis;
  };
}

function encodings(state: NativeState): string[] {
  return [...boardModel(state).tiles.keys()].map((tile) => state.data.board_encoding[tile] ?? "");
}
