/** A tile, a mouse and a turn in words, for screen readers and titles. */
import { parseCommand } from "../../shared/engine/text.ts";
import type { MatchEvent, MouseState, PlayerId, Quarter } from "../../shared/engine/types.ts";
import { BASES, type BoardModel, type TileView } from "../board/model.ts";

const WAY = ["north", "west", "south", "east"] as const;

export const wayOf = (facing: number): string => WAY[facing & 3] ?? "north";

/** "P21, turns against P11; your gear G3: west free, south M2_P1, east free" */
export function describeTile(tile: TileView, board: BoardModel, me: PlayerId | null): string {
  if (tile.obstacle) return `${tile.label}, obstacle`;
  if (tile.gear === null) return `${tile.label}, empty, ${tile.parity} tile`;
  const { type, b, owner } = tile.gear;
  const whose = owner === null ? "" : owner === me ? "your " : `${owner}'s `;
  const bases = BASES[type].map((k) => {
    const mouse = mouseOn(board, tile, k);
    return `${wayOf(b + k)} ${mouse ?? "free"}`;
  });
  return `${tile.label}, ${whose}gear ${type}, ${tile.parity} tile: ${bases.join(", ")}`;
}

/** Which mouse sits where: `P21/0` → `M2_P1`. */
const seats = new WeakMap<BoardModel, ReadonlyMap<string, string>>();

function mouseOn(board: BoardModel, tile: TileView, base: Quarter): string | null {
  let taken = seats.get(board);
  if (taken === undefined) {
    const seated = [...board.mice].filter(([, mouse]) => mouse.status === "IN_PLAY");
    taken = new Map(seated.map(([id, { pos, on_base }]) => [`${pos}/${on_base}`, id]));
    seats.set(board, taken);
  }
  return taken.get(`${tile.label}/${base}`) ?? null;
}

export function describeMouse(id: string, mouse: MouseState): string {
  switch (mouse.status) {
    case "WAITING":
      return `${id} waits`;
    case "ESCAPED":
      return `${id} is home`;
    case "IN_PLAY":
      return `${id} on ${mouse.pos} looking ${wayOf(mouse.facing ?? 0)}${mouse.is_locked ? ", locked" : ""}`;
  }
}

/** A command in plain words; null when it is none. */
export function describeCommand(text: string, size: { width: number; height: number }): string | null {
  const read = parseCommand(text, size);
  if (!read.ok) return null;
  const command = read.value;
  const turn = command.turn === 90 ? "turned left" : "turned right";
  if (command.type === "place") return `placed ${command.gear} on ${command.tile} and ${turn}`;
  const before = command.premove ? `set ${command.premove.tile}, then ` : "";
  return `${before}${turn} at ${command.tile}`;
}

/** What came of a turn, in a few words; empty when nothing moved but gears. */
export function describeEvents(events: readonly MatchEvent[]): string {
  const parts: string[] = [];
  for (const event of events) {
    switch (event.type) {
      case "entered":
        parts.push(`${event.mouse} enters on ${event.tile}`);
        break;
      case "jumped":
        parts.push(`${event.mouse} jumps to ${event.to.tile}${event.points === 0 ? "" : `, ${signed(event.points)}`}`);
        break;
      case "escaped":
        parts.push(`${event.mouse} is home, ${signed(event.points)}`);
        break;
      case "entropy":
        parts.push("total entropy shuffles a row");
        break;
      case "orb":
        parts.push(`an Orb appears on ${event.tile}`);
        break;
      case "locked":
        parts.push("the Orb is locked");
        break;
      case "turn_lost":
        parts.push(`${event.player} loses the turn`);
        break;
      case "out":
        parts.push(`${event.player} is out (${event.reason.toLowerCase()})`);
        break;
      case "over":
        parts.push(`the match is over: ${event.result.toLowerCase()}`);
        break;
      case "started":
      case "placed":
      case "premoved":
      case "turned":
      case "refused":
        break;
    }
  }
  return parts.join("; ");
}

export const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);
