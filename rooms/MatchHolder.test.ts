import { describe, expect, test } from "vitest";
import type { PlayerId } from "../shared/engine/index.ts";
import { stateHash } from "../shared/protocol/core.ts";
import { foldLog } from "../shared/protocol/match.ts";
import { type Bench, bench, identity, seatAll, settled } from "./testing/kit.ts";

const turn = (b: Bench) => b.holder.match.engine.turn;
const mover = (b: Bench) => b.holder.match.engine.currentPlayer ?? "P1";
const play = (b: Bench, seat: PlayerId = mover(b)) => b.holder.move(seat, { turn: turn(b), command: b.legal() });
const types = (b: Bench) => b.log.entries.get(b.holder.id)?.map((e) => e.type);

describe("start (PROTOCOL 2)", () => {
  test("the last seat that is taken starts the match, in the same append", async () => {
    const b = await bench({ format: "2v2" });
    await seatAll(b);
    expect(types(b)).toEqual(["created", "seat_taken", "seat_taken", "seat_taken", "seat_taken", "start"]);
    expect(b.events.map((e) => [e.version, e.type])).toEqual([
      [2, "seats"],
      [3, "seats"],
      [4, "seats"],
      [5, "seats"],
      [6, "start"],
    ]);
    expect(b.holder.view(null).meta).toMatchObject({ phase: "playing", current_player: "P1", version: 6 });
  });

  test("two who come at once for the last seat: one gets it, the other is told that the room is full", async () => {
    const b = await bench();
    await b.holder.join({ identity: identity("a"), name: "A" });
    b.log.trouble = "hold";
    const both = Promise.all([
      b.holder.join({ identity: identity("b"), name: "B" }),
      b.holder.join({ identity: identity("c"), name: "C" }),
    ]);
    await settled();
    b.log.letGo();
    expect((await both).map((answer) => (answer.ok ? answer.seat : answer.code))).toEqual(["P2", "room_full"]);
    expect(types(b)).toEqual(["created", "seat_taken", "seat_taken", "start"]);
  });

  test("an identity that joins again gets its seat and a token, and nothing is stored", async () => {
    const b = await bench();
    const first = await b.holder.join({ identity: identity("a"), name: "A" });
    const second = await b.holder.join({ identity: identity("a"), name: "A" });
    expect(second).toMatchObject({ ok: true, seat: "P1" });
    expect(first.ok && b.holder.claim(first.seat_token).ok).toBe(true);
    expect(b.holder.match.version).toBe(2);
  });

  test("a house seat is taken when its bot arrives, not before (PROTOCOL 1)", async () => {
    const b = await bench({
      seats: [
        { kind: "any", brain: null, style: null, name: null },
        { kind: "ai", brain: "greedy", style: null, name: null },
      ],
    });
    await b.holder.join({ identity: identity("a"), name: "A" });
    expect(b.holder.match.engine.phase).toBe("waiting");
    expect(await b.holder.houseArrived("P2")).toMatchObject({ ok: true });
    expect(b.holder.match.engine.phase).toBe("playing");
    expect(await b.holder.houseArrived("P2")).toMatchObject({ ok: true, version: 4 });
  });
});

