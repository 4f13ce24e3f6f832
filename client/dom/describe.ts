/** A tile, a mouse and a turn in words, for screen readers and titles. */
import { parseCommand } from "../../shared/engine/text.ts";
import type { MatchEvent, MouseState, PlayerId, Quarter } from "../../shared/engine/types.ts";
import { BASES, type BoardModel, type TileView } from "../board/model.ts";
import { plural } from "../ui/words.ts";

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

/** More mice than this that move in one turn are counted, not named. */
const MOST_NAMED = 4;

/** What came of a turn, in a few words; empty when nothing moved but gears. `named`: how many mice at most by name. */
export function describeEvents(events: readonly MatchEvent[], named = MOST_NAMED): string {
  const moves = events.filter((e) => e.type === "entered" || e.type === "jumped" || e.type === "escaped");
  const crowd = moves.length > named;
  const parts: string[] = crowd ? [describeCrowd(moves)] : [];
  for (const event of events) {
    switch (event.type) {
      case "entered":
        if (!crowd) parts.push(`${event.mouse} enters on ${event.tile}`);
        break;
      case "jumped":
        if (!crowd) {
          parts.push(
            `${event.mouse} jumps to ${event.to.tile}${event.points === 0 ? "" : `, ${signed(event.points)}`}`,
          );
        }
        break;
      case "escaped":
        if (!crowd) parts.push(`${event.mouse} is home, ${signed(event.points)}`);
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

/** "12 jumps, 1 entry, 2 home: P1 +45, P2 −10" */
function describeCrowd(moves: readonly MatchEvent[]): string {
  const points = new Map<string, number>();
  for (const move of moves) {
    if (move.type !== "jumped" && move.type !== "escaped") continue;
    const [, owner] = /_(P[1-4])$/.exec(move.mouse) ?? []; // the Orb is nobody's
    if (owner) points.set(owner, (points.get(owner) ?? 0) + move.points);
  }
  const count = (type: MatchEvent["type"]) => moves.filter((e) => e.type === type).length;
  const counts = [
    plural(count("jumped"), "jump"),
    count("entered") > 0 ? plural(count("entered"), "entry", "entries") : "",
    count("escaped") > 0 ? `${count("escaped")} home` : "",
  ].filter(Boolean);
  const gains = [...points].sort(([a], [b]) => a.localeCompare(b)).map(([player, n]) => `${player} ${signed(n)}`);
  return gains.length === 0 ? counts.join(", ") : `${counts.join(", ")}: ${gains.join(", ")}`;
}

export const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);
