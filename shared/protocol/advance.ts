/**
 * The state after one broadcast event, from the state before it: how a client follows a match
 * without asking again. `advance(view(n), message(n+1))` equals `view(n+1)`; a test holds it to that.
 */
import type {
  BasePlace,
  MatchEvent,
  MouseId,
  MouseState,
  PlayerId,
  Quarter,
  Stock,
  TileLabel,
} from "../engine/index.ts";
import { gearState, makeTileState, parseTileState, type TileState } from "./encoding.ts";
import type { EventMessage, PresenceMessage } from "./messages.ts";
import type { NativeState, Viewer } from "./state.ts";

/** Follows `message`, whose version must be the state's own plus one (or, for type `over`, the state's own). */
export function advance(state: NativeState, message: EventMessage, viewer: Viewer): NativeState {
  const draft = open(state);
  for (const event of message.events) apply(draft, event);
  const { meta, status, scoring, data } = state;
  const rescued = count(state, (p) => draft.escaped[p] ?? 0);
  const inventories = count(state, (p) => draft.stock[p] ?? NO_STOCK);
  const over = message.phase === "over";
  const final = message.final;
  return {
    meta: {
      ...meta,
      turn: message.turn,
      turns_left: Math.max(0, meta.max_moves - message.turn),
      current_player: message.current_player,
      phase: message.phase,
      deadline_ms: message.deadline_ms,
      server_time_ms: message.server_time_ms,
      version: message.version,
      ...(final ? { seed: final.seed } : {}),
    },
    status: {
      ...status,
      game_over: over,
      result: draft.result,
      players: count(state, (p) => {
        const known = message.players?.[p] ?? status.players[p];
        return known && { ...known, status: draft.out[p] ?? known.status };
      }),
      mice_rescued: rescued,
      completion_percent: count(state, (p) => (100 * (rescued[p] ?? 0)) / status.total_mice_per_player),
      ...(final ? { places: final.places, winner: final.winner } : {}),
    },
    scoring: {
      ...scoring,
      scores: message.scores,
      raw_points: message.scores,
      tokens_used: message.tokens_used ?? scoring.tokens_used,
      thinking_tokens: message.thinking_tokens ?? scoring.thinking_tokens,
      ...(final ? { benchmark_score: final.benchmark_score } : {}),
      ...(final?.team_efficiency ? { team_efficiency: final.team_efficiency } : {}),
    },
    data: {
      ...data,
      inventory: inventories[viewer ?? message.current_player ?? "P1"] ?? NO_STOCK,
      inventories,
      mice: draft.mice,
      board_encoding: close(draft),
      gear_owners: ordered(draft),
      history: message.history.length === 0 ? data.history : [...data.history, ...message.history],
      refusals_this_turn: message.refusals_this_turn,
      lost_turns: message.lost_turns,
    },
  };
}

/** The state with connections, spectators and the deadline as they now are. */
export function withPresence(state: NativeState, presence: PresenceMessage): NativeState {
  const players = count(state, (p) => {
    const known = state.status.players[p];
    return known && { ...known, connected: presence.connected.includes(p) };
  });
  return {
    ...state,
    meta: { ...state.meta, deadline_ms: presence.deadline_ms, server_time_ms: presence.server_time_ms },
    status: { ...state.status, players, spectators: presence.spectators },
  };
}

const NO_STOCK: Stock = { G1: 0, G2: 0, G3: 0, G4: 0 };

type Per<T> = Partial<Record<PlayerId, T>>;

interface Draft {
  readonly board: Map<TileLabel, TileState>;
  owners: Record<TileLabel, PlayerId>;
  readonly mice: Record<MouseId, MouseState>;
  readonly escaped: Per<number>;
  readonly stock: Per<Stock>;
  readonly out: Per<"TIMEOUT" | "RESIGNED" | "FORFEITED">;
  result: NativeState["status"]["result"];
}

function open(state: NativeState): Draft {
  const board = new Map<TileLabel, TileState>();
  for (const [tile, text] of Object.entries(state.data.board_encoding)) {
    const read = parseTileState(text);
    if (read === null) throw new TypeError(`no board encoding: ${text.slice(0, 40)}`);
    board.set(tile as TileLabel, read);
  }
  return {
    board,
    owners: { ...state.data.gear_owners },
    mice: { ...state.data.mice },
    escaped: { ...state.status.mice_rescued },
    stock: { ...state.data.inventories },
    out: {},
    result: state.status.result,
  };
}

function close(draft: Draft): Record<TileLabel, string> {
  const encoding: Record<TileLabel, string> = {};
  for (const [tile, state] of draft.board) encoding[tile] = makeTileState(state);
  return encoding;
}

/** Owners in the order of the board. */
function ordered(draft: Draft): Record<TileLabel, PlayerId> {
  const owners: Record<TileLabel, PlayerId> = {};
  for (const tile of draft.board.keys()) {
    const owner = draft.owners[tile];
    if (owner) owners[tile] = owner;
  }
  return owners;
}

function count<T>(state: NativeState, value: (player: PlayerId) => T | undefined): Per<T> {
  const all: Per<T> = {};
  for (const player of Object.keys(state.status.players) as PlayerId[]) {
    const found = value(player);
    if (found !== undefined) all[player] = found;
  }
  return all;
}

