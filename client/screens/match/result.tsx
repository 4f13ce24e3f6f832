/** How it ended, with the numbers of R10. */
import { useEffect, useState } from "preact/hooks";
import { teamOf } from "../../../shared/engine/levels.ts";
import type { PlayerId } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import type { Session } from "../../store/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon, Mark } from "../../ui/icons.tsx";
import { list, oneDecimal, playerName, plural } from "../../ui/words.ts";

interface ResultProps {
  session: Session;
  state: NativeState;
  seat: PlayerId | null;
  next: string | null;
  asked: boolean;
  problem: string | null;
  canRematch: boolean;
  onRematch: () => void;
  onClose: () => void;
  /** A turn was chosen to look at. */
  onTurn: (turn: number) => void;
}

type Course = typeof import("./course.tsx").CourseOfMatch;

export function ResultDialog(props: ResultProps) {
  const { state, seat, next, asked } = props;
  const { meta, status, scoring } = state;
  const players = (Object.keys(status.players) as PlayerId[]).sort(
    (a, b) => (status.places[a] ?? 9) - (status.places[b] ?? 9),
  );
  const teams = scoring.team_efficiency;
  const solo = meta.format === "solo";
  const [course, setCourse] = useState<{ component: Course } | null>(null);
  useEffect(() => {
    // The numbers stand without it; who looks longer gets the charts as well.
    import("./course.tsx").then((module) => setCourse({ component: module.CourseOfMatch })).catch(() => undefined);
  }, []);
  return (
    <Dialog title={headline(state, seat)} onClose={props.onClose} wide>
      <p class="result-why">{reason(state)}</p>
      <div class="table-wrap">
        <table class="result-table">
          <thead>
            <tr>
              {!solo && (
                <th scope="col" class="place">
                  Place
                </th>
              )}
              <th scope="col">Player</th>
              <th scope="col" class="num">
                Points
              </th>
              <th scope="col" class="num">
                Mice home
              </th>
              <th scope="col" class="num">
                Efficiency
              </th>
              {teams && (
                <th scope="col" class="num">
                  Team
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {players.map((player) => (
              <tr key={player} class={status.winner.includes(player) ? "winner" : ""} data-result={player}>
                {!solo && <td class="place">{status.places[player] ?? "–"}</td>}
                <th scope="row">
                  <span class="result-name">
                    <Mark player={player} size={22} />
                    <span>
                      {playerName(state, player)}
                      {player === seat && <em class="you">you</em>}
                      {status.players[player]?.status !== "ACTIVE" && (
                        <small> · {status.players[player]?.status.toLowerCase()}</small>
                      )}
                    </span>
                  </span>
                </th>
                <td class="num">{scoring.scores[player] ?? 0}</td>
                <td class="num">
                  {status.mice_rescued[player] ?? 0}/{status.total_mice_per_player}{" "}
                  <small>({oneDecimal(status.completion_percent[player] ?? 0)} %)</small>
                </td>
                <td class="num">{oneDecimal(scoring.benchmark_score[player] ?? 0)}</td>
                {teams && (
                  <td class="num">
                    {teamOf(player)} · {oneDecimal(teams[teamOf(player)])}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">
        {plural(meta.turn, "turn")} of at most {meta.max_moves}
        {meta.ideal_moves === undefined ? "" : `; ideal: ${meta.ideal_moves}`}. {formula(state)}
      </p>
      {course && <course.component session={props.session} state={state} onTurn={props.onTurn} />}
      {meta.seed && (
        <p class="note seed">
          Seed <code>{meta.seed}</code>, committed before the first move.
        </p>
      )}
      {props.problem && (
        <p class="problem" role="alert">
          {props.problem}
        </p>
      )}
      <footer class="dialog-foot">
        {next ? (
          <a class="button primary" href={`/room/${next}${seat ? "" : "?watch=1"}`}>
            {seat ? "Go to the rematch" : "Watch the rematch"}
          </a>
        ) : props.canRematch ? (
          <button type="button" class="button primary" disabled={asked} onClick={props.onRematch}>
            <Icon name="refresh" size={18} /> {asked ? "Waiting for the others…" : "Rematch"}
          </button>
        ) : null}
        <button type="button" class="button" onClick={props.onClose}>
          Look at the board
        </button>
        <a class="button" href="/">
          Playroom
        </a>
      </footer>
    </Dialog>
  );
}

export function headline(state: NativeState, seat: PlayerId | null): string {
  const { winner, result } = state.status;
  if (state.meta.format === "solo") {
    if (result === "VICTORY") return "All mice are home";
    return result === "TIMEOUT" ? "Out of moves" : result === "FORFEIT" ? "Given up" : "Match closed";
  }
  if (winner.length === 0) return "Match closed";
  const sides = new Set(state.meta.format === "2v2" ? winner.map((p) => teamOf(p)) : winner);
  if (sides.size > 1) return "A draw";
  if (seat !== null && winner.includes(seat)) return state.meta.format === "2v2" ? "Your team wins" : "You win";
  if (state.meta.format === "2v2") return `Team ${teamOf(winner[0] ?? "P1")} wins`;
  return `${playerName(state, winner[0] ?? "P1")} wins`;
}

function reason(state: NativeState): string {
  const { status, meta } = state;
  const out = (Object.keys(status.players) as PlayerId[]).filter((p) => status.players[p]?.status !== "ACTIVE");
  const names = list(out.map((p) => playerName(state, p)));
  switch (status.result) {
    case "VICTORY":
      return "Every mouse still in the race has reached its far edge.";
    case "TIMEOUT":
      return meta.turn >= meta.max_moves ? "The last turn has been played." : "The clock ran out.";
    case "FORFEIT":
      return `${names} left the match.`;
    case "ABANDONED":
      return "The match was closed before its end.";
    case null:
      return "";
  }
}

function formula(state: NativeState): string {
  return state.meta.format === "solo"
    ? "Efficiency = points × ideal ÷ turns × share of mice home."
    : state.meta.format === "2v2"
      ? "The team's mean points × its mean share of mice home decides."
      : "Efficiency = points × share of mice home.";
}
