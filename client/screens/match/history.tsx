/** The moves so far, newest first, with what came of each where this page saw it. */
import type { PlayerId } from "../../../shared/engine/types.ts";
import type { EventMessage } from "../../../shared/protocol/messages.ts";
import { describeEvents } from "../../dom/describe.ts";
import { Mark } from "../../ui/icons.tsx";

export interface HistoryLine {
  readonly key: number;
  readonly turn: number | null;
  readonly player: PlayerId | null;
  readonly text: string;
  readonly kind: "move" | "event" | "lost" | "out";
}

const LINE = /^Turn (\d+) (?:\[(P[1-4])\]: )?(.*)$/s;

/** Reads the lines of R13.2. */
export function historyLines(history: readonly string[]): HistoryLine[] {
  return history.map((line, key) => {
    const found = LINE.exec(line);
    const text = (found?.[3] ?? line).replace(/^\[EVENT\] /, "");
    const player = (found?.[2] ?? null) as PlayerId | null;
    const kind = text.startsWith("[ERROR]")
      ? "lost"
      : player === null
        ? "event"
        : /^\[(TIMEOUT|RESIGNED|FORFEITED)\]$/.test(text)
          ? "out"
          : "move";
    return { key, turn: found ? Number(found[1]) : null, player, text, kind };
  });
}

interface HistoryProps {
  history: readonly string[];
  seen: ReadonlyMap<number, EventMessage>;
}

export function History({ history, seen }: HistoryProps) {
  const lines = historyLines(history).reverse();
  return (
    <section class="panel history" aria-label="History">
      <h2>Moves</h2>
      {lines.length === 0 ? (
        <p class="note">Nobody has moved yet.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by key.
        <ol class="moves" tabIndex={0} aria-label="Moves, newest first">
          {lines.map((line) => (
            <li key={line.key} class={`move ${line.kind}`}>
              <span class="move-turn">{line.turn ?? ""}</span>
              {line.player ? <Mark player={line.player} size={18} /> : <span class="move-event">✦</span>}
              <span class="move-text">
                {line.kind === "move" ? <code>{line.text}</code> : line.text}
                {line.kind === "move" && <Came seen={seen} turn={line.turn} />}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Came({ seen, turn }: { seen: ReadonlyMap<number, EventMessage>; turn: number | null }) {
  const message = turn === null ? undefined : seen.get(turn);
  const text = message ? describeEvents(message.events) : "";
  return text === "" ? null : <small>{text}</small>;
}
