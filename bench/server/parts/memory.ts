/** What a room keeps in memory, after garbage has been collected: waiting and live, without sockets and with them. */
import type { Figures } from "../figures.ts";
import { Generator, type Load } from "../generator.ts";
import { type Subject, type SubjectName, startSubject } from "../subject.ts";
import type { Part, Settings } from "./part.ts";

const ROOMS = { full: 1_000, quick: 50 };
/** Made before, so that what all rooms share is not counted as theirs. */
const FIRST = { full: 100, quick: 20 };
const MOVES = 10;

export const memory: Part = {
  name: "memory",
  subjects: ["gearmice", "colyseus"],
  targets: [
    { figure: "waiting_heap_kib", atMost: 1.5 },
    { figure: "live_heap_kib", atMost: 1.5 },
    { figure: "waiting_in_use_heap_kib", atMost: 1.5 },
    { figure: "live_in_use_heap_kib", atMost: 1.5 },
  ],
  async run(name, settings) {
    const of = async (kind: string, load: Omit<Load, "rooms" | "level">, played: number) => {
      const { heap, rss } = await perRoom(name as SubjectName, settings, load, played);
      return { [`${kind}_heap_kib`]: heap, [`${kind}_rss_kib`]: rss };
    };
    return {
      ...(await of("waiting", { live: false, sockets: false }, 0)),
      ...(await of("live", { live: true, sockets: false }, 0)),
      ...(await of("waiting_in_use", { live: false, sockets: true }, 0)),
      ...(await of("live_in_use", { live: true, sockets: true }, MOVES)),
    } as Figures;
  },
};

/** KiB of heap and of resident memory for each room more. */
async function perRoom(name: SubjectName, settings: Settings, load: Omit<Load, "rooms" | "level">, played: number) {
  const [rooms, first] = settings.quick ? [ROOMS.quick, FIRST.quick] : [ROOMS.full, FIRST.full];
  const subject = await startSubject(name, settings);
  const generators: Generator[] = [];
  const fill = async (count: number) => {
    const generator = await Generator.start(subject, { ...load, rooms: count, level: settings.level });
    generators.push(generator);
    if (played > 0) await generator.playSome(played);
    return settled(subject);
  };
  try {
    const before = await fill(first);
    const after = await fill(rooms);
    return {
      heap: (after.heapBytes - before.heapBytes) / 1_024 / rooms,
      rss: (after.rssBytes - before.rssBytes) / 1_024 / rooms,
    };
  } finally {
    await Promise.all(generators.map((generator) => generator.end()));
    await subject.stop();
  }
}

/** The usage when collecting finds no more: what calls and sockets have left goes only after their timers. */
async function settled(subject: Subject) {
  let usage = await subject.usage(true);
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const next = await subject.usage(true);
    const freed = usage.heapBytes - next.heapBytes;
    usage = next;
    if (i >= 3 && freed < 32 * 1_024) break;
  }
  return usage;
}
