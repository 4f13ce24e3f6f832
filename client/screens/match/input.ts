/** Everything a person can decide in a turn, as one value that follows the state. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { GearType, LegalFactors, PlayerId, Quarter, TileLabel, Turn } from "../../../shared/engine/types.ts";
import type { NativeState } from "../../../shared/protocol/state.ts";
import {
  type Choice,
  clearPremove,
  commandOf,
  commandWith,
  openChoice,
  pickFacing,
  pickGear,
  pickPremove,
  pickSlot,
  pickTile,
  pickTurn,
  type Slot,
} from "../../store/choice.ts";
import { matchOf, orientationAt, type Preview, previewOf } from "../../store/preview.ts";

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

/** The input of `seat` for `state`; every change of the turn opens a fresh choice. */
export function useInput(state: NativeState, seat: PlayerId | null): Input {
  const { turn, current_player, phase, match_id, version } = state.meta;
  const mine = phase === "playing" && seat !== null && current_player === seat;
  const match = useMemo(() => (phase === "playing" ? matchOf(state) : null), [match_id, version, phase]);
  const factors = useMemo(() => (match !== null && mine ? legalOf(match) : null), [match, mine]);
  const [choice, setChoice] = useState<Choice | null>(null);
  const [hoveredTurn, setHoveredTurn] = useState<Turn | null>(null);
  const [hovered, setHovered] = useState<TileLabel | null>(null);

  useEffect(() => {
    setChoice((before) => (factors === null ? before : openChoice(factors, before)));
    setHoveredTurn(null);
  }, [turn, factors === null, factors?.stage]);

  const live = factors !== null && choice?.stage === factors.stage ? choice : null;
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
    clear: () => factors !== null && setChoice(openChoice(factors, live)),
  };
}

import { legalFactors, type Match } from "../../../shared/engine/index.ts";

const legalOf = (match: Match): LegalFactors | null => legalFactors(match);
