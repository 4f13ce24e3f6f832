/** What a model is told in its turn: the state as its seat sees it, and, where that is allowed, why it was refused. */
import {
  type LegalFactors,
  legalFactors,
  type Match,
  type PlayerId,
  restoreMatch,
  step,
} from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { visibleIn } from "../../shared/protocol/visible.ts";

/** Any seed: nothing that it decides is looked at (R11.4). */
const SOME_SEED = "00000000000000000000000000000001";
const HISTORY = 40;
const TILES = 60;

/** The state without what no move depends on: names and texts of others have no business in a prompt. */
export function stateFor({ meta, status, scoring, data }: NativeState, seat: PlayerId): object {
  const { format, kind, level_id, dimensions, turn, max_moves, turns_left, ideal_moves, current_player, phase } = meta;
  const statuses = Object.fromEntries(Object.entries(status.players).map(([p, { status }]) => [p, { status }]));
  const history = data.history.slice(-HISTORY).map((line) => (line.includes(`[${seat}]`) ? line : withoutText(line)));
  return {
    meta: {
      format,
      kind,
      level_id,
      dimensions,
      turn,
      max_moves,
      turns_left,
      ...(ideal_moves === undefined ? {} : { ideal_moves }),
      current_player,
      phase,
      options: { invalid: meta.options.invalid },
    },
    status: {
      players: statuses,
      mice_rescued: status.mice_rescued,
      total_mice_per_player: status.total_mice_per_player,
    },
    scoring: { scores: scoring.scores },
    data: { ...data, history },
  };
}

/** R8.2: of a lost turn of somebody else only that it was lost. */
function withoutText(line: string): string {
  return line.replace(/(\[ERROR\]).*$/, "$1");
}

export function turnText(view: NativeState, seat: PlayerId): string {
  return `You are ${seat} and it is your turn (turn ${view.meta.turn}). The state:\n${JSON.stringify(stateFor(view, seat))}`;
}

export interface Refused {
  readonly code: string;
  readonly message: string;
}

/** What the rules say to the command; null when it is legal. Throws when the view is none of a running match. */
export function refusalOf(view: NativeState, seat: PlayerId, command: string): Refused | null {
  const result = step(matchIn(view), { type: "command", player: seat, command, turn: view.meta.turn });
  return result.ok ? null : { code: result.code, message: result.message };
}

/** What may be played, by its factors (R4.6). */
export function legalText(view: NativeState): string {
  const factors = legalFactors(matchIn(view));
  return factors === null ? "" : textOf(factors);
}

function textOf(factors: LegalFactors): string {
  const named = factors.tiles.slice(0, TILES).join(", ");
  const tiles = factors.tiles.length > TILES ? `${named} and ${factors.tiles.length - TILES} more` : named;
  return factors.stage === "placement"
    ? `Legal now: placements of ${factors.types.join(", ")} on ${tiles}, with any b and +90 or -90.`
    : `Legal now: G@<tile>+90 or -90 for a tile of ${tiles}, with or without a pre-move of a gear on one of these tiles.`;
}

function matchIn(view: NativeState): Match {
  const restored = restoreMatch(visibleIn(view), SOME_SEED);
  if (!restored.ok) throw new Error(restored.message);
  return restored.value;
}
