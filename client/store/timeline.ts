/**
 * A match as it was at every turn, for looking back: what this page saw, and what the record tells of the time before.
 * Replaying is no way there, since the seed stays with the server until the end (R11.2). Pure functions over one value.
 */
import type { MatchEvent, PerPlayer, PlayerId, Stock, TileLabel } from "../../shared/engine/types.ts";
import { advance } from "../../shared/protocol/advance.ts";
import { parseTileState } from "../../shared/protocol/encoding.ts";
import type { EventMessage } from "../../shared/protocol/messages.ts";
import type { NativeState } from "../../shared/protocol/state.ts";

/** The match when the turn counter (R5.7) stood at some number. */
export interface Frame {
  /** The last state with this counter. */
  readonly state: NativeState;
  /** What led here from the frame before, in order. */
  readonly events: readonly MatchEvent[];
  readonly player: PlayerId | null;
  /** Null where a turn was lost, and in frame 0. */
  readonly command: string | null;
  /** What the mover said of it, where it may be shown. */
  readonly reasoning: string | null;
}

/** By turn counter. */
export type Frames = ReadonlyMap<number, Frame>;

/** The frames after a change that this page saw; `message` null: the state came as a whole. */
export function withState(frames: Frames, state: NativeState, message: EventMessage | null): Frames {
  const { turn, phase } = state.meta;
  if (phase === "waiting") return frames;
  const old = frames.get(turn);
  const own = message?.type === "turn" || message?.type === "refused" ? message : null;
  return new Map(frames).set(turn, {
    state,
    events: [...(old?.events ?? []), ...(message?.events ?? [])],
    player: own?.player ?? old?.player ?? null,
    command: own?.command ?? old?.command ?? null,
    reasoning: old?.reasoning ?? null,
  });
}

/** Whether every turn up to `turn` has its frame. */
export function isWhole(frames: Frames, turn: number): boolean {
  for (let t = 0; t <= turn; t++) if (!frames.has(t)) return false;
  return true;
}

/** Frames of the record, with the states of those that this page saw itself. */
export function merged(recorded: Frames, seen: Frames): Frames {
  const all = new Map(recorded);
  for (const [turn, frame] of seen) {
    const told = recorded.get(turn);
    all.set(turn, {
      state: frame.state,
      events: told?.events ?? frame.events,
      player: told?.player ?? frame.player,
      command: told?.command ?? frame.command,
      reasoning: told?.reasoning ?? frame.reasoning,
    });
  }
  return all;
}

/** The parts of `core` (PROTOCOL 3) that the board before the first move is made of. */
interface StartCore {
  readonly board: string;
  readonly gear_owners: Readonly<Record<TileLabel, PlayerId>>;
  readonly mice: NativeState["data"]["mice"];
  readonly inventories: PerPlayer<Stock>;
  readonly scores: PerPlayer<number>;
}

interface RecordLine {
  readonly type: string;
  readonly version: number;
  readonly at_ms: number;
  readonly player?: PlayerId;
  readonly command?: string;
  readonly reasoning?: string;
  readonly events: readonly MatchEvent[];
}

/**
 * The frames of a record, whole or partial (PROTOCOL 10), of the match of which `like` is a state: names, limits and
 * history come from there. Throws when the text is no record.
 */
export function framesOfRecord(text: string, like: NativeState): Frames {
  const [header, ...rest] = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordLine & { state: StartCore });
  if (header?.type !== "header") throw new TypeError("a record begins with its header");
  let state = opening(like, header.state);
  let frames: Frames = new Map();
  for (const line of rest) {
    if (line.type === "result") break;
    const message = messageOf(state, line);
    state = withHistory(advance(state, message, null), like.data.history);
    frames = withState(frames, state, message);
    const frame = frames.get(state.meta.turn);
    if (frame && line.reasoning) {
      frames = new Map(frames).set(state.meta.turn, { ...frame, reasoning: line.reasoning });
    }
  }
  return frames;
}

