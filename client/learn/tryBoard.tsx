/** A small live board in the text: one turn can be tried on it, again and again. */
import { useMemo, useState } from "preact/hooks";
import type { TileLabel } from "../../shared/engine/types.ts";
import { boardModel } from "../board/model.ts";
import { Board } from "../dom/board.tsx";
import { describeEvents } from "../dom/describe.ts";
import { Placement, Turns } from "../screens/match/action.tsx";
import { soundOf } from "../screens/match/announcements.ts";
import { ghostOf, keyOf, useInput } from "../screens/match/input.ts";
import { localGame } from "../store/localGame.ts";
import { type LocalSetup, matchAfter } from "../store/localMatch.ts";
import { Icon } from "../ui/icons.tsx";

interface TryBoardProps {
  id: string;
  setup: LocalSetup;
  opening: readonly string[];
  /** What to try. */
  task: string;
}

export function TryBoard({ id, setup, opening, task }: TryBoardProps) {
  const game = useMemo(() => localGame(matchAfter(setup, opening)), [setup, opening]);
  const state = game.state.value;
  const board = useMemo(() => boardModel(state), [state]);
  const [came, setCame] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useInput(state, came === null ? "P1" : null);
  const legal = useMemo(() => new Set<TileLabel>(input.factors?.tiles ?? []), [input.factors]);
  const { choice } = input;
  const rotation = choice?.stage === "rotation" ? choice : null;

  const play = () => {
    if (input.command === null) return;
    const played = game.play(input.command);
    if (played.ok) setCame(describeEvents(played.events) || "no mouse moved");
  };
  const again = () => {
    game.show(matchAfter(setup, opening));
    input.clear();
    setCame(null);
  };
  return (
    <figure class="try" data-try={id} data-came={came ?? ""}>
      <Board
        feed={game.feed}
        board={board}
        me="P1"
        legal={legal}
        chosen={choice?.tile ?? null}
        premove={rotation?.premove?.tile ?? null}
        premoveTo={rotation?.premove ?? null}
        ghost={ghostOf(input, "P1")}
        preview={busy ? null : input.shown}
        plain
        maxWidth={260}
        onPick={input.tile}
        onHover={input.hoverTile}
        onKey={(key) => {
          if (key === "Enter" && input.command !== null) play();
          else return keyOf(input, key);
          return true;
        }}
        onBusy={setBusy}
        onEvent={soundOf}
      />
      <figcaption>
        <p>{task}</p>
        {came === null ? (
          <>
            {choice?.stage === "placement" && (
              <Placement state={state} board={board} seat="P1" input={input} choice={choice} />
            )}
            <Turns input={input} />
            <button type="button" class="button primary" disabled={input.command === null} onClick={play}>
              {input.command === null ? (choice?.tile == null ? "Choose a tile" : "Choose a turn") : "Try it"}
            </button>
          </>
        ) : (
          <>
            <p class="try-came" role="status">
              {came}.
            </p>
            <button type="button" class="button" onClick={again}>
              <Icon name="refresh" size={17} /> Again
            </button>
          </>
        )}
      </figcaption>
    </figure>
  );
}
