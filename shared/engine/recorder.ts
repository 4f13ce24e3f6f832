import type { Geometry } from "./geometry.ts";
import { blockOf, orientation, type Position } from "./position.ts";
import {
  type BasePlace,
  type Departure,
  GEAR_TYPES,
  type MatchEvent,
  type MatchResult,
  type PlayerId,
  type Quarter,
  type RefusalCode,
} from "./types.ts";

/** Collects, while a turn is played, its events (R5's order) and its history lines (R13.2). */
export class Recorder {
  readonly events: MatchEvent[] = [];
  readonly lines: string[] = [];
  readonly #geometry: Geometry;

  constructor(geometry: Geometry) {
    this.#geometry = geometry;
  }

  started(player: number): void {
    this.events.push({ type: "started", current_player: this.#player(player) });
  }

  /** The line of the turn that is about to be played or lost. */
  line(position: Position, player: number, text: string): void {
    this.lines.push(`Turn ${position.turn + 1} [${this.#player(player)}]: ${text}`);
  }

  placed(player: number, type: number, tile: number, b: number): void {
    const gear = GEAR_TYPES[type - 1]!;
    this.events.push({ type: "placed", player: this.#player(player), gear, tile: this.#label(tile), b: b as Quarter });
  }

  /** Called before the gear turns. */
  premoved(position: Position, tile: number, b: number): void {
    const from = orientation(position, tile) as Quarter;
    this.events.push({ type: "premoved", tile: this.#label(tile), from, to: b as Quarter });
  }

  /** Called before the block turns. */
  turned(position: Position, tile: number, turn: number): void {
    const { sign, tileCount } = this.#geometry;
    const gears: { tile: Label; from: Quarter; to: Quarter }[] = [];
    for (let t = 0; t < tileCount; t++) {
      if (position.gear[t] === 0 || blockOf(position, t) !== blockOf(position, tile)) continue;
      const from = orientation(position, t);
      const to = (from + sign[t]! * sign[tile]! * turn) & 3;
      gears.push({ tile: this.#label(t), from: from as Quarter, to: to as Quarter });
    }
    this.events.push({ type: "turned", tile: this.#label(tile), turn: turn < 0 ? -90 : 90, gears });
  }

  entered(mouse: number, tile: number, base: number): void {
    this.events.push({ type: "entered", mouse: this.#mouse(mouse), ...this.#place(tile, base) });
  }

  jumped(mouse: number, tile: number, base: number, toTile: number, toBase: number, points: number): void {
    const from = this.#place(tile, base);
    const to = this.#place(toTile, toBase);
    this.events.push({ type: "jumped", mouse: this.#mouse(mouse), from, to, points });
  }

  escaped(mouse: number, tile: number, base: number, points: number): void {
    this.events.push({ type: "escaped", mouse: this.#mouse(mouse), from: this.#place(tile, base), points });
  }

  locked(mouse: number): void {
    this.events.push({ type: "locked", mouse: this.#mouse(mouse) });
  }

  /** Called after entropy: the gear now on `to[i]` came from `from[i]`. */
  entropy(position: Position, from: readonly number[], to: readonly number[]): void {
    const moves = to.map((tile, i) => ({
      from: this.#label(from[i]!),
      to: this.#label(tile),
      b: orientation(position, tile) as Quarter,
    }));
    this.events.push({ type: "entropy", moves });
    const text = moves.map((move) => `${move.from}->${move.to}(b=${move.b})`).join(", ");
    this.lines.push(`[EVENT] ⚠️ TOTAL ENTROPY: ${text}`);
  }

  orb(position: Position, tile: number, base: number): void {
    const facing = ((orientation(position, tile) + base) & 3) as Quarter;
    const mouse = this.#mouse(this.#geometry.orb);
    this.events.push({ type: "orb", mouse, ...this.#place(tile, base), facing });
    const gear = GEAR_TYPES[position.gear[tile]! - 1]!;
    const where = `${gear}_Base_${facing * 90} (${this.#label(tile)})`;
    this.lines.push(`Turn ${position.turn} [EVENT] 🔮 ORB ANOMALY INJECTED AT ${where}`);
  }

  refused(player: number, code: RefusalCode, refusals: number): void {
    this.events.push({ type: "refused", player: this.#player(player), code, refusals_this_turn: refusals });
  }

  turnLost(position: Position, player: number, text: string): void {
    this.events.push({ type: "turn_lost", player: this.#player(player), text });
    this.line(position, player, `[ERROR] ${text}`);
  }

  out(position: Position, player: number, reason: Departure): void {
    this.events.push({ type: "out", player: this.#player(player), reason });
    this.line(position, player, `[${reason}]`);
  }

  over(result: MatchResult): void {
    this.events.push({ type: "over", result });
  }

  #label(tile: number): Label {
    return this.#geometry.labels[tile]!;
  }

  #player(player: number): PlayerId {
    return this.#geometry.level.players[player]!;
  }

  #mouse(mouse: number): string {
    return this.#geometry.mouseIds[mouse]!;
  }

  #place(tile: number, base: number): BasePlace {
    return { tile: this.#label(tile), base: base as Quarter };
  }
}

type Label = Geometry["labels"][number];
