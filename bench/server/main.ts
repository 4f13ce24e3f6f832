/**
 * `npm run bench:server`: what the server does under load, beside a bare Colyseus room and bare `ws` that echo, each
 * measured in the same minutes. Arguments: names of parts (all when left out); `--quick`; `--repeat n` (3), medians are
 * told; `--json file` writes all figures, `--json -` prints them; `--level n`, `--dir path` (the disk), `--only subject`,
 * `--node-arg arg` for the measured process.
 */
import { writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { type Figures, type Row, rowsOf, table } from "./figures.ts";
import { fanout } from "./parts/fanout.ts";
import { idle } from "./parts/idle.ts";
import { memory } from "./parts/memory.ts";
import { moves } from "./parts/moves.ts";
import type { Part } from "./parts/part.ts";
import { recovery } from "./parts/recovery.ts";

const PARTS: readonly Part[] = [moves, fanout, memory, recovery, idle];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    repeat: { type: "string" },
    json: { type: "string" },
    level: { type: "string", default: "2" },
    dir: { type: "string", default: tmpdir() },
    only: { type: "string" },
    "node-arg": { type: "string", multiple: true, default: [] },
  },
});
const { quick, dir, only } = options;
const settings = { quick, dir, level: Number(options.level), nodeArgs: options["node-arg"] };
const repeat = Number(options.repeat ?? (quick ? 1 : 3));
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) throw new Error(`no part ${unknown[0]}; there are ${PARTS.map(({ name }) => name).join(", ")}`);

const chosen = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const quiet = options.json === "-";
const rows: Row[] = [];
for (const part of chosen) {
  const subjects = part.subjects.filter((name) => only === undefined || name === only);
  const measured = new Map<string, Figures[]>(subjects.map((name) => [name, []]));
  // Subject after subject within each repetition, so that what else the machine does falls on all alike.
  for (let round = 0; round < repeat; round++) {
    for (const name of subjects) measured.get(name)?.push(await part.run(name, settings));
  }
  const found = rowsOf(part.name, measured, part.targets);
  rows.push(...found);
  if (!quiet) console.log(`${table(found)}\n`);
}
const report = {
  machine: { cores: cpus().length, cpu: cpus()[0]?.model ?? "", load: loadavg()[0], node: process.version },
  quick,
  repeat,
  rows,
};
const text = `${JSON.stringify(report, null, 2)}\n`;
if (quiet) process.stdout.write(text);
else if (options.json !== undefined) await writeFile(options.json, text);
