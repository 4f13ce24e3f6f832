/** Many idle spectators of one match on one process: what each keeps in memory, and how soon all hear of one move. */
import { quantile } from "../figures.ts";
import { Generator } from "../generator.ts";
import { type SubjectName, startSubject } from "../subject.ts";
import { BOTH_BASELINES, type Part, wait } from "./part.ts";

/** Rooms of many: Colyseus looks at each socket of a room when somebody joins. */
const SIZE = { full: { rooms: 10, spectators: 1_000 }, quick: { rooms: 2, spectators: 50 } };
const MOVES = 5;
const IDLE_MS = 3_000;

export const idle: Part = {
  name: "idle",
  subjects: BOTH_BASELINES,
  targets: [],
  async run(name, settings) {
    const { rooms, spectators } = settings.quick ? SIZE.quick : SIZE.full;
    const subject = await startSubject(name as SubjectName, settings);
    let generator: Generator | null = null;
    try {
      const empty = await subject.usage(true);
      generator = await Generator.start(subject, { level: settings.level, rooms, spectators });
      await wait(1_000);
      const full = await subject.usage(true);
      await wait(IDLE_MS);
      const idling = await subject.usage();
      // One move in every room: all spectators hear of one event each.
      const tookMs: number[] = [];
      for (let i = 0; i < MOVES; i++) {
        const played = await generator.playSome(1);
        tookMs.push(Math.max(...played.map(({ lastMs }) => lastMs)));
      }
      const after = await subject.usage();
      const all = rooms * spectators;
      tookMs.sort((a, b) => a - b);
      return {
        spectators: all,
        heap_kib_each: (full.heapBytes - empty.heapBytes) / 1_024 / all,
        rss_kib_each: (full.rssBytes - empty.rssBytes) / 1_024 / all,
        idle_loop_delay_p99_ms: idling.loopDelayP99Ms,
        idle_loop_delay_max_ms: idling.loopDelayMaxMs,
        fan_out_ms: quantile(tookMs, 0.5),
        fan_out_loop_delay_max_ms: after.loopDelayMaxMs,
      };
    } finally {
      await generator?.end();
      await subject.stop();
    }
  },
};
