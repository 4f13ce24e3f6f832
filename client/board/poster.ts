/** A made-up position of a level, always the same, to stand for it on its card before anybody has played. */
import { levelOf } from "../../shared/engine/levels.ts";
import { type Format, GEAR_TYPES, type MouseState, type Quarter, type TileLabel } from "../../shared/engine/types.ts";
import { FORWARD } from "./layout.ts";
import { BASES, type BaseState, type BoardModel, parityOf, type TileView, tileLabel } from "./model.ts";

/** Throws RangeError when there is no such level. */
export function poster(format: Format, level: number): BoardModel {
  const made = levelOf(format, level);
  if (made === null) throw new RangeError(`no level ${format} ${level}`);
  const { width, height, players, map } = made;
  const tiles = new Map<TileLabel, TileView>();
  const mice = new Map<string, MouseState>();
  let seed = format.length * 7 + level * 131 + width;
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (seed >>> 8) % n;
  };
  for (let y = 1; y <= height; y++) {
    for (let x = 1; x <= width; x++) {
      const label = tileLabel(x, y);
      const obstacle = map[y - 1]?.[x - 1] === "0";
      const edge = Math.min(x - 1, width - x, y - 1, height - y);
      const filled = !obstacle && random(10) < 9 - edge * 2;
      const type = GEAR_TYPES[random(4)] ?? "G3";
      const b = random(4) as Quarter;
      const owner = ownerAt(x, y, width, height, players.length);
      const bases = [0, 1, 2, 3].map((k): BaseState => (BASES[type].includes(k as Quarter) ? "free" : "absent"));
      if (filled && random(3) === 0) {
        const base = BASES[type][0] ?? 0;
        bases[base] = "taken";
        mice.set(`seated-${label}`, {
          owner,
          pos: label,
          x,
          y,
          on_base: base,
          facing: ((b + base) & 3) as Quarter,
          status: "IN_PLAY",
        });
      }
      tiles.set(label, {
        label,
        x,
        y,
        parity: parityOf(x, y),
        obstacle,
        gear: filled ? { type, b, owner, bases: bases as [BaseState, BaseState, BaseState, BaseState] } : null,
      });
    }
  }
  for (const player of players) {
    const vertical = player === "P1" || player === "P2";
    for (let i = 1; i <= (vertical ? width : height); i++) {
      if (random(3) === 0) continue;
      const x = vertical ? i : player === "P3" ? width + 1 : 0;
      const y = vertical ? (player === "P1" ? 0 : height + 1) : i;
      mice.set(`M${i}_${player}`, {
        owner: player,
        pos: tileLabel(x, y),
        x,
        y,
        on_base: null,
        facing: FORWARD[player],
        status: "WAITING",
      });
    }
  }
  return { width, height, players, tiles, mice };
}

function ownerAt(x: number, y: number, width: number, height: number, count: number) {
  if (count === 1) return "P1";
  if (count === 2) return y <= height / 2 ? "P1" : "P2";
  const near = [y - 1, height - y, width - x, x - 1];
  return (["P1", "P2", "P3", "P4"] as const)[near.indexOf(Math.min(...near))] ?? "P1";
}
