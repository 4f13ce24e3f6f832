/** Rooms with two bots each that move as fast as they are answered: moves a second and how long an answer takes. */
import { type Figures, quantile } from "../figures.ts";
import { Generator, type Load } from "../generator.ts";
import { type Subject, type SubjectName, startSubject } from "../subject.ts";
import { BOTH_BASELINES, type Part, type Settings, wait } from "./part.ts";

const SIZE = {
  full: { rooms: 1_000, warmMs: 3_000, measuredMs: 6_000 },
  quick: { rooms: 50, warmMs: 300, measuredMs: 500 },
};

export const moves: Part = {
  name: "moves",
  subjects: BOTH_BASELINES,
  targets: [{ figure: "moves_per_s", atLeast: 0.7 }],
  async run(name, settings) {
    const { rooms, warmMs, measuredMs } = settings.quick ? SIZE.quick : SIZE.full;
    return (await pace(name as SubjectName, settings, { level: settings.level, rooms }, { warmMs, measuredMs }))
      .figures;
  },
};

export interface Pace {
  readonly figures: Figures;
  /** Answered from the first move to the last, not only while it was measured. */
  readonly moves: number;
}

/** Plays at full pace and measures. `then` is done before the subject is stopped, all having been answered. */
export async function pace(
  name: SubjectName,
  settings: Settings,
  load: Load,
  { warmMs, measuredMs }: { readonly warmMs: number; readonly measuredMs: number },
  then: (subject: Subject, generator: Generator) => Promise<void> = async () => {},
): Promise<Pace> {
  const subject = await startSubject(name, settings);
  let generator: Generator | null = null;
  try {
    generator = await Generator.start(subject, load);
    generator.play();
    await wait(warmMs);
    await subject.usage();
    generator.mark();
    const before = await subject.usage();
    await wait(measuredMs);
    const [after, measured] = await Promise.all([subject.usage(), generator.freeze()]);
    const { moves: answered, exhausted } = await generator.stop();
    if (exhausted > 0) throw new Error(`${exhausted} duels ended while it was measured: take a higher --level`);
    await then(subject, generator);
    const counted = measured.reduce((sum, one) => sum + one.moves, 0);
    const perSecond = (count: (one: (typeof measured)[number]) => number) =>
      measured.reduce((sum, one) => sum + (1_000 * count(one)) / one.milliseconds, 0);
    const latencies = measured.flatMap((one) => one.latencies).sort((a, b) => a - b);
    const figures = {
      moves_per_s: perSecond((one) => one.moves),
      p50_ms: quantile(latencies, 0.5),
      p99_ms: quantile(latencies, 0.99),
      cpu_us_per_move: (1_000 * (after.cpuMs - before.cpuMs)) / counted,
      ...(load.spectators ? { deliveries_per_s: perSecond((one) => one.deliveries) } : {}),
    };
    return { figures, moves: answered };
  } finally {
    await generator?.end();
    await subject.stop();
  }
}