describe("waiting (PROTOCOL 2)", () => {
  const closed = (b: Bench) => b.holder.match.closed;
  test("leaving frees the seat and ends its token; the longest-seated human is host", async () => {
    const b = await bench({ format: "ffa4" });
    for (const name of ["a", "b", "c"]) await b.holder.join({ identity: identity(name), name });
    const token = b.holder.tokenFor("P1");
    expect(await b.holder.leave("P1")).toMatchObject({ ok: true });
    expect(b.holder.match.host).toBe(identity("b"));
    expect(b.holder.claim(token)).toMatchObject({ code: "unauthorized" });
    expect(await b.holder.leave("P1")).toMatchObject({ code: "unauthorized" });
    expect(await b.holder.join({ identity: identity("d"), name: "d" })).toMatchObject({ seat: "P1" });
  });
  test("when the last one leaves, the room closes and takes nobody any more", async () => {
    const b = await bench();
    await b.holder.join({ identity: identity("a"), name: "A" });
    await b.holder.leave("P1");
    expect(closed(b)).toBe(true);
    expect(b.retired).toBe(true);
    expect(b.events.at(-1)?.type).toBe("closed");
  });
  test("what was asked for a seat before it was given up is nothing of whoever sits there next", async () => {
    const b = await bench({ format: "ffa4" });
    for (const name of ["Ada", "Bob", "Cid"]) await b.holder.join({ identity: identity(name), name });
    // Ada leaves, Eve takes her seat, Dan's comes last and starts the match; all are in the queue before any is done.
    const answers = await Promise.all([
      b.holder.leave("P1"),
      b.holder.join({ identity: identity("Eve"), name: "Eve" }),
      b.holder.join({ identity: identity("Dan"), name: "Dan" }),
      b.holder.move("P1", { turn: 0, command: "G4@P11(b=0)+90" }),
      b.holder.resign("P1"),
      b.holder.leave("P1"),
    ]);
    expect(answers.map((a) => (a.ok ? "ok" : a.code))).toEqual([
      "ok",
      "ok",
      "ok",
      "unauthorized",
      "unauthorized",
      "unauthorized",
    ]);
    expect(b.holder.match.engine).toMatchObject({ phase: "playing", turn: 0 });
    expect(await b.holder.resign("P1")).toMatchObject({ ok: true });
  });
  test("nobody leaves a match that has started", async () => {
    const b = await bench();
    await seatAll(b);
    expect(await b.holder.leave("P1")).toMatchObject({ code: "match_already_started" });
    await b.holder.resign("P1");
    expect(await b.holder.leave("P2")).toMatchObject({ code: "match_over" });
  });
  test("30 minutes without a connected seat close it", async () => {
    const b = await bench();
    await b.holder.join({ identity: identity("a"), name: "A" });
    await b.clock.advance(29 * 60_000);
    expect(closed(b)).toBe(false);
    await b.clock.advance(2 * 60_000);
    expect(closed(b)).toBe(true);
    expect(b.clock.waiting).toBe(0);
  });
  test("a connected seat keeps it open; 30 minutes count from when the last one went", async () => {
    const b = await bench();
    await b.holder.join({ identity: identity("a"), name: "A" });
    const gone = b.holder.connect("P1");
    await b.clock.advance(3 * 3_600_000);
    expect(closed(b)).toBe(false);
    gone();
    await b.clock.advance(29 * 60_000);
    expect(closed(b)).toBe(false);
    await b.clock.advance(2 * 60_000);
    expect(closed(b)).toBe(true);
  });
  test("spectators and house bots do not keep it open", async () => {
    const b = await bench({
      seats: [
        { kind: "any", brain: null, style: null, name: null },
        { kind: "ai", brain: "greedy", style: null, name: null },
      ],
    });
    await b.holder.houseArrived("P2");
    b.holder.connect("P2");
    b.holder.connect(null);
    await b.clock.advance(31 * 60_000);
    expect(closed(b)).toBe(true);
  });
  test("a close that cannot be stored is tried again", async () => {
    const b = await bench();
    b.log.trouble = "refuse";
    await b.clock.advance(31 * 60_000);
    expect(closed(b)).toBe(false);
    b.log.trouble = "none";
    await b.clock.advance(31 * 60_000);
    expect(closed(b)).toBe(true);
  });
});

