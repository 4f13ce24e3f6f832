import { checkCommand, type Refusal } from "./legal.ts";
import { createMatch, Match, positionInside } from "./match.ts";
import { refusalMessage } from "./messages.ts";
import { ACTIVE, clonePosition, type Position } from "./position.ts";
import { Recorder } from "./recorder.ts";
import { decodeMove } from "./search.ts";
import { cleanText, makeCommand, parseForm } from "./text.ts";
import { endTurn, finish, goOut, LOST_TURNS, OVER, PLAYING, playTurn, REFUSALS_PER_TURN } from "./turn.ts";
import type { Action, MatchEvent, MatchSetup, RefusalCode, Result } from "./types.ts";

export type Step =
  /** `command` is the canonical form after a command, null after every other action. */
  | {
      readonly ok: true;
      readonly match: Match;
      readonly events: readonly MatchEvent[];
      readonly command: string | null;
    }
  /** `counted`: R8.1; otherwise `match` is the very object that was given and `events` is empty. */
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      readonly message: string;
      readonly counted: boolean;
      readonly match: Match;
      readonly events: readonly MatchEvent[];
    };

/**
 * What the action makes of the match; the given match is never changed. Refusals beyond R4.5: a second start is
 * `wrong_phase` (`match_over` at the end), going out before the start `match_not_started`, a time-out of a player
 * who is not to move `not_your_turn`, anything of a player who is not in the match `player_out`.
 */
export function step(match: Match, action: Action): Step {
  switch (action.type) {
    case "start":
      return start(match);
    case "command":
      return command(match, action);
    case "out":
      return out(match, action);
    case "abandon":
      return abandon(match);
  }
}

/** The match after all these actions, counted refusals and all (R11.1). */
export function replay(setup: MatchSetup, actions: Iterable<Action>): Result<Match, "bad_options" | "bad_seed"> {
  const created = createMatch(setup);
  if (!created.ok) return created;
  let match = created.value;
  for (const action of actions) match = step(match, action).match;
  return { ok: true, value: match };
}

function start(match: Match): Step {
  const before = positionInside(match);
  if (before.phase === OVER) return ignored(match, "match_over");
  if (before.phase === PLAYING) return ignored(match, "wrong_phase");
  const { position, recorder } = begin(match);
  position.phase = PLAYING;
  recorder.started(position.current);
  return done(match, position, recorder, null);
}

function out(match: Match, action: Action & { type: "out" }): Step {
  const before = positionInside(match);
  const player = match.players.indexOf(action.player);
  if (match.phase === "waiting") return ignored(match, "match_not_started");
  if (before.phase === OVER) return ignored(match, "match_over");
  if (player < 0 || before.status[player] !== ACTIVE) return ignored(match, "player_out");
  if (action.reason === "TIMEOUT" && before.current !== player) return ignored(match, "not_your_turn"); // R9.2
  const { position, recorder } = begin(match);
  goOut(position, player, action.reason, recorder);
  return done(match, position, recorder, null);
}

function abandon(match: Match): Step {
  if (match.phase === "over") return ignored(match, "match_over");
  const { position, recorder } = begin(match);
  finish(position, "ABANDONED", recorder);
  return done(match, position, recorder, null);
}

function command(match: Match, action: Action & { type: "command" }): Step {
  const before = positionInside(match);
  const player = match.players.indexOf(action.player);
  const early = earlyRefusal(before, player, action.turn);
  if (early !== null) return ignored(match, early);
  const raw = parseForm(action.command);
  if (raw === null) return refused(match, player, action.command, { code: "syntax", tile: "" });
  const checked = checkCommand(before, raw);
  if (!checked.ok) return refused(match, player, action.command, checked.refusal);
  const { position, recorder } = begin(match);
  const canonical = makeCommand(decodeMove(position, checked.move));
  recorder.line(position, player, canonical);
  playTurn(position, checked.move, recorder);
  return done(match, position, recorder, canonical);
}

/** R4.5 up to `not_your_turn`: answers that change nothing (R8.1). */
function earlyRefusal(position: Position, player: number, turn: number | undefined): RefusalCode | null {
  if (position.phase < PLAYING) return "match_not_started";
  if (player >= 0 && turn !== undefined && position.lateTurn[player] === turn) return "too_late";
  if (position.phase === OVER) return "match_over";
  if (player < 0 || position.status[player] !== ACTIVE) return "player_out";
  if (turn !== undefined && turn !== position.turn) return "stale_turn";
  if (position.current !== player) return "not_your_turn";
  return null;
}

/** A refusal that counts: R8.2 or R8.3. */
function refused(match: Match, player: number, text: string, refusal: Refusal): Step {
  const message = refusalMessage(positionInside(match), player, refusal);
  const { position, recorder } = begin(match);
  position.refusals += 1;
  recorder.refused(player, refusal.code, position.refusals);
  const retry = position.invalid === "retry";
  if (!retry || position.refusals >= REFUSALS_PER_TURN) {
    recorder.turnLost(position, player, cleanText(text));
    if (retry) position.lostTurns[player]! += 1;
    endTurn(position, recorder);
    if (position.phase === PLAYING && position.lostTurns[player]! >= LOST_TURNS) {
      goOut(position, player, "FORFEITED", recorder);
    }
  }
  const { match: next, events } = done(match, position, recorder, null);
  return { ok: false, code: refusal.code, message, counted: true, match: next, events };
}

function ignored(match: Match, code: RefusalCode): Step {
  const message = refusalMessage(positionInside(match), -1, { code, tile: "" });
  return { ok: false, code, message, counted: false, match, events: [] };
}

function begin(match: Match): { position: Position; recorder: Recorder } {
  const position = clonePosition(positionInside(match));
  return { position, recorder: new Recorder(position.geometry) };
}

function done(match: Match, position: Position, recorder: Recorder, command: string | null): Step & { ok: true } {
  const history = recorder.lines.length === 0 ? match.history : [...match.history, ...recorder.lines];
  const next = new Match(position, match.seed, match.options, history);
  return { ok: true, match: next, events: recorder.events, command };
}
