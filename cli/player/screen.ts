/** What a player sees while a match is on: a board that is drawn anew at a terminal, one line a turn elsewhere. */
import type { Choice } from "../../agents/brains/brain.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import type { Refusal } from "../../shared/protocol/codes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { sizeOf, textBoard, textStandings } from "./textBoard.ts";

export interface Screen {
  show(state: NativeState): void;
  chose(choice: Choice, thinkingMs: number): void;
  refused(command: string, refusal: Refusal): void;
  note(text: string): void;
}

export interface ScreenOptions {
  readonly me: PlayerId | null;
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly now?: () => number;
}

export const silent: Screen = { show() {}, chose() {}, refused() {}, note() {} };

export function openScreen({ me, write, isTerminal, now = () => performance.now() }: ScreenOptions): Screen {
  const startedMs = now();
  let shown = -1;
  let notes: string[] = [];
  const head = (state: NativeState) => {
    const { meta } = state;
    return `${meta.room_code}  ${meta.format} level ${meta.level_id}  turn ${meta.turn}/${meta.max_moves}${eta(state, now() - startedMs)}`;
  };
  const draw = (state: NativeState) => {
    const wide = process.stdout.columns ?? 80;
    const board = sizeOf(state.meta.dimensions).width * 8 + 5 <= wide ? textBoard(state, { colour: true }) : [];
    const last = state.data.history.slice(-3);
    write(
      `\u001b[H\u001b[2J${[head(state), "", ...board, "", ...textStandings(state, me), "", ...last, ...notes].join("\n")}\n`,
    );
    notes = [];
  };
  return {
    show(state) {
      if (state.meta.version === shown) return;
      const fresh = shown === -1;
      shown = state.meta.version;
      if (isTerminal) return draw(state);
      const line = fresh ? "" : `  ${state.data.history.at(-1) ?? ""}`;
      write(`${head(state)}${line}\n`);
    },
    chose({ command, usage }, thinkingMs) {
      const tokens = usage === undefined ? "" : `, ${usage.total} tokens so far`;
      this.note(`plays ${command || "(nothing)"} after ${(thinkingMs / 1_000).toFixed(1)} s${tokens}`);
    },
    refused(command, { code, message }) {
      this.note(`refused ${command || "(nothing)"}: ${code}: ${message}`);
    },
    note(text) {
      if (isTerminal) notes = [...notes, text].slice(-3);
      else write(`  ${text}\n`);
    },
  };
}

/** How long the rest will take at most, at the pace so far. */
function eta({ meta }: NativeState, passedMs: number): string {
  if (meta.phase !== "playing" || meta.turn < 2) return "";
  const seconds = Math.round((passedMs / meta.turn / 1_000) * meta.turns_left);
  const text = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `  at most ${text} to go`;
}
