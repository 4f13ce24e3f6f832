/** What everybody in a room is told of a stored entry (PROTOCOL 5). Nothing here depends on who looks. */
import { type PlayerId, scores } from "../shared/engine/index.ts";
import type { LogEntry } from "../shared/protocol/log.ts";
import type { Applied, LiveMatch } from "../shared/protocol/match.ts";
import type { EventMessage, EventType } from "../shared/protocol/messages.ts";
import { type Surroundings, view } from "../shared/protocol/view.ts";

/**
 * The messages of one entry: its own, and a second of type `over` with the same version when it ended the match.
 * A refused command is told by player and code alone; its text is in the history where R8.2 puts it there.
 */
export function eventMessages(before: LiveMatch, applied: Applied, around: Surroundings): EventMessage[] {
  const { match, entry, events } = applied;
  const type = eventType(entry);
  if (type === null) return [];
  const { engine } = match;
  const player = playerOf(entry);
  const common = {
    version: match.version,
    turn: engine.turn,
    phase: engine.phase,
    current_player: engine.currentPlayer,
    scores: scores(engine),
    deadline_ms: around.deadline,
    server_time_ms: around.now,
    refusals_this_turn: engine.refusalsThisTurn,
    lost_turns: engine.lostTurns,
  };
  const told = (entry.type === "turn" || entry.type === "refused") && entry.token_usage !== undefined;
  const state = told || type === "seats" || engine.phase === "over" ? view(match, null, around) : null;
  const own: EventMessage = {
    ...common,
    type,
    ...(player === null ? {} : { player }),
    ...(entry.type === "turn" ? { command: entry.command } : {}),
    events,
    history: engine.history.slice(before.engine.history.length),
    ...(told && state
      ? { tokens_used: state.scoring.tokens_used, thinking_tokens: state.scoring.thinking_tokens }
      : {}),
    ...(type === "seats" && state ? { players: state.status.players } : {}),
  };
  if (engine.phase !== "over" || engine.result === null || state === null) return [own];
  const { scoring, status } = state;
  return [
    own,
    {
      ...common,
      type: "over",
      events: [],
      history: [],
      final: {
        result: engine.result,
        places: status.places,
        winner: status.winner,
        benchmark_score: scoring.benchmark_score,
        ...(scoring.team_efficiency ? { team_efficiency: scoring.team_efficiency } : {}),
        seed: engine.seed,
      },
    },
  ];
}

function eventType(entry: LogEntry): EventType | null {
  switch (entry.type) {
    case "created":
      return null;
    case "seat_taken":
    case "seat_left":
      return "seats";
    case "start":
    case "turn":
    case "refused":
    case "out":
    case "abandoned":
    case "closed":
      return entry.type;
  }
}

function playerOf(entry: LogEntry): PlayerId | null {
  switch (entry.type) {
    case "turn":
    case "refused":
    case "out":
      return entry.player;
    case "seat_taken":
    case "seat_left":
      return entry.seat;
    case "created":
    case "start":
    case "abandoned":
    case "closed":
      return null;
  }
}
