/** What a viewer may see of a match: one pure function that builds from nothing (PROTOCOL 3). */
import {
  board,
  escaped,
  gearOwners,
  inventories,
  mice,
  micePerPlayer,
  type PerPlayer,
  type PlayerId,
  type Stock,
  scores,
  standings,
  tiles,
} from "../engine/index.ts";
import type { LiveMatch } from "./match.ts";
import type { NativeState, PlayerInfo, Viewer } from "./state.ts";

/** What the holder adds to a match when somebody looks: clocks and connections. */
export interface Surroundings {
  /** Unix milliseconds. */
  readonly now: number;
  /** Unix milliseconds at which the mover is out; null without a running clock. */
  readonly deadline: number | null;
  readonly connected: ReadonlySet<PlayerId>;
  readonly spectators: number;
}

const NO_STOCK: Stock = { G1: 0, G2: 0, G3: 0, G4: 0 };

/** The native state of `match` as `viewer` may see it. */
export function view(match: LiveMatch, viewer: Viewer, around: Surroundings): NativeState {
  const { engine } = match;
  const over = engine.phase === "over";
  const stocks = inventories(engine);
  const points = scores(engine);
  const table = standings(engine, { kind: match.kind, tokens: each(match, (p) => match.tokens[p]?.total ?? 0) });
  const encodings = board(engine);
  return {
    meta: {
      match_id: match.id,
      room_code: match.code,
      rules: 1,
      format: engine.format,
      kind: match.kind,
      level_id: String(engine.level),
      dimensions: `${engine.width}x${engine.height}`,
      turn: engine.turn,
      max_moves: engine.maxMoves,
      turns_left: Math.max(0, engine.maxMoves - engine.turn),
      ...(engine.idealMoves === null ? {} : { ideal_moves: engine.idealMoves }),
      current_player: engine.currentPlayer,
      phase: engine.phase,
      deadline_ms: around.deadline,
      server_time_ms: around.now,
      seed_commitment: match.commitment,
      ...(over ? { seed: engine.seed } : {}),
      live_game_id: match.id,
      version: match.version,
      options: {
        invalid: match.options.invalid,
        orb: match.options.orb,
        entropy: match.options.entropy,
        turn_seconds: match.options.turn_seconds,
        legal_list: match.options.legal_list,
        private: match.options.private,
      },
    },
    status: {
      game_over: over,
      result: engine.result,
      players: Object.fromEntries(
        match.seats.map((s): [PlayerId, PlayerInfo] => [
          s.seat,
          {
            kind: s.occupant ?? s.kind,
            name: s.name,
            brain: s.brain,
            model: s.model,
            status: engine.statuses[s.seat] ?? "ACTIVE",
            connected: around.connected.has(s.seat),
            taken: s.taken,
          },
        ]),
      ),
      mice_rescued: escaped(engine),
      total_mice_per_player: micePerPlayer(engine),
      completion_percent: table.rescued,
      places: table.places,
      winner: table.winner,
      spectators: around.spectators,
    },
    scoring: {
      scores: points,
      raw_points: points,
      benchmark_score: each(match, (p) => (over ? (table.efficiency[p] ?? 0) : 0)),
      ...(engine.format === "2v2" ? { team_efficiency: (over && table.team_efficiency) || { A: 0, B: 0 } } : {}),
      tokens_used: each(match, (p) => match.tokens[p]?.total ?? 0),
      thinking_tokens: each(match, (p) => match.tokens[p]?.thinking ?? 0),
    },
    data: {
      inventory: stocks[viewer ?? engine.currentPlayer ?? "P1"] ?? NO_STOCK,
      inventories: stocks,
      mice: mice(engine),
      board_encoding: Object.fromEntries(tiles(engine).map((t, i) => [t, encodings[i] ?? ""])),
      gear_owners: gearOwners(engine),
      history: engine.history,
      last_reasoning: viewer === null ? "" : (match.reasoning[viewer] ?? ""),
      refusals_this_turn: engine.refusalsThisTurn,
      lost_turns: engine.lostTurns,
    },
  };
}

function each<T>(match: LiveMatch, value: (player: PlayerId) => T): PerPlayer<T> {
  return Object.fromEntries(match.engine.players.map((p) => [p, value(p)])) as PerPlayer<T>;
}
