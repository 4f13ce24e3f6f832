/** A whole match between brains in one process, without a room: for tests and benchmarks. */
import { defaultOptions, type Format, type Match, type PlayerId, standings, step } from "../shared/engine/index.ts";
import type { MatchId, RoomCode } from "../shared/protocol/ids.ts";
import { type LiveMatch, openMatch } from "../shared/protocol/match.ts";
import type { NativeState } from "../shared/protocol/state.ts";
import { view } from "../shared/protocol/view.ts";
import type { Brain, Choice } from "./brains/brain.ts";

export interface LocalMatch {
  readonly format: Format;
  readonly level: number;
  readonly seed: string;
  /** The brain of each player, P1 first. */
  readonly brains: readonly Brain[];
  /** Told after every choice, with what was seen and how long it took. */
  readonly onChoice?: (view: NativeState, seat: PlayerId, choice: Choice, tookMs: number) => void;
}

/** The match at its end. Throws when a brain's command is refused: a brain knows the rules. */
export async function playLocally(local: LocalMatch): Promise<Match> {
  const frame = openLocal(local);
  let engine = accepted(step(frame.engine, { type: "start" }));
  while (engine.currentPlayer !== null) {
    const seat = engine.currentPlayer;
    const seen = view({ ...frame, engine }, seat, NOBODY);
    const brain = local.brains[engine.players.indexOf(seat)];
    if (brain === undefined) throw new Error(`no brain for ${seat}`);
    const before = performance.now();
    const choice = await brain.choose(seen, seat, { remainingMs: Number.POSITIVE_INFINITY });
    local.onChoice?.(seen, seat, choice, performance.now() - before);
    engine = accepted(step(engine, { type: "command", player: seat, command: choice.command, turn: engine.turn }));
  }
  return engine;
}

/** The efficiency of each player's side at the end (R10.3, R10.4), P1 first. */
export function efficiencies(match: Match): number[] {
  const table = standings(match, { kind: "casual", tokens: {} });
  return match.players.map((p) => table.efficiency[p] ?? 0);
}

/** What a seat sees of an engine match that has no room. */
export function viewLocally(engine: Match, seat: PlayerId): NativeState {
  return view({ ...openLocal(engine), engine }, seat, NOBODY);
}

const NOBODY = { now: 0, deadline: null, connected: new Set<PlayerId>(), spectators: 0 };

function openLocal({ format, level, seed }: Pick<LocalMatch, "format" | "level" | "seed">): LiveMatch {
  return openMatch({
    type: "created",
    at_ms: 0,
    match_id: "00000000-0000-7000-8000-000000000000" as MatchId,
    room_code: "" as RoomCode,
    rules: 1,
    format,
    level,
    kind: "casual",
    seed,
    options: {
      ...defaultOptions(format),
      turn_seconds: null,
      legal_list: true,
      private: true,
    },
    seats: [],
    host: null,
    preset: null,
    rematch_of: null,
  });
}

function accepted(result: ReturnType<typeof step>): Match {
  if (result.ok) return result.match;
  throw new Error(`${result.code}: ${result.message}`);
}
