/**
 * An agent for `gearmice play --agent-script agent.ts` (Node 22.18 or newer runs it as it is).
 * It gets the state of the match as JSON on standard input and answers with one JSON object on standard output:
 * {"command": "...", "reasoning": "..."}. It knows what is legal and picks one at random: put your own idea into `pick`.
 */
import { readFileSync } from "node:fs";

interface State {
  readonly meta: { readonly current_player: "P1" | "P2" | "P3" | "P4"; readonly dimensions: string };
  readonly data: {
    /** How many gears of each type are left: {"G1": 2, ...}. */
    readonly inventory: Readonly<Record<string, number>>;
    /** By tile: "P13R" is free, "G3P32L3B2001" a gear, "obstacle" neither. */
    readonly board_encoding: Readonly<Record<string, string>>;
    readonly gear_owners: Readonly<Record<string, string>>;
  };
}

const state = JSON.parse(readFileSync(0, "utf8")) as State;
process.stdout.write(JSON.stringify(pick(state)));

function pick(state: State): { command: string; reasoning: string } {
  const { tiles, types } = legal(state);
  const tile = any(tiles);
  const turn = any(["+90", "-90"]);
  if (types.length === 0) return { command: `G@${tile}${turn}`, reasoning: "All gears are placed: turn one of mine." };
  const [type, b] = [any(types), any([0, 1, 2, 3])];
  return {
    command: `${type}@${tile}(b=${b})${turn}`,
    reasoning: `${types.length} types left; ${tiles.length} tiles are open.`,
  };
}

/** Where this player may place a gear and of which type; without gears in stock, which gears it may turn. */
function legal(state: State): { tiles: string[]; types: string[] } {
  const me: string = state.meta.current_player;
  const [width = 0, height = 0] = state.meta.dimensions.split("x").map(Number);
  const board: Record<string, string> = state.data.board_encoding;
  const owners: Record<string, string> = state.data.gear_owners;
  const label = (x: number, y: number) => `P${x}${y}`;
  type Place = readonly [x: number, y: number];
  const near = (x: number, y: number): readonly Place[] => [
    [x, y + 1],
    [x - 1, y],
    [x, y - 1],
    [x + 1, y],
  ];
  const places: Place[] = [];
  for (let y = 1; y <= height; y++) for (let x = 1; x <= width; x++) places.push([x, y]);
  const isGear = (x: number, y: number) => board[label(x, y)]?.startsWith("G") ?? false;
  const isFree = (x: number, y: number) => board[label(x, y)]?.startsWith("P") ?? false;

  // My network: every block that holds at least one gear of mine.
  const mine = new Set<string>();
  const queue = places.filter(([x, y]) => owners[label(x, y)] === me);
  for (let at = queue.pop(); at; at = queue.pop()) {
    if (mine.has(label(...at))) continue;
    mine.add(label(...at));
    queue.push(...near(...at).filter(([x, y]) => isGear(x, y)));
  }

  const types = Object.entries(state.data.inventory).flatMap(([type, n]) => (Number(n) > 0 ? [type] : []));
  if (types.length === 0) return { tiles: [...mine], types };
  const edges: Record<string, (x: number, y: number) => boolean> = {
    P1: (_x, y) => y === 1,
    P2: (_x, y) => y === height,
    P3: (x) => x === width,
    P4: (x) => x === 1,
  };
  const free = places.filter(([x, y]) => isFree(x, y));
  const start = free.filter(([x, y]) => edges[me]?.(x, y));
  const beside = (test: (x: number, y: number) => boolean) =>
    free.filter(([x, y]) => near(x, y).some(([nx, ny]) => test(nx, ny)));
  const owns = Object.values(owners).includes(me);
  const open = owns ? beside((x, y) => mine.has(label(x, y))) : start.length > 0 ? start : beside(isGear);
  return { tiles: open.map(([x, y]) => label(x, y)), types };
}

function any<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)]!;
}
