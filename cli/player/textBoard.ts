/** The board as text: three lines a row of tiles, the top row first; bases stand around their gear. */
import { type MouseState, type PlayerId, parseBoard, type Size } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";

/** ANSI colours of the players; the digit says the same without them. */
const COLOUR: Readonly<Record<PlayerId, number>> = { P1: 34, P2: 33, P3: 31, P4: 35 };

export interface TextOptions {
  readonly colour: boolean;
}

/** Lines without newlines. A base is `o` when free, the digit of its mouse's player when taken, `@` for the Orb. */
export function textBoard(state: NativeState, { colour }: TextOptions): string[] {
  const { data, meta } = state;
  const size = sizeOf(meta.dimensions);
  const read = parseBoard(Object.values(data.board_encoding), size);
  const cells = read.ok ? read.value : [];
  const mice = Object.values(data.mice).filter(({ status }) => status === "IN_PLAY");
  const paint = (text: string, player: PlayerId | null | undefined) =>
    colour && player ? `\u001b[1;${COLOUR[player]}m${text}\u001b[0m` : text;
  const baseOf = (label: string, facing: number, exists: boolean) => {
    if (!exists) return " ";
    const mouse = mice.find((one) => one.pos === label && one.facing === facing);
    if (mouse === undefined) return "o";
    return mouse.owner === null ? "@" : paint(mouse.owner.slice(1), mouse.owner);
  };
  const lines: string[] = [];
  for (let y = size.height; y >= 1; y--) {
    const row: [string, string, string] = ["     ", `${String(y).padStart(3)}  `, "     "];
    for (let x = 1; x <= size.width; x++) {
      const cell = cells[(y - 1) * size.width + x - 1];
      if (cell === undefined || cell.type === "obstacle") {
        for (const i of [0, 1, 2] as const) row[i] += "####### ";
      } else if (cell.type === "free") {
        row[0] += "        ";
        row[1] += `   ${cell.side.toLowerCase()}    `;
        row[2] += "        ";
      } else {
        const at = (facing: number) => {
          const k = (facing - cell.b + 4) % 4;
          return baseOf(cell.tile, facing, HAS_BASE[cell.gear][k] === true);
        };
        const gear = paint(cell.gear, data.gear_owners[cell.tile]);
        row[0] += `   ${at(0)}    `;
        row[1] += ` ${at(1)} ${gear} ${at(3)} `;
        row[2] += `   ${at(2)}    `;
      }
    }
    lines.push(...row.map((text) => text.trimEnd()));
  }
  lines.push(
    `     ${Array.from({ length: size.width }, (_, i) => `   ${String(i + 1).padEnd(5)}`)
      .join("")
      .trimEnd()}`,
  );
  return lines;
}

/** R2.1 */
const HAS_BASE = {
  G1: [true, false, false, false],
  G2: [true, false, true, false],
  G3: [false, true, true, true],
  G4: [true, true, true, true],
} as const;

/** What stands under the board: one line a player. */
export function textStandings(state: NativeState, me: PlayerId | null): string[] {
  const { status, scoring, data, meta } = state;
  return (Object.keys(status.players) as PlayerId[]).map((player) => {
    const info = status.players[player];
    const own = Object.values(data.mice).filter((mouse: MouseState) => mouse.owner === player);
    const waiting = own.filter((mouse) => mouse.status === "WAITING").length;
    const stock = Object.entries(data.inventories[player] ?? {}).map(([type, n]) => `${type}×${n}`);
    const marks = [
      meta.current_player === player ? "to move" : "",
      info && info.status !== "ACTIVE" ? info.status : "",
      player === me ? "you" : "",
    ].filter((mark) => mark !== "");
    return [
      `${player} ${info?.name ?? "?"}`,
      `${scoring.scores[player] ?? 0} points`,
      `${status.mice_rescued[player] ?? 0}/${status.total_mice_per_player} home, ${waiting} waiting`,
      stock.join(" "),
      marks.join(", "),
    ]
      .filter((part) => part !== "")
      .join("  ·  ");
  });
}

export function sizeOf(dimensions: string): Size {
  const [width = 0, height = 0] = dimensions.split("x").map(Number);
  return { width, height };
}
