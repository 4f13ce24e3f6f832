import { describe, expect, test } from "vitest";
import type { PlayerId } from "../shared/engine/index.ts";
import type { SeatSpec } from "../shared/protocol/log.ts";
import { applyEntry, type LiveMatch, openMatch } from "../shared/protocol/match.ts";
import { claimSeat, findSeat, isDeserted, type Newcomer, rematchSeat, rematchSeats } from "./seating.ts";
import { createdEntry, identity, plainTokens } from "./testing/kit.ts";

const H: SeatSpec = { kind: "human", brain: null, style: null, name: null };
const A: SeatSpec = { ...H, kind: "ai" };
const ANY: SeatSpec = { ...H, kind: "any" };
const HOUSE: SeatSpec = { ...A, brain: "greedy" };

function match(seats: readonly SeatSpec[], taken: readonly PlayerId[] = []): LiveMatch {
  const format = seats.length === 1 ? "solo" : seats.length === 2 ? "1v1" : "ffa4";
  let made = openMatch(createdEntry({ format, seats }));
  for (const seat of taken) {
    const spec = made.seats.find((s) => s.seat === seat);
    const kind = spec?.kind === "ai" ? "ai" : "human";
    made = applyEntry(made, {
      type: "seat_taken",
      seat,
      identity: identity(seat),
      name: seat,
      kind,
      model: null,
      at_ms: 0,
    }).match;
  }
  return made;
}

describe("which seat a newcomer gets (PROTOCOL 2)", () => {
  const eve = identity("eve");
  const rows: readonly [
    name: string,
    seats: readonly SeatSpec[],
    taken: readonly PlayerId[],
    who: Partial<Newcomer>,
    gets: PlayerId | string,
  ][] = [
    ["the first seat, P1 first", [ANY, ANY], [], {}, "P1"],
    ["the next free one", [ANY, ANY, ANY, ANY], ["P1", "P2"], {}, "P3"],
    ["a gap that somebody left", [ANY, ANY, ANY, ANY], ["P1", "P3"], {}, "P2"],
    ["a human passes seats for programs", [A, H], [], { kind: "human" }, "P2"],
    ["a program passes seats for humans", [H, A], [], { kind: "ai" }, "P2"],
    ["any takes whoever comes", [ANY, H], [], { kind: "ai" }, "P1"],
    ["nobody gets a seat of the house", [HOUSE, H], [], {}, "P2"],
    ["only house seats are free", [H, HOUSE], ["P1"], {}, "room_full"],
    ["no seat of that kind is free", [H, H], [], { kind: "ai" }, "room_full"],
    ["all are taken", [ANY, ANY], ["P1", "P2"], {}, "room_full"],
    ["a seat by name", [ANY, ANY, ANY, ANY], [], { seat: "P4" }, "P4"],
    ["a named seat that is taken", [ANY, ANY], ["P2"], { seat: "P2" }, "seat_taken"],
    ["a named seat of the house", [ANY, HOUSE], [], { seat: "P2" }, "seat_taken"],
    ["a named seat for others", [ANY, A], [], { seat: "P2", kind: "human" }, "forbidden"],
    ["a named seat that the format has not", [ANY, ANY], [], { seat: "P3" }, "bad_request"],
    ["the own seat again", [ANY, ANY], ["P1"], { identity: identity("P1") }, "P1"],
    ["the own seat, whatever is asked for", [ANY, ANY], ["P1"], { identity: identity("P1"), seat: "P2" }, "P1"],
    ["the own seat of a full room", [ANY, ANY], ["P1", "P2"], { identity: identity("P2") }, "P2"],
  ];
  test.each(rows)("%s", (_name, seats, taken, who, gets) => {
    const found = findSeat(match(seats, taken), { identity: eve, ...who });
    expect(found.ok ? found.seat : found.code).toBe(gets);
    if (found.ok) expect(found.again).toBe(who.identity !== undefined);
  });

  test("what sits down is what the seat is for, or what comes", () => {
    const kinds = (spec: SeatSpec, kind?: "human" | "ai") => {
      const found = findSeat(match([spec, spec]), { identity: eve, kind });
      return found.ok && found.kind;
    };
    expect([kinds(ANY), kinds(ANY, "ai"), kinds(A), kinds(H)]).toEqual(["human", "ai", "ai", "human"]);
  });

  test("a closed room and a match that is over take nobody", () => {
    const closed = applyEntry(match([ANY, ANY]), { type: "closed", at_ms: 0 }).match;
    expect(findSeat(closed, { identity: eve })).toMatchObject({ code: "room_closed" });
    const started = applyEntry(match([ANY, ANY], ["P1", "P2"]), { type: "start", at_ms: 0 }).match;
    const over = applyEntry(started, { type: "abandoned", at_ms: 0 }).match;
    expect(findSeat(over, { identity: eve })).toMatchObject({ code: "match_over" });
  });
});

