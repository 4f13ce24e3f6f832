/** A match that is played in this page alone, by the same engine and under the same view as one of the server's. */
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { type Match, type MatchEvent, type PlayerId, step } from "../../shared/engine/index.ts";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import { type LiveMatch, openMatch } from "../../shared/protocol/match.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { view } from "../../shared/protocol/view.ts";
import { boardModel } from "../board/model.ts";
import type { BoardFeed } from "../board/view.ts";

/** The native state of a match of this page (PROTOCOL 3), as a spectator sees it. */
export function stateOf(match: Match, names: Readonly<Partial<Record<PlayerId, string>>> = {}): NativeState {
  const { invalid, orb, entropy } = match.options;
  const opened = openMatch({
    type: "created",
    at_ms: 0,
    match_id: "00000000-0000-7000-8000-000000000000" as MatchId,
    room_code: "" as RoomCode,
    rules: 1,
    format: match.format,
    level: match.level,
    kind: "casual",
    seed: match.seed,
    options: { invalid, orb, entropy, turn_seconds: null, legal_list: true, private: true },
    seats: [],
    host: null,
    preset: null,
    rematch_of: null,
  });
  const live: LiveMatch = {
    ...opened,
    engine: match,
    version: match.history.length + 2,
    seats: opened.seats.map((s) => ({ ...s, taken: true, name: names[s.seat] ?? null, occupant: "human" })),
  };
  return view(live, null, { now: 0, deadline: null, connected: new Set(match.players), spectators: 0 });
}

export type Played =
  | { readonly ok: true; readonly events: readonly MatchEvent[]; readonly command: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface LocalGame {
  readonly match: ReadonlySignal<Match>;
  readonly state: ReadonlySignal<NativeState>;
  readonly feed: BoardFeed;
  /** A command of the player to move. */
  play(command: string): Played;
  /** Shows another match at once, or `events` that lead to it. */
  show(match: Match, events?: readonly MatchEvent[] | null): void;
}

export function localGame(first: Match, names: Readonly<Partial<Record<PlayerId, string>>> = {}): LocalGame {
  const match = signal(first);
  const state = signal(stateOf(first, names));
  const listeners = new Set<Parameters<BoardFeed["onChange"]>[0]>();
  const show = (next: Match, events: readonly MatchEvent[] | null = null): void => {
    batch(() => {
      match.value = next;
      state.value = stateOf(next, names);
    });
    for (const listener of listeners) listener(boardModel(state.value), events);
  };
  return {
    match,
    state,
    show,
    play(command) {
      const player = match.value.currentPlayer;
      if (player === null) return { ok: false, code: "match_over", message: "The match is over." };
      const done = step(match.value, { type: "command", player, command });
      if (!done.ok) return { ok: false, code: done.code, message: done.message };
      show(done.match, done.events);
      return { ok: true, events: done.events, command: done.command ?? command };
    },
    feed: {
      current: () => boardModel(state.value),
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}
