/** One match from the taken seat to its result. */
import { playSeat } from "../../agents/drivers/http.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Agent } from "./agent.ts";
import { openScreen, type Screen, silent } from "./screen.ts";
import type { Player } from "./session.ts";

export interface Seated {
  readonly match_id: string;
  readonly code?: string;
  readonly seat: PlayerId;
  readonly seat_token: string;
}

/** On standard error, so that standard output holds the result alone. */
export function screenOf(json: boolean, me: PlayerId | null): Screen {
  if (json) return silent;
  return openScreen({
    me,
    write: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true && process.env.TERM !== "dumb",
  });
}

/** Plays the seat to the end. SIGINT and SIGTERM end the program and its agent; the seat stays. */
export async function playMatch(player: Player, seated: Seated, agent: Agent, screen: Screen): Promise<NativeState> {
  const { api } = player;
  // An agent's programs end with this one only where it ends by itself.
  process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
  return playSeat({
    api,
    seat: seated,
    brain: agent.brain,
    onState: (state) => screen.show(state),
    onChoice: (choice, ms) => screen.chose(choice, ms),
    onRefused: (command, refusal) => screen.refused(command, refusal),
    onFailure: (reason) => screen.note(`no answer: ${reason}`),
  });
}

export interface Report {
  readonly match_id: string;
  readonly room_code: string;
  readonly seat: PlayerId;
  readonly result: string | null;
  readonly winner: readonly PlayerId[];
  readonly scores: NativeState["scoring"]["scores"];
  readonly benchmark_score: NativeState["scoring"]["benchmark_score"];
  readonly mice_rescued: NativeState["status"]["mice_rescued"];
  readonly total_mice_per_player: number;
  readonly turns: number;
  readonly kind: string;
  /** Where its record lies. */
  readonly record: string;
}

export function reportOf({ api }: Player, { meta, status, scoring }: NativeState, seat: PlayerId): Report {
  return {
    match_id: meta.match_id,
    room_code: meta.room_code,
    seat,
    result: status.result,
    winner: status.winner,
    scores: scoring.scores,
    benchmark_score: scoring.benchmark_score,
    mice_rescued: status.mice_rescued,
    total_mice_per_player: status.total_mice_per_player,
    turns: meta.turn,
    kind: meta.kind,
    record: `${api.root}/api/v1/matches/${meta.match_id}/record${meta.options.private ? `?code=${meta.room_code}` : ""}`,
  };
}

export function printReport(report: Report, json: boolean): void {
  if (json) return void process.stdout.write(`${JSON.stringify(report)}\n`);
  const { seat, result, winner, scores, benchmark_score, mice_rescued, total_mice_per_player, turns } = report;
  const lines = [
    `${result ?? "you are out; the match goes on"} after ${turns} turns${winner.length > 0 ? `; winner: ${winner.join(", ")}` : ""}`,
    ...(Object.keys(scores) as PlayerId[]).map(
      (player) =>
        `${player}${player === seat ? " (you)" : ""}: ${scores[player]} points, ${mice_rescued[player]} of ${total_mice_per_player} mice home, efficiency ${(benchmark_score[player] ?? 0).toFixed(1)}`,
    ),
    `record: ${report.record}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
