/** The panel in which a turn is put together, with what would come of it. */
import type { ComponentChildren } from "preact";
import { GEAR_TYPES, type PlayerId, type Turn } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import type { BoardModel } from "../../board/model.ts";
import { signed } from "../../dom/describe.ts";
import { facings, type PlacementChoice, type RotationChoice } from "../../store/choice.ts";
import type { Preview } from "../../store/preview.ts";
import { GearIcon, Icon, Mark } from "../../ui/icons.tsx";
import { list, plural } from "../../ui/words.ts";
import type { Input } from "./input.ts";

interface ActionProps {
  state: NativeState;
  board: BoardModel;
  seat: PlayerId;
  input: Input;
  sending: boolean;
  problem: string | null;
  onPlay: () => void;
}

export function ActionPanel({ state, board, seat, input, sending, problem, onPlay }: ActionProps) {
  const { choice, command } = input;
  if (choice === null) return null;
  return (
    <section class="panel action" aria-label="Your turn">
      {choice.stage === "placement" ? (
        <Placement state={state} board={board} seat={seat} input={input} choice={choice} />
      ) : (
        <Rotation board={board} input={input} choice={choice} />
      )}
      <Turns input={input} />
      <div class="play-row">
        <button type="button" class="button primary play" disabled={command === null || sending} onClick={onPlay}>
          <span>
            {sending ? "Sending…" : command === null ? hint(choice) : "Play"}
            {command !== null && !sending && <code>{command}</code>}
          </span>
          {command !== null && !sending && <Shortly preview={input.shown} />}
        </button>
      </div>
      {problem && (
        <p class="problem" role="alert">
          <Icon name="warn" size={18} /> {problem}
        </p>
      )}
    </section>
  );
}

function hint(choice: PlacementChoice | RotationChoice): string {
  if (choice.tile === null) return choice.stage === "placement" ? "Choose a tile" : "Choose a gear to turn";
  return "Choose which way to turn";
}

function Step({ title, children, aside }: { title: string; children: ComponentChildren; aside?: ComponentChildren }) {
  return (
    <fieldset class="step">
      <legend>
        {title} {aside}
      </legend>
      {children}
    </fieldset>
  );
}

/** Gear type and facing, and the turn with its outcomes: what a small board to try needs of the panel. */
export { Placement, Turns };

interface PlacementProps {
  state: NativeState;
  board: BoardModel;
  seat: PlayerId;
  input: Input;
  choice: PlacementChoice;
}

function Placement({ state, board, seat, input, choice }: PlacementProps) {
  const stock = state.data.inventories[seat];
  const parity = choice.tile ? (board.tiles.get(choice.tile)?.parity ?? "R") : "R";
  return (
    <>
      <Step title="Gear">
        <div class="tray">
          {GEAR_TYPES.map((type) => {
            const left = stock?.[type] ?? 0;
            return (
              <button
                key={type}
                type="button"
                class="gear-choice"
                aria-pressed={choice.gear === type}
                aria-label={`${type}, ${left} left`}
                disabled={left === 0}
                onClick={() => input.gear(type)}
              >
                <GearIcon type={type} parity={parity} size={46} />
                <span class="gear-name">{type}</span>
                <span class="gear-left">×{left}</span>
              </button>
            );
          })}
        </div>
      </Step>
      {facings(choice.gear).length > 1 && (
        <Step title="Facing">
          <div class="tray small">
            {facings(choice.gear).map((b) => (
              <button
                key={b}
                type="button"
                class="gear-choice facing"
                aria-pressed={choice.b === b}
                aria-label={`b=${b}`}
                onClick={() => input.facing(b)}
              >
                <GearIcon type={choice.gear} b={b} parity={parity} size={38} />
              </button>
            ))}
          </div>
        </Step>
      )}
    </>
  );
}

