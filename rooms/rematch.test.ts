import { describe, expect, test } from "vitest";
import type { SeatSpec } from "../shared/protocol/log.ts";
import { type Bench, bench, seatAll, settled } from "./testing/kit.ts";

const ANY: SeatSpec = { kind: "any", brain: null, style: null, name: null };
const HOUSE: SeatSpec = { kind: "ai", brain: "greedy", style: null, name: null };

async function over(format: "1v1" | "2v2" | "ffa4", seats?: readonly SeatSpec[]): Promise<Bench> {
  const b = await bench(seats ? { format, seats } : { format });
  await seatAll(b);
  for (const seat of b.holder.match.seats) if (seat.brain !== null) await b.holder.houseArrived(seat.seat);
  await b.holder.abandon();
  return b;
}

describe("rematch (PROTOCOL 2)", () => {
  test("not before the end", async () => {
    const b = await bench();
    await seatAll(b);
    expect(await b.holder.rematch("P1")).toMatchObject({ code: "match_not_over" });
  });

  test("opens when every connected seat has asked; each is told its own seat, one on", async () => {
    const b = await over("1v1");
    b.holder.connect("P1");
    b.holder.connect("P2");
    expect(await b.holder.rematch("P1")).toMatchObject({ ok: true, asked: ["P1"], opened: null });
    expect(await b.holder.rematch("P1")).toMatchObject({ ok: true, asked: ["P1"], opened: null });
    expect(b.rematches).toHaveLength(0);
    await b.clock.advance(200);
    expect(b.presence.at(-1)?.rematch).toEqual(["P1"]);
    expect(await b.holder.rematch("P2")).toMatchObject({ ok: true, opened: { seat: "P1", seat_token: "token P1" } });
    expect(b.rematches).toHaveLength(1);
    expect(b.rematches[0]?.players.map((p) => [p.was, p.seat, p.name])).toEqual([
      ["P2", "P1", "P2"],
      ["P1", "P2", "P1"],
    ]);
    expect(b.told).toHaveLength(1);
    // Asking again gives the same room.
    expect(await b.holder.rematch("P1")).toMatchObject({ opened: { seat: "P2" } });
    expect(b.rematches).toHaveLength(1);
  });

  test("the house is not asked, and its seats move on like all", async () => {
    const b = await over("1v1", [ANY, HOUSE]);
    b.holder.connect("P1");
    b.holder.connect("P2");
    expect(await b.holder.rematch("P1")).toMatchObject({ opened: { seat: "P2" } });
    expect(b.rematches[0]?.seats.map((s) => s.brain)).toEqual(["greedy", null]);
  });

  test("2v2: the teams swap edges and partners stay partners", async () => {
    const b = await over("2v2");
    for (const seat of ["P1", "P2", "P3", "P4"] as const) await b.holder.rematch(seat);
    const first = b.rematches[0];
    // Nobody was connected, so the first to ask was all there was to wait for.
    expect(first?.players.map((p) => [p.was, p.seat])).toEqual([["P1", "P3"]]);
    const c = await over("2v2");
    for (const seat of ["P1", "P2", "P3", "P4"] as const) c.holder.connect(seat);
    for (const seat of ["P4", "P2", "P1", "P3"] as const) await c.holder.rematch(seat);
    expect(c.rematches[0]?.players.map((p) => [p.was, p.seat])).toEqual([
      ["P3", "P1"],
      ["P4", "P2"],
      ["P1", "P3"],
      ["P2", "P4"],
    ]);
  });

  test("whoever has gone without asking is not waited for", async () => {
    const b = await over("1v1");
    b.holder.connect("P1");
    const gone = b.holder.connect("P2");
    await b.holder.rematch("P1");
    expect(b.rematches).toHaveLength(0);
    gone();
    await settled();
    expect(b.rematches[0]?.players.map((p) => p.was)).toEqual(["P1"]);
    expect(b.told).toHaveLength(1);
    // Who comes back and asks after all is seated as well.
    expect(await b.holder.rematch("P2")).toMatchObject({ opened: { seat: "P1", seat_token: "token P1" } });
    expect(b.rematches).toHaveLength(1);
    expect(b.told).toHaveLength(1);
  });

  test("the old room closes soon after", async () => {
    const b = await over("1v1");
    await b.holder.rematch("P1");
    await b.clock.advance(60_000);
    expect(b.retired).toBe(true);
  });
});
