/** Everything a person can decide in a turn, as one value that follows the state. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Match } from "../../../shared/engine/match.ts";
import type { GearType, LegalFactors, PlayerId, Quarter, TileLabel, Turn } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import {
  type Choice,
  clearPremove,
  commandOf,
  commandWith,
  nextFacing,
  openChoice,
  pickFacing,
  pickGear,
  pickPremove,
  pickSlot,
  pickTile,
  pickTurn,
  type Slot,
} from "../../store/choice.ts";
import { factorsOf, matchOf, orientationAt, type Preview, previewOf } from "../../store/preview.ts";

export interface Input {
  /** Null while it is not our turn. */
  readonly factors: LegalFactors | null;
  readonly choice: Choice | null;
  readonly command: string | null;
  /** What would happen with each turn; null while no tile is chosen. */
  readonly outcomes: Readonly<Record<"90" | "-90", Preview | null>>;
  /** The one to draw: that of the button under the pointer, else of the turn chosen. */
  readonly shown: Preview | null;
  readonly hovered: TileLabel | null;
  gear(type: GearType): void;
  tile(tile: TileLabel): void;
  facing(b: Quarter): void;
  turn(turn: Turn): void;
  slot(slot: Slot): void;
  dropPremove(): void;
  hoverTile(tile: TileLabel | null): void;
  hoverTurn(turn: Turn | null): void;
  clear(): void;
}

/**
 * The input of `seat` for `state`; every change of `at`, the turn if nothing else, opens a fresh choice. `known` is the
 * match behind the state where this page has it.
 */
export function useInput(
  state: NativeState,
  seat: PlayerId | null,
  at: number = state.meta.turn,
  known: Match | null = null,
): Input {
  const { current_player, phase, match_id, version } = state.meta;
  const mine = phase === "playing" && seat !== null && current_player === seat;
  // Of others' turns nothing is asked.
  const match = useMemo(() => (mine ? (known ?? matchOf(state)) : null), [match_id, version, mine, known]);
  const factors = useMemo(() => (match !== null ? factorsOf(match) : null), [match]);
  // A choice is of one turn. That of another turn is opened anew while drawing, not after: no key falls in between.
  const key = `${match_id} ${at}`;
  const [made, setMade] = useState<{ readonly key: string; readonly choice: Choice } | null>(null);
  const [hoveredTurn, setHoveredTurn] = useState<Turn | null>(null);
  const [hovered, setHovered] = useState<TileLabel | null>(null);
  const live = useMemo(() => {
    if (factors === null) return null;
    const own = made?.key === key && made.choice.stage === factors.stage;
    return own ? made.choice : openChoice(factors, made?.choice ?? null);
  }, [factors, made, key]);
  const setChoice = (choice: Choice) => setMade({ key, choice });
  useEffect(() => setHoveredTurn(null), [key, factors === null]);

  const outcome = (t: Turn): Preview | null => {
    const command = live === null ? null : commandWith(live, t);
    return match === null || command === null ? null : previewOf(match, state, command);
  };
  const outcomes = useMemo(() => ({ "90": outcome(90), "-90": outcome(-90) }), [match, live]);
  const look = hoveredTurn ?? live?.turn ?? null;
  const change = (f: (choice: Choice, factors: LegalFactors) => Choice) => {
    if (live !== null && factors !== null) setChoice(f(live, factors));
  };
  return {
    factors,
    choice: live,
    command: live === null ? null : commandOf(live),
    outcomes,
    shown: look === null ? null : outcomes[look === 90 ? "90" : "-90"],
    hovered,
    gear: (type) => change((c, f) => pickGear(c, f, type)),
    tile: (tile) =>
      change((c, f) =>
        c.stage === "rotation" && c.slot === "premove" && c.premove?.tile !== tile
          ? pickPremove(c, f, tile, orientationAt(state, tile))
          : pickTile(c, f, tile),
      ),
    facing: (b) => change((c) => pickFacing(c, b)),
    turn: (t) => change((c) => pickTurn(c, t)),
    slot: (slot) => change((c) => pickSlot(c, slot)),
    dropPremove: () => change(clearPremove),
    hoverTile: setHovered,
    hoverTurn: setHoveredTurn,
    clear: () => setMade(null),
  };
}

/** A key on the focused board that changes the choice; true when it was one. */
export function keyOf(input: Input, key: string): boolean {
  const { choice, factors } = input;
  switch (key) {
    case "1":
    case "2":
    case "3":
    case "4":
      if (choice?.stage === "placement") input.gear(`G${key}`);
      else if (choice?.stage === "rotation" && choice.premove) input.facing((Number(key) - 1) as Quarter);
      return factors !== null;
    case "r":
      if (choice?.stage === "placement") input.facing(nextFacing(choice).b);
      return true;
    case "+":
    case "=":
      input.turn(90);
      return true;
    case "-":
      input.turn(-90);
      return true;
    case "p":
      if (choice?.stage === "rotation") input.slot(choice.slot === "premove" ? "turn" : "premove");
      return true;
    case "Escape":
      input.clear();
      return true;
    default:
      return false;
  }
}

/** The gear that is about to be placed: on its tile, or under the pointer. */
export function ghostOf(input: Input, seat: PlayerId | null) {
  const { choice, factors, hovered } = input;
  if (choice?.stage !== "placement" || seat === null) return null;
  const tile = choice.tile ?? (hovered && factors?.tiles.includes(hovered) ? hovered : null);
  return tile === null ? null : { tile, type: choice.gear, b: choice.b, owner: seat };
}