describe("moves", () => {
  test("an accepted one is stored before it is answered, and told with all that follows", async () => {
    const b = await bench();
    await seatAll(b);
    const answer = await b.holder.move("P1", {
      turn: 0,
      command: b.legal(),
      reasoning: "so",
      token_usage: { total: 7 },
    });
    expect(answer).toMatchObject({ ok: true, version: 5 });
    expect(b.events.at(-1)).toMatchObject({ type: "turn", version: 5, player: "P1", turn: 1, current_player: "P2" });
    expect(b.events.at(-1)?.tokens_used).toEqual({ P1: 7, P2: 0 });
    expect(JSON.stringify(b.events)).not.toContain('"so"');
    const log = b.log.entries.get(b.holder.id) ?? [];
    expect(stateHash(foldLog(log).engine)).toBe(stateHash(b.holder.match.engine));
  });

  test("while the log has not taken it, it is no state and nobody is told (PROTOCOL 2)", async () => {
    const b = await bench();
    await seatAll(b);
    const told = b.events.length;
    b.log.trouble = "hold";
    const answer = play(b);
    await settled();
    expect(turn(b)).toBe(0);
    expect(b.events).toHaveLength(told);
    b.log.letGo();
    expect(await answer).toMatchObject({ ok: true });
    expect(turn(b)).toBe(1);
  });

  test("commands are looked at one after the other: the second of one player is no longer in turn", async () => {
    const b = await bench();
    await seatAll(b);
    const answers = await Promise.all([play(b, "P1"), b.holder.move("P1", { turn: 0, command: b.legal(1) })]);
    expect(answers.map((a) => (a.ok ? "ok" : a.code))).toEqual(["ok", "stale_turn"]);
  });

  const refused: readonly [name: string, seat: PlayerId, command: string, turn: number | undefined, code: string][] = [
    ["not your turn", "P2", "G1@P14+90", 0, "not_your_turn"],
    ["a turn that has not come", "P1", "G1@P11+90", 5, "stale_turn"],
    ["no command", "P1", "hello", 0, "syntax"],
    ["a rotation while there is stock", "P1", "G@P11+90", 0, "wrong_phase"],
    ["beyond the board", "P1", "G1@P99+90", 0, "no_such_tile"],
    ["not on the start edge", "P1", "G1@P14+90", 0, "not_on_start_edge"],
  ];
  test.each(refused)("refused: %s (R4.5)", async (_name, seat, command, named, code) => {
    const b = await bench();
    await seatAll(b);
    expect(await b.holder.move(seat, { turn: named, command })).toMatchObject({ ok: false, code });
    expect(turn(b)).toBe(0);
  });

  test("before the start and after the end (R4.5)", async () => {
    const b = await bench();
    await b.holder.join({ identity: identity("P1"), name: "P1" });
    expect(await b.holder.move("P1", { command: "x" })).toMatchObject({ code: "match_not_started" });
    await seatAll(b);
    await b.holder.abandon();
    expect(await b.holder.move("P1", { command: "x" })).toMatchObject({ code: "match_over" });
    expect(await b.holder.abandon()).toMatchObject({ code: "match_over" });
  });

  test("of a refusal others see player and code, never the text (PROTOCOL 5)", async () => {
    const b = await bench();
    await seatAll(b);
    await b.holder.move("P1", { turn: 0, command: "my secret", reasoning: "hidden" });
    expect(b.events.at(-1)).toMatchObject({ type: "refused", player: "P1", refusals_this_turn: 1, history: [] });
    expect(JSON.stringify(b.events)).not.toMatch(/secret|hidden/);
  });

  test("the text of a lost turn is history, and so is told (R8.2)", async () => {
    const b = await bench({ format: "solo" });
    await seatAll(b);
    await b.holder.move("P1", { turn: 0, command: "nonsense" });
    expect(b.events.at(-1)?.history).toEqual(["Turn 1 [P1]: [ERROR] nonsense"]);
  });
});

describe("repeated moves (PROTOCOL 2)", () => {
  test("the same seat, turn and command once more is answered and changes nothing", async () => {
    const b = await bench();
    await seatAll(b);
    const command = b.legal();
    await b.holder.move("P1", { turn: 0, command });
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ ok: true, repeated: true, version: 5 });
    await play(b);
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ ok: true, repeated: true, version: 6 });
    expect(b.holder.match.version).toBe(6);
  });
  const rows: readonly [name: string, change: object, code: string][] = [
    ["without its turn it is a new command", { turn: undefined }, "not_your_turn"],
    ["another command of that turn", { command: "G4@P21(b=0)+90" }, "stale_turn"],
  ];
  test.each(rows)("%s", async (_name, change, code) => {
    const b = await bench();
    await seatAll(b);
    const command = "G1@P11(b=0)+90";
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ ok: true });
    expect(await b.holder.move("P1", { turn: 0, command, ...change })).toMatchObject({ ok: false, code });
  });
  test("written otherwise it is the same command (R4.1)", async () => {
    const b = await bench();
    await seatAll(b);
    await b.holder.move("P1", { turn: 0, command: "G1@P11(b=0)+90" });
    expect(await b.holder.move("P1", { turn: 0, command: "G1@P11+90" })).toMatchObject({ ok: true, repeated: true });
  });
  test("also when the match is over", async () => {
    const b = await bench();
    await seatAll(b);
    const command = b.legal();
    await b.holder.move("P1", { turn: 0, command });
    await b.holder.resign("P2");
    expect(b.holder.match.engine.phase).toBe("over");
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ ok: true, repeated: true });
    expect(await b.holder.move("P1", { turn: 2, command })).toMatchObject({ code: "match_over" });
  });
});