function Rotation({ board, input, choice }: { board: BoardModel; input: Input; choice: RotationChoice }) {
  const premoved = choice.premove ? board.tiles.get(choice.premove.tile)?.gear : null;
  const parity = choice.premove ? (board.tiles.get(choice.premove.tile)?.parity ?? "R") : "R";
  return (
    <Step title="Gears">
      <div class="slots">
        <button
          type="button"
          class="slot"
          aria-pressed={choice.slot === "premove"}
          onClick={() => input.slot("premove")}
        >
          <small>Pre-move (optional)</small>
          <b>{choice.premove?.tile ?? "none"}</b>
        </button>
        <button type="button" class="slot" aria-pressed={choice.slot === "turn"} onClick={() => input.slot("turn")}>
          <small>Turn the block of</small>
          <b>{choice.tile ?? "–"}</b>
        </button>
      </div>
      {choice.slot === "premove" && choice.premove === null && (
        <p class="note">Tap one of your network's gears: it is set to any facing by itself, before the block turns.</p>
      )}
      {choice.premove && premoved && (
        <div class="tray small">
          {([0, 1, 2, 3] as const).map((b) => (
            <button
              key={b}
              type="button"
              class="gear-choice facing"
              aria-pressed={choice.premove?.b === b}
              aria-label={`${choice.premove?.tile} b=${b}`}
              onClick={() => input.facing(b)}
            >
              <GearIcon type={premoved.type} b={b} parity={parity} size={34} />
            </button>
          ))}
          <button type="button" class="icon-button" aria-label="No pre-move" onClick={input.dropPremove}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </Step>
  );
}

function Turns({ input }: { input: Input }) {
  const { choice, outcomes } = input;
  if (choice === null) return null;
  const one = (turn: Turn) => (
    <button
      type="button"
      class="turn-choice"
      aria-pressed={choice.turn === turn}
      aria-label={turn === 90 ? "Turn left, +90" : "Turn right, -90"}
      disabled={choice.tile === null}
      onClick={() => input.turn(turn)}
      onPointerEnter={(event) => event.pointerType === "mouse" && input.hoverTurn(turn)}
      onPointerLeave={() => input.hoverTurn(null)}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && input.hoverTurn(turn)}
      onBlur={() => input.hoverTurn(null)}
    >
      <span class="turn-sign">
        <Icon name={turn === 90 ? "left" : "right"} size={24} />
        {turn === 90 ? "+90" : "−90"}
      </span>
      <Outcome preview={outcomes[turn === 90 ? "90" : "-90"]} />
    </button>
  );
  return (
    <Step title="Turn">
      <div class="turn-pair">
        {one(90)}
        {one(-90)}
      </div>
      <Consequence preview={input.shown} />
    </Step>
  );
}

/** The short form inside a button. */
function Outcome({ preview }: { preview: Preview | null }) {
  if (preview === null) return <span class="outcome faint">–</span>;
  const points = Object.entries(preview.points) as [PlayerId, number][];
  const parts = [
    preview.entered > 0 && plural(preview.entered, "entry", "entries"),
    preview.jumped > 0 && plural(preview.jumped, "jump"),
    preview.escaped > 0 && `${preview.escaped} home`,
  ].filter(Boolean);
  return (
    <span class="outcome">
      {points.map(([player, n]) => (
        <span key={player} class="outcome-points">
          <Mark player={player} size={15} />
          {signed(n)}
        </span>
      ))}
      <span class="outcome-text">{parts.length > 0 ? parts.join(", ") : "no mouse moves"}</span>
    </span>
  );
}

/** What the numbers leave unsaid. */
function Consequence({ preview }: { preview: Preview | null }) {
  if (preview === null) return null;
  const turned = preview.events.find((e) => e.type === "turned");
  const size = turned?.type === "turned" ? turned.gears.length : 0;
  return (
    <div class="consequence">
      <p class="block-size">
        {size === 1 ? "This gear turns alone." : `A block of ${size} gears turns: neighbours against each other.`}
      </p>
      {preview.entropy && (
        <p class="warning">
          <Icon name="warn" size={16} /> Your last gear brings total entropy: the second row from the top is shuffled
          before anybody jumps.
        </p>
      )}
      <Answer preview={preview} />
      {preview.merges.length > 0 && (
        <p class="warning">
          <Icon name="warn" size={16} /> This joins your gears with {list(preview.merges)}: from then on they may turn
          this block too.
        </p>
      )}
    </div>
  );
}

/** The same on a phone, where the sentences lie below the button that plays: it grows by nothing, and nothing moves. */
function Shortly({ preview }: { preview: Preview | null }) {
  if (preview === null) return null;
  const { answer, merges, entropy } = preview;
  const parts = [
    entropy && "total entropy",
    merges.length > 0 && `joins ${list(merges)}`,
    answer !== null && answer.theirs > 0 && `${answer.player} could answer ${signed(answer.theirs)}`,
    answer !== null && answer.ours < 0 && `you ${signed(answer.ours)}`,
  ].filter(Boolean);
  return parts.length === 0 ? null : <small class="play-shortly">{parts.join(", ")}</small>;
}

/** The worst that the next player could do about it. */
function Answer({ preview }: { preview: Preview }) {
  const { answer } = preview;
  if (answer === null || (answer.theirs <= 0 && answer.ours >= 0)) return null;
  return (
    <p class="answer" data-answer={answer.command}>
      <Mark player={answer.player} size={15} /> could answer{" "}
      {answer.theirs > 0 && <b>{signed(answer.theirs)} for them</b>}
      {answer.theirs > 0 && answer.ours !== 0 && ", "}
      {answer.ours !== 0 && <b>{signed(answer.ours)} for you</b>}.
    </p>
  );
}
