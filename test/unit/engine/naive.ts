/**
 * The rules once more, written straight from RULES.md with records and strings and no thought of speed: every gear of
 * a block is turned one by one, the block is found by walking, legal commands are found by trying. Only for tests.
 */
import type { Format, PlayerId, Stock } from "../../../shared/engine/index.ts";

interface Gear {
  type: number;
  b: number;
  owner: PlayerId;
}

interface Mouse {
  id: string;
  owner: PlayerId | null;
  lane: number;
  status: "WAITING" | "IN_PLAY" | "ESCAPED";
  x: number;
  y: number;
  base: number;
  locked: boolean;
}

interface Setup {
  readonly format: Format;
  readonly level: number;
  readonly width: number;
  readonly height: number;
  readonly map: readonly string[];
  readonly players: readonly PlayerId[];
  readonly stock: Stock;
  readonly maxMoves: number;
  readonly seed: string;
}

const BASES = [[], [0], [0, 2], [1, 2, 3], [0, 1, 2, 3]];
const STEP = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
] as const;
const FORWARD = { P1: 0, P2: 2, P3: 1, P4: 3 };
const mod4 = (n: number) => ((n % 4) + 4) % 4;

export class NaiveMatch {
  readonly setup: Setup;
  readonly gears = new Map<string, Gear>();
  readonly mice: Mouse[] = [];
  readonly stock: Record<string, number[]> = {};
  readonly scores: Record<string, number> = {};
  readonly history: string[] = [];
  turn = 0;
  mover: PlayerId;
  result: "VICTORY" | "TIMEOUT" | null = null;
  #random: bigint[];

  constructor(setup: Setup) {
    this.setup = setup;
    this.mover = setup.players[0]!;
    this.#random = [0, 8, 16, 24].map((at) => BigInt(`0x${setup.seed.slice(at, at + 8)}`));
    for (const owner of setup.players) {
      this.stock[owner] = Object.values(setup.stock);
      this.scores[owner] = 0;
      const lanes = owner === "P1" || owner === "P2" ? setup.width : setup.height;
      for (let lane = 1; lane <= lanes; lane++) {
        const [x, y] = { P1: [lane, 0], P2: [lane, setup.height + 1], P3: [setup.width + 1, lane], P4: [0, lane] }[
          owner
        ];
        const id = `M${lane}_${owner}`;
        this.mice.push({ id, owner, lane, status: "WAITING", x: x!, y: y!, base: -1, locked: false });
      }
    }
  }