describe("refusals that cost (R8)", () => {
  test("the 10th within one turn loses it, the third lost turn puts the player out (R8.3)", async () => {
    const b = await bench();
    await seatAll(b);
    for (let lost = 0; lost < 3; lost++) {
      for (let i = 0; i < 10; i++) await b.holder.move("P1", { turn: turn(b), command: "x" });
      if (lost < 2) await play(b, "P2");
    }
    expect(b.holder.match.engine.statuses.P1).toBe("FORFEITED");
    expect(b.holder.match.engine.result).toBe("FORFEIT");
    expect(types(b)?.filter((type) => type === "refused")).toHaveLength(30);
    const last = b.events.slice(-2);
    expect(last.map((e) => [e.type, e.version])).toEqual([
      ["refused", b.holder.match.version],
      ["over", b.holder.match.version],
    ]);
    expect(last[1]?.final).toMatchObject({ result: "FORFEIT", winner: ["P2"] });
  });
});

describe("resigning (R9.2, R9.3)", () => {
  test("off turn: mover and clock are untouched", async () => {
    const b = await bench({ format: "ffa4" });
    await seatAll(b);
    const { deadline_ms } = b.holder.view(null).meta;
    await b.clock.advance(20_000);
    expect(await b.holder.resign("P3")).toMatchObject({ ok: true });
    expect(b.holder.view(null).meta).toMatchObject({ current_player: "P1", turn: 0, deadline_ms });
  });
  test("on turn: the next one is to move with a full limit", async () => {
    const b = await bench({ format: "ffa4" });
    await seatAll(b);
    await b.clock.advance(20_000);
    await b.holder.resign("P1");
    const { meta } = b.holder.view(null);
    expect(meta).toMatchObject({ current_player: "P2", turn: 0, deadline_ms: b.clock.wallMs() + 60_000 });
  });
  test("refused: before the start, when out, when over", async () => {
    const b = await bench({ format: "ffa4" });
    expect(await b.holder.resign("P1")).toMatchObject({ code: "match_not_started" });
    await seatAll(b);
    await b.holder.resign("P2");
    expect(await b.holder.resign("P2")).toMatchObject({ code: "player_out" });
    expect(await b.holder.move("P2", { command: "x" })).toMatchObject({ code: "player_out" });
    await b.holder.abandon();
    expect(await b.holder.resign("P1")).toMatchObject({ code: "match_over" });
  });
});

describe("a log that fails (PROTOCOL 2)", () => {
  test("nothing was stored: the state is dropped, the answer says when to try again, and trying again works", async () => {
    const b = await bench();
    await seatAll(b);
    const told = b.events.length;
    b.log.trouble = "refuse";
    expect(await play(b)).toMatchObject({ ok: false, code: "unavailable", retry_after_s: 1 });
    expect(turn(b)).toBe(0);
    expect(b.events).toHaveLength(told);
    b.log.trouble = "none";
    expect(await play(b)).toMatchObject({ ok: true });
  });
  test("it was stored although the answer was lost: it counts, everybody is told, and asking again says repeated", async () => {
    const b = await bench();
    await seatAll(b);
    const command = b.legal();
    b.log.trouble = "lose-answer";
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ code: "unavailable" });
    expect(turn(b)).toBe(1);
    expect(b.events.at(-1)).toMatchObject({ type: "turn", turn: 1 });
    b.log.trouble = "none";
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ ok: true, repeated: true });
  });
  test("it cannot even be read: every command is refused until it can, then nothing is missing", async () => {
    const b = await bench();
    await seatAll(b);
    const command = b.legal();
    b.log.trouble = "lose-answer";
    b.log.unreadable = true;
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ code: "unavailable" });
    b.log.trouble = "none";
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ code: "unavailable" });
    b.log.unreadable = false;
    expect(await b.holder.move("P1", { turn: 0, command })).toMatchObject({ ok: true, repeated: true });
    expect(await play(b)).toMatchObject({ ok: true });
    expect(b.events.filter((e) => e.type === "turn").map((e) => e.turn)).toEqual([1, 2]);
  });
});

