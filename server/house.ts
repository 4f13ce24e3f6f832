/** The seats that the house drives: whoever holds a match sees that its bots come (DESIGN 3). */
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { BotSupervisor, Clock, HouseSeat, Reporter } from "../rooms/ports.ts";
import { isHouseSeat } from "../rooms/seating.ts";

const COMES_WITHIN_MS = 30_000;

export interface HousePorts {
  readonly bots: BotSupervisor;
  readonly clock: Clock;
  readonly report: Reporter;
}

/** How long bots hold their moves back, in milliseconds: by themselves, and when people play along. */
export interface Paces {
  readonly showcasePaceMs: number;
  readonly botPaceMs: number;
}

/** Starts the bots of a match. Rejects when one cannot be started; a waiting room to which none comes is closed. */
export async function driveHouse(holder: MatchHolder, ports: HousePorts, paces: Paces): Promise<void> {
  const { bots, clock, report } = ports;
  const seats = houseSeats(holder, paces);
  if (seats.length === 0) return;
  await Promise.all(seats.map((seat) => bots.drive(seat)));
  const missing = () => holder.match.seats.filter((s) => isHouseSeat(s) && !s.taken).map(({ seat }) => seat);
  if (missing().length === 0) return;
  clock.after(COMES_WITHIN_MS, () => {
    const { engine, closed } = holder.match;
    if (closed || engine.phase !== "waiting" || missing().length === 0) return;
    const error = new Error(`no house bot came to ${missing().join(", ")}`);
    report.error(error, { match_id: holder.id, code: holder.code, at: "house" });
    void holder.abandon();
  });
}

function houseSeats(holder: MatchHolder, { showcasePaceMs, botPaceMs }: Paces): HouseSeat[] {
  const { id, code, seats } = holder.match;
  const pace_ms = seats.every(isHouseSeat) ? showcasePaceMs : botPaceMs;
  return seats.flatMap(({ seat, brain, style }) =>
    brain === null ? [] : [{ match_id: id, code, seat, seat_token: holder.tokenFor(seat), brain, style, pace_ms }],
  );
}