describe("what a seat token opens", () => {
  const waiting = match([ANY, HOUSE], ["P1"]);
  const token = (change: object) =>
    plainTokens.issue({ match_id: waiting.id, seat: "P1", generation: 0, ...change } as never);
  const rows: readonly [name: string, token: string, gets: string][] = [
    ["its seat", token({}), "P1"],
    ["a house seat before its bot has come", token({ seat: "P2" }), "P2"],
    ["nothing when it is none of ours", "rubbish", "unauthorized"],
    ["nothing in another match", token({ match_id: "0198c5a6-7b1c-7d3e-8f00-0123456789ab" }), "forbidden"],
    ["nothing after the seat was given up", token({ generation: 1 }), "unauthorized"],
    ["nothing for a seat that is not there", token({ seat: "P4" }), "unauthorized"],
  ];
  test.each(rows)("%s", (_name, given, gets) => {
    const claim = claimSeat(waiting, plainTokens, given);
    expect(claim.ok ? claim.seat : claim.code).toBe(gets);
  });
  test("the token of before opens nothing when the seat was left and taken by another", () => {
    let now = applyEntry(waiting, { type: "seat_left", seat: "P1", at_ms: 0 }).match;
    expect(claimSeat(now, plainTokens, token({}))).toMatchObject({ code: "unauthorized" });
    now = applyEntry(now, {
      type: "seat_taken",
      seat: "P1",
      identity: identity("eve"),
      name: "Eve",
      kind: "human",
      model: null,
      at_ms: 0,
    }).match;
    expect(claimSeat(now, plainTokens, token({}))).toMatchObject({ code: "unauthorized" });
    expect(claimSeat(now, plainTokens, token({ generation: 1 }))).toMatchObject({ ok: true });
  });
});

test.each<[string, readonly SeatSpec[], readonly PlayerId[], "human" | "ai", boolean]>([
  ["the only one has left", [ANY, ANY], [], "human", true],
  ["a human is left", [ANY, ANY], ["P2"], "human", false],
  ["the house alone is left", [ANY, HOUSE], ["P2"], "human", true],
  ["only a program is left after the last human", [ANY, A], ["P2"], "human", true],
  ["a program has left another one", [A, A], ["P2"], "ai", false],
])("a waiting room is deserted or not: %s", (_name, seats, taken, left, deserted) => {
  expect(isDeserted(match(seats, taken), left)).toBe(deserted);
});

describe("seats of a rematch (PROTOCOL 2)", () => {
  test.each([
    ["solo", ["P1"]],
    ["1v1", ["P2", "P1"]],
    ["2v2", ["P3", "P4", "P1", "P2"]],
    ["ffa4", ["P2", "P3", "P4", "P1"]],
  ] as const)("%s", (format, to) => {
    expect((["P1", "P2", "P3", "P4"] as const).slice(0, to.length).map((seat) => rematchSeat(format, seat))).toEqual(
      to,
    );
  });
  test("in 2v2 partners stay partners", () => {
    const team = (seat: PlayerId) => (seat === "P1" || seat === "P2" ? "A" : "B");
    expect(team(rematchSeat("2v2", "P1"))).toBe(team(rematchSeat("2v2", "P2")));
    expect(team(rematchSeat("2v2", "P3"))).not.toBe(team("P3"));
  });
  test("what a seat is for moves with its player", () => {
    expect(rematchSeats(match([H, HOUSE])).map((s) => s.brain)).toEqual(["greedy", null]);
  });
});
