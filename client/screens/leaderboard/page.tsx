/** The best by kind, format and level, each with the match that counts for it. */
import { useEffect, useState } from "preact/hooks";
import { LEVELS, levelOf } from "../../../shared/engine/levels.ts";
import { FORMATS, type Format } from "../../../shared/engine/types.ts";
import { ApiError, type Leaderboard, leaderboard } from "../../net/api.ts";
import { Icon } from "../../ui/icons.tsx";
import { TopBar } from "../../ui/topbar.tsx";
import { FORMAT_NAMES, oneDecimal } from "../../ui/words.ts";

type Kind = Leaderboard["kind"];
const KIND_NAMES: Readonly<Record<Kind, string>> = { benchmark: "Benchmark", casual: "Casual" };

export function LeaderboardPage() {
  const [kind, setKind] = useState<Kind>("casual");
  const [format, setFormat] = useState<Format>("1v1");
  const [level, setLevel] = useState(1);
  const [board, setBoard] = useState<Leaderboard | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    document.title = "Gearmice · Leaderboard";
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    setProblem(null);
    leaderboard(kind, format, level, stop.signal)
      .then(setBoard)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setProblem(error instanceof ApiError ? error.message : "It could not be fetched.");
      });
    return () => stop.abort();
  }, [kind, format, level]);
  const shown = board?.kind === kind && board.format === format && board.level === level ? board : null;
  return (
    <div class="page leaderboard-page">
      <TopBar />
      <main class="prose leaderboard">
        <h1>Leaderboard</h1>
        <p>
          The best efficiency of each player. Benchmark matches are played by fixed rules; casual ones by any. Matches
          without the Orb or entropy do not count.
        </p>
        <form class="board-choice" aria-label="Which board">
          <label>
            Kind
            <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
              {(["casual", "benchmark"] as const).map((k) => (
                <option key={k} value={k}>
                  {KIND_NAMES[k]}
                </option>
              ))}
            </select>
          </label>
          <label>
            Format
            <select
              value={format}
              onChange={(event) => {
                setFormat(event.currentTarget.value as Format);
                setLevel(1);
              }}
            >
              {FORMATS.map((f) => (
                <option key={f} value={f}>
                  {FORMAT_NAMES[f]}
                </option>
              ))}
            </select>
          </label>
          <label>
            Level
            <select value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
              {LEVELS[format].map((n) => (
                <option key={n} value={n}>
                  {n}: {levelOf(format, n)?.dimensions.replace("x", "×")}
                </option>
              ))}
            </select>
          </label>
        </form>
        <div aria-live="polite" aria-busy={shown === null && problem === null}>
          {problem && <p class="problem">{problem}</p>}
          {shown?.rows.length === 0 && (
            <p class="empty-board">
              Nobody has a result here yet. <a href="/">Play the first match</a>.
            </p>
          )}
          {shown && shown.rows.length > 0 && <Rows board={shown} />}
        </div>
      </main>
    </div>
  );
}

function Rows({ board }: { board: Leaderboard }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section class="table-wrap" tabIndex={0} aria-label="Players">
      <table class="result-table">
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">Player</th>
            <th scope="col" class="num">
              Efficiency
            </th>
            <th scope="col" class="num">
              Points
            </th>
            <th scope="col" class="num aside">
              Turns
            </th>
            <th scope="col" class="num aside">
              Won
            </th>
            <th scope="col">Match</th>
          </tr>
        </thead>
        <tbody>
          {board.rows.map((row) => (
            <tr key={row.player_id}>
              <td>{row.rank}</td>
              <th scope="row">
                <span class="result-name">
                  <Icon name={row.player_kind === "ai" ? "bot" : "person"} size={18} />
                  <span>
                    {row.name}
                    {row.model && <small> · {row.model}</small>}
                  </span>
                </span>
              </th>
              <td class="num">{oneDecimal(row.efficiency)}</td>
              <td class="num">{row.score}</td>
              <td class="num aside">{row.turns}</td>
              <td class="num aside">
                {row.wins} of {row.matches}
              </td>
              <td>
                <a href={`/match/${row.match_id}`} aria-label={`The match of ${row.name}`}>
                  Replay
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
