/** What stands above and beside the board while somebody looks back: which turn, steps, the way home. */
import type { PlayerId } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import { parseDimensions } from "../../board/model.ts";
import { describeCommand, describeEvents } from "../../dom/describe.ts";
import type { Lookback } from "../../store/lookback.ts";
import type { Frame } from "../../store/timeline.ts";
import { Icon, type IconName, Mark } from "../../ui/icons.tsx";
import { playerName } from "../../ui/words.ts";

/** First, back, forward, last; ← and → do the same while one of them has the focus. */
export function StepButtons({ back, turn }: { back: Lookback; turn: number }) {
  const at = back.at.value ?? turn;
  const one = (name: IconName, label: string, to: number | null, off: boolean) => (
    <button
      type="button"
      class="icon-button step-button"
      aria-label={label}
      title={label}
      // Not `disabled`: the focus stays where it is when an end is reached.
      aria-disabled={off}
      onClick={() => !off && void back.go(to)}
    >
      <Icon name={name} size={18} />
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of buttons, no form.
    <div
      class="steps"
      role="group"
      aria-label="Step through the turns"
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        event.stopPropagation();
        void back.step(by);
      }}
    >
      {one("first", "To the start", 0, at === 0)}
      {one("back", "One turn back", at - 1, at === 0)}
      {one("next", "One turn on", at + 1, at === turn)}
      {one("last", "To now", null, at === turn)}
    </div>
  );
}

interface LookBarProps {
  state: NativeState;
  back: Lookback;
  mine: boolean;
}

/** In place of the banner. */
export function LookBar({ state, back, mine }: LookBarProps) {
  const at = back.at.value ?? state.meta.turn;
  return (
    <div class={mine ? "banner looking mine" : "banner looking"} data-looking={at}>
      <span class="banner-who">
        <Icon name="clock" size={18} />
        <span>
          Turn <b>{at}</b> of {state.meta.turn}
        </span>
      </span>
      <StepButtons back={back} turn={state.meta.turn} />
      <button type="button" class="button small live-button" onClick={() => void back.go(null)}>
        {state.meta.phase === "over" ? "To the end" : mine ? "Your turn: to now" : "To now"}
      </button>
    </div>
  );
}

/** In place of the action panel: what was played in that turn and what came of it. */
export function TurnPanel({ state, frame }: { state: NativeState; frame: Frame }) {
  const { turn } = frame.state.meta;
  const what = frame.command === null ? null : describeCommand(frame.command, parseDimensions(state.meta.dimensions));
  const came = describeEvents(frame.events, Number.POSITIVE_INFINITY);
  return (
    <section class="panel turn-panel" aria-label={`Turn ${turn}`}>
      {turn === 0 ? (
        <p>The board before the first move.</p>
      ) : (
        <>
          <header>
            {frame.player && <Mark player={frame.player} size={22} />}
            <div>
              <h2>
                {turn}. {frame.player ? playerName(state, frame.player) : ""}
              </h2>
              {frame.command ? <code>{frame.command}</code> : <span class="note">This turn was lost.</span>}
            </div>
          </header>
          {what && <p>{sentence(what)}</p>}
          <p class="note">{came === "" ? "No mouse moved." : sentence(came)}</p>
          {frame.reasoning && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
            <blockquote class="reasoning" tabIndex={0} aria-label={`What ${frame.player} thought`}>
              {frame.reasoning}
            </blockquote>
          )}
        </>
      )}
    </section>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Said when another turn comes into view. */
export function spokenTurn(state: NativeState, frame: Frame | null): string {
  if (frame === null) return "The match as it is now";
  const { turn } = frame.state.meta;
  if (turn === 0) return "Turn 0, the empty board";
  const size = parseDimensions(state.meta.dimensions);
  const who: PlayerId | "" = frame.player ?? "";
  const what = frame.command === null ? "lost the turn" : describeCommand(frame.command, size);
  return [`Turn ${turn}: ${who} ${what ?? ""}`, describeEvents(frame.events)].filter(Boolean).join(". ");
}