type GearTile = Extract<TileState, { type: "gear" }>;

function gearAt(draft: Draft, tile: TileLabel): GearTile {
  const state = draft.board.get(tile);
  if (state?.type !== "gear") throw new TypeError(`no gear at ${tile}`);
  return state;
}

/** Turns a gear to `b`; mice ride on their base (R2.5). */
function orient(draft: Draft, tile: TileLabel, b: Quarter): void {
  const gear = gearAt(draft, tile);
  draft.board.set(tile, { ...gear, b });
  for (const [id, mouse] of Object.entries(draft.mice)) {
    if (mouse.pos === tile && mouse.on_base !== null) {
      draft.mice[id] = { ...mouse, facing: facing(b, mouse.on_base) };
    }
  }
}

function facing(b: number, base: number): Quarter {
  return ((b + base) & 3) as Quarter;
}

function take(draft: Draft, { tile, base }: BasePlace, taken: boolean): void {
  const gear = gearAt(draft, tile);
  draft.board.set(tile, { ...gear, taken: gear.taken.map((t, k) => (k === base ? taken : t)) });
}

function sit(draft: Draft, id: MouseId, place: BasePlace): void {
  const mouse = draft.mice[id];
  if (mouse === undefined) throw new TypeError(`no mouse ${id}`);
  take(draft, place, true);
  draft.mice[id] = { ...mouse, ...coordinates(draft, place.tile), ...seatOn(draft, place), status: "IN_PLAY" };
}

function seatOn(draft: Draft, { tile, base }: BasePlace) {
  return { on_base: base, facing: facing(gearAt(draft, tile).b, base) };
}

function coordinates(draft: Draft, tile: TileLabel) {
  const index = [...draft.board.keys()].indexOf(tile);
  const width = boardWidth(draft);
  return { pos: tile, x: (index % width) + 1, y: Math.floor(index / width) + 1 };
}

/** Boards are square (R12). */
function boardWidth(draft: Draft): number {
  return Math.sqrt(draft.board.size);
}

function apply(draft: Draft, event: MatchEvent): void {
  switch (event.type) {
    case "started":
    case "refused":
    case "turn_lost":
      return;
    case "placed": {
      const free = draft.board.get(event.tile);
      if (free?.type !== "free") throw new TypeError(`${event.tile} is not free`);
      draft.board.set(event.tile, gearState(event.tile, free.turns, event.gear, event.b));
      draft.owners[event.tile] = event.player;
      const stock = draft.stock[event.player] ?? NO_STOCK;
      draft.stock[event.player] = { ...stock, [event.gear]: stock[event.gear] - 1 };
      return;
    }
    case "premoved":
      orient(draft, event.tile, event.to);
      return;
    case "turned":
      for (const gear of event.gears) orient(draft, gear.tile, gear.to);
      return;
    case "entered":
      sit(draft, event.mouse, event);
      return;
    case "jumped":
      take(draft, event.from, false);
      sit(draft, event.mouse, event.to);
      return;
    case "escaped": {
      take(draft, event.from, false);
      const mouse = draft.mice[event.mouse];
      if (mouse === undefined || mouse.owner === null) throw new TypeError(`no mouse ${event.mouse}`);
      draft.escaped[mouse.owner] = (draft.escaped[mouse.owner] ?? 0) + 1;
      draft.mice[event.mouse] = {
        ...mouse,
        pos: "OUT",
        x: null,
        y: null,
        on_base: null,
        facing: null,
        status: "ESCAPED",
      };
      return;
    }
    case "entropy":
      shuffle(draft, event.moves);
      return;
    case "orb": {
      const place = { tile: event.tile, base: event.base };
      take(draft, place, true);
      draft.mice[event.mouse] = {
        owner: null,
        ...coordinates(draft, event.tile),
        ...seatOn(draft, place),
        status: "IN_PLAY",
        is_decoy: true,
        is_locked: false,
      };
      return;
    }
    case "locked": {
      const mouse = draft.mice[event.mouse];
      if (mouse) draft.mice[event.mouse] = { ...mouse, is_locked: true };
      return;
    }
    case "out":
      draft.out[event.player] = event.reason;
      draft.stock[event.player] = NO_STOCK;
      return;
    case "over":
      draft.result = event.result;
      return;
  }
}

/** R7.1: gears change tiles, their mice stay on them. */
function shuffle(draft: Draft, moves: Extract<MatchEvent, { type: "entropy" }>["moves"]): void {
  const before = new Map(moves.map((m) => [m.from, { gear: gearAt(draft, m.from), owner: draft.owners[m.from] }]));
  const riders = Object.entries(draft.mice).filter(([, m]) => before.has(m.pos as TileLabel));
  for (const { from, to, b } of moves) {
    const moved = before.get(from);
    if (moved === undefined) throw new TypeError(`no gear at ${from}`);
    const target = gearAt(draft, to);
    draft.board.set(to, { ...moved.gear, tile: to, turns: target.turns, b });
    if (moved.owner) draft.owners[to] = moved.owner;
    for (const [id, mouse] of riders) {
      if (mouse.pos !== from || mouse.on_base === null) continue;
      draft.mice[id] = { ...mouse, ...coordinates(draft, to), facing: facing(b, mouse.on_base) };
    }
  }
}
