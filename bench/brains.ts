/**
 * `npm run bench:brains`: how long the house's brains think, and which of them beats which.
 * Arguments: `time` or `strength` for one of the two; `--matches=50`; `--json`: one object a line.
 */
import type { Brain } from "../agents/brains/brain.ts";
import { BRAINS, brainKind } from "../agents/brains/registry.ts";
import { playLocally } from "../agents/local.ts";
import { createRng, type Format, type Match, nextUint32, type PlayerId, standings } from "../shared/engine/index.ts";
import type { NativeState } from "../shared/protocol/state.ts";

const SAMPLES = 60;

const args = process.argv.slice(2);
const json = args.includes("--json");
const matches = Number(args.find((a) => a.startsWith("--matches="))?.slice("--matches=".length) ?? 50);
const part = args.find((a) => a === "time" || a === "strength");

const rng = createRng("00000000000000000000000000001234");
const nextSeed = () => Array.from({ length: 4 }, () => nextUint32(rng).toString(16).padStart(8, "0")).join("");

function brain(name: string): Brain {
  const kind = brainKind(name);
  if (kind === null) throw new Error(`no brain ${name}`);
  return kind.create(nextSeed());
}

function tell(row: Record<string, string | number>): void {
  if (json) console.log(JSON.stringify(row));
  else
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name} ${value}`)
        .join("  "),
    );
}

/**
 * Longest, 99th percentile and median time of one choice, in ms, over `SAMPLES` positions spread over a match of
 * random play, which fills the board like any other. The first choice, which the compiler slows, is not counted.
 */
async function time(format: Format, level: number, name: string): Promise<void> {
  const views: { view: NativeState; seat: PlayerId }[] = [];
  const player = brain("random");
  const match = { format, level, seed: nextSeed(), brains: [player, player, player, player] };
  await playLocally({ ...match, onChoice: (view, seat) => views.push({ view, seat }) });
  const measured = brain(name);
  const every = Math.max(1, Math.floor(views.length / SAMPLES));
  const took: number[] = [];
  for (let i = 0; i < views.length; i += every) {
    const { view, seat } = views[i]!;
    const before = performance.now();
    await measured.choose(view, seat, { remainingMs: 600_000 });
    took.push(performance.now() - before);
  }
  took.shift();
  took.sort((a, b) => a - b);
  const at = (share: number) => Number(took[Math.min(took.length - 1, Math.floor(share * took.length))]!.toFixed(2));
  tell({
    bench: "think",
    brain: name,
    format,
    level,
    choices: took.length,
    median_ms: at(0.5),
    p99_ms: at(0.99),
    max_ms: at(1),
  });
}

/** Matches of two brains, each seat in turn. */
async function versus(format: Format, level: number, first: string, second: string): Promise<void> {
  let won = 0;
  let lost = 0;
  for (let i = 0; i < matches; i++) {
    const swapped = i % 2 === 1;
    const [a, b] = swapped ? [second, first] : [first, second];
    const brains = format === "1v1" ? [a, b] : format === "2v2" ? [a, a, b, b] : [a, b, a, b];
    const end = await playLocally({ format, level, seed: nextSeed(), brains: brains.map(brain) });
    const outcome = firstPlaced(end, brains);
    if (outcome === first) won++;
    else if (outcome === second) lost++;
  }
  tell({ bench: "versus", format, level, first, second, matches, won, lost, drawn: matches - won - lost });
}

/** The brain that holds all first places, or null. */
function firstPlaced(end: Match, brains: readonly string[]): string | null {
  const winners = new Set(
    standings(end, { kind: "casual", tokens: {} }).winner.map((player) => brains[end.players.indexOf(player)]),
  );
  return winners.size === 1 ? ([...winners][0] ?? null) : null;
}

/** How Solo ends for a brain: escaped mice and efficiency, the mean. */
async function solo(level: number, name: string): Promise<void> {
  let victories = 0;
  let efficiency = 0;
  for (let i = 0; i < matches; i++) {
    const end = await playLocally({ format: "solo", level, seed: nextSeed(), brains: [brain(name)] });
    if (end.result === "VICTORY") victories++;
    efficiency += standings(end, { kind: "casual", tokens: {} }).efficiency.P1 ?? 0;
  }
  tell({ bench: "solo", level, brain: name, matches, victories, mean_efficiency: (efficiency / matches).toFixed(1) });
}

if (part !== "strength") {
  for (const { name } of BRAINS) {
    for (const [format, level] of [
      ["solo", 7],
      ["1v1", 1],
      ["1v1", 4],
      ["2v2", 4],
      ["ffa4", 4],
    ] as const) {
      await time(format, level, name);
    }
  }
}
if (part !== "time") {
  for (const [format, level] of [
    ["1v1", 1],
    ["1v1", 2],
    ["2v2", 1],
    ["ffa4", 1],
  ] as const) {
    await versus(format, level, "greedy", "random");
    await versus(format, level, "expert", "greedy");
  }
  for (const level of [1, 2, 3]) for (const { name } of BRAINS) await solo(level, name);
}