  /** Every legal command in canonical form (R4.6). */
  legal(): string[] {
    const all: string[] = [];
    const stock = this.stock[this.mover]!;
    const labels = this.#tiles();
    if (stock.some((n) => n > 0)) {
      for (const [x, y] of labels.filter(([x, y]) => this.#mayPlace(x, y))) {
        for (const [i, n] of stock.entries()) {
          if (n === 0) continue;
          for (let b = 0; b < 4; b++) for (const d of ["+90", "-90"]) all.push(`G${i + 1}@P${x}${y}(b=${b})${d}`);
        }
      }
      return all;
    }
    const mine = labels.filter(([x, y]) => this.#network().has(`${x},${y}`)).map(([x, y]) => `P${x}${y}`);
    for (const t of mine) {
      for (const d of ["+90", "-90"]) {
        all.push(`G@${t}${d}`);
        for (const p of mine) for (let b = 0; b < 4; b++) all.push(`G@${p}:b=${b} ; G@${t}${d}`);
      }
    }
    return all;
  }

  /** Plays a command given by its parts (R5). */
  play(
    command: { type?: number; x: number; y: number; b: number; d: 1 | -1; pre?: { x: number; y: number } },
    text: string,
  ) {
    const { x, y, b, d, type, pre } = command;
    this.history.push(`Turn ${this.turn + 1} [${this.mover}]: ${text}`);
    let emptied = false;
    if (type !== undefined) {
      this.gears.set(`${x},${y}`, { type, b, owner: this.mover });
      this.stock[this.mover]![type - 1]! -= 1;
      emptied = this.stock[this.mover]!.every((n) => n === 0);
      this.#enter();
    } else if (pre !== undefined) {
      this.gears.get(`${pre.x},${pre.y}`)!.b = b;
    }
    for (const key of this.#block(`${x},${y}`)) {
      const [gx, gy] = key.split(",").map(Number);
      const gear = this.gears.get(key)!;
      gear.b = mod4(gear.b + ((gx! + gy!) % 2 === (x + y) % 2 ? d : -d));
    }
    if (emptied && this.setup.format === "solo") this.#entropy();
    this.#enter();
    for (const mouse of this.#ordered()) this.#jump(mouse);
    this.turn += 1;
    const players = this.setup.players;
    this.mover = players[(players.indexOf(this.mover) + 1) % players.length]!;
    this.#orb();
    if (this.mice.every((mouse) => mouse.owner === null || mouse.status === "ESCAPED")) this.result = "VICTORY";
    else if (this.turn === this.setup.maxMoves) this.result = "TIMEOUT";
  }

  board(): string[] {
    return this.#tiles().map(([x, y]) => {
      const side = (x + y) % 2 === 0 ? "R" : "L";
      const gear = this.gears.get(`${x},${y}`);
      if (this.setup.map[y - 1]![x - 1] === "0") return "obstacle";
      if (gear === undefined) return `P${x}${y}${side}`;
      const digits = [0, 1, 2, 3].map((k) => (!BASES[gear.type]!.includes(k) ? "2" : this.#rider(x, y, k) ? "1" : "0"));
      return `G${gear.type}P${x}${y}${side}${gear.b}B${digits.join("")}`;
    });
  }

  briefMice(): Record<string, string> {
    return Object.fromEntries(
      this.mice.map(({ id, status, x, y, base, locked }) => [
        id,
        status === "ESCAPED" ? status : `${status} P${x}${y} ${base} ${locked}`,
      ]),
    );
  }

  #tiles(): [number, number][] {
    const all: [number, number][] = [];
    for (let y = 1; y <= this.setup.height; y++) for (let x = 1; x <= this.setup.width; x++) all.push([x, y]);
    return all;
  }

  #block(key: string): Set<string> {
    const found = new Set([key]);
    for (const each of found) {
      const [x, y] = each.split(",").map(Number);
      for (const [dx, dy] of STEP) if (this.gears.has(`${x! + dx},${y! + dy}`)) found.add(`${x! + dx},${y! + dy}`);
    }
    return found;
  }

  #network(): Set<string> {
    const mine = [...this.gears].filter(([, gear]) => gear.owner === this.mover);
    return new Set(mine.flatMap(([key]) => [...this.#block(key)]));
  }

  #mayPlace(x: number, y: number): boolean {
    const free = (fx: number, fy: number) => !this.gears.has(`${fx},${fy}`) && this.setup.map[fy - 1]![fx - 1] === "1";
    if (!free(x, y)) return false;
    const { width, height } = this.setup;
    const network = this.#network();
    if (network.size === 0) {
      const onEdge = ([ex, ey]: readonly [number, number]) =>
        ({ P1: ey === 1, P2: ey === height, P3: ex === width, P4: ex === 1 })[this.mover];
      if (this.#tiles().some((tile) => onEdge(tile) && free(tile[0], tile[1]))) return onEdge([x, y]);
      return STEP.some(([dx, dy]) => this.gears.has(`${x + dx},${y + dy}`));
    }
    return STEP.some(([dx, dy]) => network.has(`${x + dx},${y + dy}`));
  }

  #rider(x: number, y: number, k: number): boolean {
    return this.mice.some((m) => m.status === "IN_PLAY" && m.x === x && m.y === y && m.base === k);
  }

  /** The free base of the gear on (x,y) that faces so, or -1. */
  #freeBase(x: number, y: number, facing: number): number {
    const gear = this.gears.get(`${x},${y}`);
    if (gear === undefined) return -1;
    return BASES[gear.type]!.find((k) => mod4(gear.b + k) === facing && !this.#rider(x, y, k)) ?? -1;
  }

  #ordered(): Mouse[] {
    const { players } = this.setup;
    const first = players.indexOf(this.mover);
    const order = [...players.slice(first), ...players.slice(0, first), null];
    return order.flatMap((owner) => this.mice.filter((mouse) => mouse.owner === owner));
  }

  #enter() {
    for (const mouse of this.#ordered().filter((each) => each.status === "WAITING")) {
      const forward = FORWARD[mouse.owner!];
      const [x, y] = [mouse.x + STEP[forward]![0], mouse.y + STEP[forward]![1]];
      const base = this.#freeBase(x, y, mod4(forward + 2));
      if (base >= 0) Object.assign(mouse, { status: "IN_PLAY", x, y, base });
    }
  }