describe("a process that may have lost the match (DESIGN 4)", () => {
  const commands: readonly [name: string, (b: Bench) => Promise<object>][] = [
    ["a move", (b) => b.holder.move("P1", { turn: 0, command: b.legal() })],
    ["a move that names another turn than is in memory", (b) => b.holder.move("P1", { turn: 7, command: b.legal() })],
    ["a resignation", (b) => b.holder.resign("P2")],
    ["a rematch", (b) => b.holder.rematch("P1")],
    ["a join", (b) => b.holder.join({ identity: identity("P1"), name: "P1" })],
  ];
  test.each(commands)("%s: it says nothing out of its memory", async (_name, act) => {
    const b = await bench();
    await seatAll(b);
    const { version } = b.holder.match;
    b.sure = false;
    expect(await act(b)).toMatchObject({ ok: false, code: "unavailable", retry_after_s: 1 });
    expect(b.holder.match.version).toBe(version);
    b.sure = true;
    expect(await act(b)).not.toMatchObject({ code: "unavailable" });
  });
});

describe("sync (PROTOCOL 5)", () => {
  test("nothing new, the events since, or everything", async () => {
    const b = await bench();
    await seatAll(b);
    const version = b.holder.match.version;
    await play(b);
    await play(b);
    expect(b.holder.sync(version + 2, "P1")).toEqual({ kind: "current" });
    const since = b.holder.sync(version, "P1");
    expect(since.kind === "events" && since.events.map((e) => e.version)).toEqual([version + 1, version + 2]);
    expect(b.holder.sync(0, "P2")).toMatchObject({ kind: "state", seat: "P2", state: { meta: { turn: 2 } } });
    expect(b.holder.sync(99, null)).toMatchObject({ kind: "state", seat: null });
  });
  test("events that are too many to keep give everything", async () => {
    const b = await bench({ format: "solo", level: 7 });
    await seatAll(b);
    const version = b.holder.match.version;
    for (let i = 0; i < 70; i++) await play(b);
    expect(b.holder.sync(version, null).kind).toBe("state");
    expect(b.holder.sync(version + 10, null).kind).toBe("events");
  });
});

describe("who is there (PROTOCOL 1)", () => {
  test("sockets are counted, calls hold for 30 s, and it is told in bundles", async () => {
    const b = await bench();
    await seatAll(b);
    const [one, two] = [b.holder.connect("P1"), b.holder.connect("P1")];
    b.holder.connect(null);
    b.holder.called("P2");
    await b.clock.advance(200);
    expect(b.presence).toHaveLength(1);
    expect(b.presence[0]).toMatchObject({ connected: ["P1", "P2"], spectators: 1 });
    one();
    one();
    expect([...b.holder.connected()]).toContain("P1");
    two();
    expect([...b.holder.connected()]).not.toContain("P1");
    await b.clock.advance(31_000);
    expect([...b.holder.connected()]).toEqual([]);
    expect(b.presence.at(-1)).toMatchObject({ connected: [] });
  });
});

describe("a listener that throws", () => {
  test("is reported and harms neither the match nor the others", async () => {
    const b = await bench();
    let heard = 0;
    b.holder.listen({
      event() {
        throw new Error("mine");
      },
    });
    b.holder.listen({ event: () => void heard++ });
    await seatAll(b);
    expect(heard).toBe(3);
    expect(b.errors).toHaveLength(3);
    expect(await play(b)).toMatchObject({ ok: true });
  });
});

describe("after the end", () => {
  test("the room stays for 10 minutes and then goes, with all its timers (PROTOCOL 2)", async () => {
    const b = await bench();
    await seatAll(b);
    await b.holder.resign("P1");
    await b.clock.advance(9 * 60_000);
    expect(b.retired).toBe(false);
    await b.clock.advance(2 * 60_000);
    expect(b.retired).toBe(true);
    expect(b.clock.waiting).toBe(0);
  });
});
