import { networkTiles, placementRule, placementTiles, type Refusal } from "./legal.ts";
import type { Position } from "./position.ts";
import { noSuchTile, SYNTAX_HELP } from "./text.ts";
import { GEAR_TYPES } from "./types.ts";

/** How many legal tiles a sentence names. */
const EXAMPLES = 6;

/** One sentence for a refusal that says what would be legal (R4.5). `player` is -1 when nobody's turn matters. */
export function refusalMessage(position: Position, player: number, refusal: Refusal): string {
  const { level } = position.geometry;
  const tile = refusal.tile;
  switch (refusal.code) {
    case "match_not_started":
      return "The match has not started: commands are taken after its start.";
    case "too_late":
      return "Your clock ran out in that turn: nothing more can be played in it.";
    case "match_over":
      return "The match is over: nothing more can be played.";
    case "player_out":
      return "This player is not in the match any more: only players still in can act.";
    case "stale_turn":
      return `The turn counter is ${position.turn}: name that turn, or none.`;
    case "not_your_turn":
      return `It is the turn of ${level.players[position.current]}: wait for yours.`;
    case "syntax":
      return SYNTAX_HELP;
    case "wrong_phase":
      if (player < 0) return "The match has started already: send commands.";
      return position.stockLeft[player]! > 0
        ? `You have gears in stock: place one with G<1-4>@<tile>(b=<0-3>)<+90|-90>, for example on ${open()}.`
        : "Your stock is empty: turn a gear with G@<tile><+90|-90>, or pre-move one first.";
    case "no_such_tile":
      return noSuchTile(tile, level);
    case "obstacle":
      return `${tile} is an obstacle: you may place on ${open()}.`;
    case "occupied":
      return `${tile} holds a gear already: you may place on ${open()}.`;
    case "not_in_stock":
      return `That type is used up: you have ${stock()} left.`;
    case "not_on_start_edge":
      return `Your first gear goes on your start edge: you may place on ${open()}.`;
    case "not_adjacent":
      return placementRule(position, player) === "any"
        ? `Your start edge is full and ${tile} is next to no gear: you may place on ${open()}.`
        : `${tile} is not next to your network: you may place on ${open()}.`;
    case "not_a_gear":
      return `${tile} holds no gear: you may turn ${turnable()}.`;
    case "not_your_network":
      return `The gear on ${tile} is not in your network: you may turn ${turnable()}.`;
  }

  function open(): string {
    const into = new Uint8Array(position.geometry.tileCount);
    return list(into, placementTiles(position, player, into));
  }

  function turnable(): string {
    const into = new Uint8Array(position.geometry.tileCount);
    return list(into, networkTiles(position, player, into));
  }

  function list(tiles: Uint8Array, count: number): string {
    const names = [...tiles.subarray(0, Math.min(count, EXAMPLES))].map((t) => position.geometry.labels[t]);
    return names.join(", ") + (count > EXAMPLES ? ` and ${count - EXAMPLES} more` : "");
  }

  function stock(): string {
    const left = GEAR_TYPES.map((type, i) => ({ type, n: position.stock[4 * player + i]! }));
    return left.flatMap(({ type, n }) => (n > 0 ? [`${n} ${type}`] : [])).join(", ");
  }
}