  #jump(mouse: Mouse) {
    if (mouse.status !== "IN_PLAY" || mouse.locked) return;
    const facing = mod4(this.gears.get(`${mouse.x},${mouse.y}`)!.b + mouse.base);
    const forward = FORWARD[mouse.owner ?? "P1"];
    const [x, y] = [mouse.x + STEP[facing]![0], mouse.y + STEP[facing]![1]];
    if (x < 1 || y < 1 || x > this.setup.width || y > this.setup.height) {
      if (facing !== forward) return;
      if (mouse.owner === null) mouse.locked = true;
      else {
        mouse.status = "ESCAPED";
        this.scores[mouse.owner]! += 10;
      }
      return;
    }
    const base = this.#freeBase(x, y, mod4(facing + 2));
    if (base < 0) return;
    if (mouse.owner !== null)
      this.scores[mouse.owner]! += facing === forward ? 10 : facing === mod4(forward + 2) ? -10 : 5;
    Object.assign(mouse, { x, y, base });
  }

  #entropy() {
    const y = this.setup.height - 1;
    const keys = this.#tiles().flatMap(([tx, ty]) =>
      ty === y && this.gears.has(`${tx},${ty}`) ? [`${tx},${ty}`] : [],
    );
    const from = [...keys];
    for (let i = from.length - 1; i >= 1; i--) {
      const j = this.#below(i + 1);
      [from[i], from[j]] = [from[j]!, from[i]!];
    }
    const old = new Map(keys.map((key) => [key, this.gears.get(key)!]));
    const riders = this.mice.filter((mouse) => mouse.status === "IN_PLAY" && old.has(`${mouse.x},${mouse.y}`));
    const home = new Map(riders.map((mouse) => [mouse, `${mouse.x},${mouse.y}`]));
    const log: string[] = [];
    for (const [i, key] of keys.entries()) {
      const gear = old.get(from[i]!)!;
      this.gears.set(key, gear);
      gear.b = this.#below(4);
      for (const mouse of riders) if (home.get(mouse) === from[i]) mouse.x = Number(key.split(",")[0]);
      log.push(`P${from[i]!.replace(",", "")}->P${key.replace(",", "")}(b=${gear.b})`);
    }
    this.history.push(`[EVENT] ⚠️ TOTAL ENTROPY: ${log.join(", ")}`);
  }

  #orb() {
    const due = this.setup.format === "solo" && this.turn >= 5 + (this.setup.level - 1) * 2;
    if (!due || this.mice.some((mouse) => mouse.owner === null)) return;
    const free = this.#tiles().flatMap(([x, y]) =>
      (BASES[this.gears.get(`${x},${y}`)?.type ?? 0] ?? []).filter((k) => !this.#rider(x, y, k)).map((k) => [x, y, k]),
    );
    if (free.length === 0) return;
    const [x, y, k] = free[this.#below(free.length)] as [number, number, number];
    this.mice.push({ id: "Orb_1", owner: null, lane: 0, status: "IN_PLAY", x, y, base: k, locked: false });
    const gear = this.gears.get(`${x},${y}`)!;
    const where = `G${gear.type}_Base_${mod4(gear.b + k) * 90} (P${x}${y})`;
    this.history.push(`Turn ${this.turn} [EVENT] 🔮 ORB ANOMALY INJECTED AT ${where}`);
  }

  /** R11.3, with big integers. */
  #below(n: number): number {
    const word = (value: bigint) => BigInt.asUintN(32, value);
    const rotl = (value: bigint, by: bigint) => word((value << by) | (value >> (32n - by)));
    for (;;) {
      let [s0, s1, s2, s3] = this.#random as [bigint, bigint, bigint, bigint];
      const number = Number(word(rotl(word(s1 * 5n), 7n) * 9n));
      const t = word(s1 << 9n);
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      this.#random = [s0, s1, s2 ^ t, rotl(s3, 11n)];
      if (number < Math.floor(2 ** 32 / n) * n) return number % n;
    }
  }
}