function opening(like: NativeState, core: StartCore): NativeState {
  const { meta, status, scoring, data } = like;
  const nobody = Object.fromEntries(Object.keys(status.players).map((p) => [p, 0])) as PerPlayer<number>;
  const players = Object.fromEntries(
    Object.entries(status.players).map(([p, info]) => [p, { ...info, status: "ACTIVE" as const }]),
  );
  const { seed: _, ...open } = meta;
  return {
    meta: { ...open, turn: 0, turns_left: meta.max_moves, current_player: null, phase: "waiting", deadline_ms: null },
    status: {
      ...status,
      game_over: false,
      result: null,
      players,
      mice_rescued: nobody,
      completion_percent: nobody,
      places: {},
      winner: [],
    },
    scoring: { ...scoring, scores: core.scores, raw_points: core.scores, benchmark_score: nobody },
    data: {
      ...data,
      inventories: core.inventories,
      mice: core.mice,
      board_encoding: boardOf(core.board, Object.keys(data.board_encoding) as TileLabel[]),
      gear_owners: core.gear_owners,
      history: [],
      last_reasoning: "",
      refusals_this_turn: 0,
      lost_turns: nobody,
    },
  };
}

function boardOf(board: string, labels: readonly TileLabel[]): Record<TileLabel, string> {
  const texts = board.split(" ");
  if (texts.length !== labels.length) throw new TypeError("the board of the record is of another size");
  const all: Record<TileLabel, string> = {};
  labels.forEach((label, i) => {
    const text = texts[i] ?? "";
    if (parseTileState(text) === null) throw new TypeError(`no board encoding: ${text.slice(0, 40)}`);
    all[label] = text;
  });
  return all;
}

/** The broadcast that this line of the record was. */
function messageOf(before: NativeState, line: RecordLine): EventMessage {
  const { events } = line;
  const has = (type: MatchEvent["type"]) => events.some((e) => e.type === type);
  const plays = line.type === "turn" || has("turn_lost");
  const over = has("over");
  const gone = new Set(events.flatMap((e) => (e.type === "out" ? [e.player] : [])));
  const scores: Partial<Record<PlayerId, number>> = { ...before.scoring.scores };
  for (const event of events) {
    if (event.type !== "jumped" && event.type !== "escaped") continue;
    const owner = before.data.mice[event.mouse]?.owner;
    if (owner) scores[owner] = (scores[owner] ?? 0) + event.points;
  }
  const mover = before.meta.current_player;
  const passes = plays || (mover !== null && gone.has(mover));
  return {
    version: line.version,
    type: line.type === "start" || line.type === "turn" || line.type === "refused" ? line.type : "out",
    ...(line.player ? { player: line.player } : {}),
    ...(line.type === "turn" && line.command ? { command: line.command } : {}),
    events,
    turn: before.meta.turn + (plays ? 1 : 0),
    phase: over ? "over" : "playing",
    current_player: over ? null : mover === null || passes ? nextPlayer(before, mover, gone) : mover,
    scores,
    deadline_ms: null,
    server_time_ms: line.at_ms,
    refusals_this_turn: 0,
    lost_turns: before.data.lost_turns,
    history: [],
  };
}

/** R9.1: the next one still in; the first one at the start. */
function nextPlayer(state: NativeState, mover: PlayerId | null, gone: ReadonlySet<PlayerId>): PlayerId | null {
  const players = Object.keys(state.status.players) as PlayerId[];
  const from = mover === null ? -1 : players.indexOf(mover);
  for (let i = 1; i <= players.length; i++) {
    const player = players[(from + i) % players.length];
    if (player && state.status.players[player]?.status === "ACTIVE" && !gone.has(player)) return player;
  }
  return null;
}

const LINE = /^Turn (\d+) (\[P[1-4]\]: \[(?:TIMEOUT|RESIGNED|FORFEITED)\]$)?/;

/** The turn counter at which each line (R13.2) came: going out is no turn (R9.3), entropy is of the turn before it. */
export function turnsOf(history: readonly string[]): number[] {
  let turn = 0;
  return history.map((line) => {
    const found = LINE.exec(line);
    if (found) turn = Number(found[1]) - (found[2] === undefined ? 0 : 1);
    return turn;
  });
}

function withHistory(state: NativeState, whole: readonly string[]): NativeState {
  const end = turnsOf(whole).findIndex((turn) => turn > state.meta.turn);
  return { ...state, data: { ...state.data, history: end < 0 ? whole : whole.slice(0, end) } };
}
