/** The picture of a map, whether it can be played or not: tiles, and the mice that wait outside. */
import { PLAYERS_OF } from "../../shared/engine/levels.ts";
import type { MouseId, MouseState, PlayerId, TileLabel } from "../../shared/engine/types.ts";
import { type BoardModel, parityOf, type TileView, tileLabel } from "../board/model.ts";
import type { GameMap } from "./map.ts";

export function mapModel({ format, rows }: GameMap): BoardModel {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const tiles = new Map<TileLabel, TileView>();
  rows.forEach((row, i) => {
    for (let x = 1; x <= width; x++) {
      const [y, label] = [i + 1, tileLabel(x, i + 1)];
      tiles.set(label, { label, x, y, parity: parityOf(x, y), obstacle: row[x - 1] === "0", gear: null });
    }
  });
  const players = PLAYERS_OF[format];
  const mice = new Map<MouseId, MouseState>();
  for (const owner of players) {
    const lanes = owner === "P1" || owner === "P2" ? width : height;
    for (let lane = 1; lane <= lanes; lane++) {
      const [x, y] = outside(owner, lane, width, height);
      const seat = { owner, pos: tileLabel(x, y), x, y, on_base: null, facing: null, status: "WAITING" as const };
      mice.set(`M${lane}_${owner}` as MouseId, seat);
    }
  }
  return { width, height, players, tiles, mice };
}

/** R3.4 */
function outside(player: PlayerId, lane: number, width: number, height: number): [x: number, y: number] {
  switch (player) {
    case "P1":
      return [lane, 0];
    case "P2":
      return [lane, height + 1];
    case "P3":
      return [width + 1, lane];
    case "P4":
      return [0, lane];
  }
}
