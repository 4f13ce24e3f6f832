/** Rooms with many spectators: how many of them are told a second while two bots move at full pace. */
import type { SubjectName } from "../subject.ts";
import { pace } from "./moves.ts";
import { BOTH_BASELINES, type Part } from "./part.ts";

const SIZE = {
  full: { rooms: 10, spectators: 200, warmMs: 1_000, measuredMs: 5_000 },
  quick: { rooms: 4, spectators: 10, warmMs: 100, measuredMs: 300 },
};

export const fanout: Part = {
  name: "fanout",
  subjects: BOTH_BASELINES,
  targets: [{ figure: "deliveries_per_s", atLeast: 0.8 }],
  async run(name, settings) {
    const { rooms, spectators, ...times } = settings.quick ? SIZE.quick : SIZE.full;
    // Few rooms make many moves each: only the largest board's duel is long enough.
    const load = { level: 4, rooms, spectators };
    return (await pace(name as SubjectName, { ...settings, level: 4 }, load, times)).figures;
  },
};
