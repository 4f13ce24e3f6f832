/** One list of rules, asked at every door (PROTOCOL 4): the same words everywhere, and one match behind them all. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openApi } from "../../../agents/drivers/api.ts";
import { call, guest, type Json, serve, type TestServer } from "../../../server/testing/kit.ts";
import { type ShiftClock, shiftClock } from "../../support/shiftClock.ts";
import { type Answered, DOORS, type Door, type Hand, type Place, type Sitter, seated } from "./doors.ts";

const TURN_SECONDS = 300;
const NO_MATCH = "0198c0de-0000-7000-8000-000000000000";

let clock: ShiftClock;
let server: TestServer;
let people: readonly [string, string, string];
let hands: Hand[] = [];
beforeAll(async () => {
  clock = shiftClock();
  server = await serve(
    { RATE_LIMITS: "on", TRUST_PROXY: "1", SOCKET_MESSAGES_PER_SECOND: "100", SOCKET_KICK_PER_SECOND: "100000" },
    { clock },
  );
  const tokens = await Promise.all(["Ada", "Bob", "Eve"].map(async (name) => (await guest(server, name)).token));
  people = tokens as unknown as typeof people;
});
afterEach(async () => {
  await Promise.all(hands.map((hand) => hand.close()));
  hands = [];
});
afterAll(() => server.stop());

/** What a door says to one move of `who` at that place. */
async function moved(door: Door, place: Place, who: Sitter, move: Parameters<Hand["move"]>[0]): Promise<Answered> {
  const hand = await door.open(server.url, place, who);
  if (!("move" in hand)) return hand;
  hands.push(hand);
  return hand.move(move);
}

/** A running match of this door's format, with Ada as P1; its seats. */
const running = (door: Door) =>
  seated(server, door.solo ? "solo" : "1v1", door.solo ? [people[0]] : people.slice(0, 2), {
    turn_seconds: TURN_SECONDS,
  });

type Row = readonly [rule: string, codes: readonly string[], ask: (door: Door) => Promise<Answered>];
const RULES: readonly Row[] = [
  [
    "a turn that has been played",
    ["stale_turn"],
    async (door) => {
      const { sitters, ...place } = await running(door);
      return moved(door, place, sitters[0]!, { turn: 7, command: "G4@P21(b=0)+90" });
    },
  ],
  [
    "what is no command",
    ["syntax"],
    async (door) => {
      const { sitters, ...place } = await running(door);
      return moved(door, place, sitters[0]!, { turn: 0, command: "north" });
    },
  ],
  [
    "a place where nothing may stand",
    ["not_on_start_edge"],
    async (door) => {
      const { sitters, ...place } = await running(door);
      return moved(door, place, sitters[0]!, { turn: 0, command: "G4@P12(b=0)+90" });
    },
  ],
  [
    "a match in which one has no seat",
    ["forbidden", "unauthorized"],
    async (door) => {
      const { sitters: _, ...place } = await running(door);
      const other = await seated(server, "solo", [people[2]]);
      return moved(door, place, other.sitters[0]!, { turn: 0, command: "G4@P21(b=0)+90" });
    },
  ],
  [
    "a command behind the deadline",
    ["too_late"],
    async (door) => {
      const { sitters, ...place } = await running(door);
      clock.skip(TURN_SECONDS * 1_000 + 50);
      return moved(door, place, sitters[0]!, { turn: 0, command: "G4@P21(b=0)+90" });
    },
  ],
  [
    "a match that is not there",
    ["not_found"],
    async (door) => {
      const { sitters } = await running(door);
      const place = { code: "IXENT-QQQQQQ", match_id: NO_MATCH };
      return moved(door, place, sitters[0]!, { turn: 0, command: "G4@P21(b=0)+90" });
    },
  ],
  [
    "a match that is over",
    ["match_over"],
    async (door) => {
      const { sitters, ...place } = await running(door);
      await call(server, "POST", `/matches/${place.match_id}/resign`, { token: sitters[0]!.seat });
      return moved(door, place, sitters[0]!, { turn: 0, command: "G4@P21(b=0)+90" });
    },
  ],
  [
    "a message that is too large",
    ["too_large"],
    async (door) => {
      const { sitters, ...place } = await running(door);
      const kilobytes = door.name === "Colyseus" || door.name === "Socket.IO" ? 100 : 300;
      return moved(door, place, sitters[0]!, { turn: 0, command: "x".repeat(kilobytes * 1_024) });
    },
  ],
  [
    "a token that is none of ours",
    ["unauthorized"],
    async (door) => {
      const { sitters: _, ...place } = await running(door);
      return moved(door, place, { identity: "x.y.z", seat: "x.y.z" }, { turn: 0, command: "G4@P21(b=0)+90" });
    },
  ],
];

describe.each(DOORS)("the $name door", (door) => {
  test.each(RULES)("%s", async (_rule, codes, ask) => {
    const { ok, code } = await ask(door);
    expect({ ok, code: codes.includes(code ?? "") ? codes : code }).toEqual({ ok: false, code: codes });
  });

  test.skipIf(door.solo)("another's turn (R9.1)", async () => {
    const { sitters, ...place } = await running(door);
    const answer = await moved(door, place, sitters[1]!, { turn: 0, command: "G4@P24(b=0)+90" });
    expect(answer).toMatchObject({ ok: false, code: "not_your_turn" });
  });

  test("a flood is slowed, and told when to come again; the seat stays", async () => {
    const { sitters, ...place } = await running(door);
    const hand = await door.open(server.url, place, sitters[0]!, "203.0.113.9");
    if (!("move" in hand)) throw new Error(`${hand.code}`);
    hands.push(hand);
    let refused: Answered | undefined;
    for (let i = 0; i < 40 && refused === undefined; i++) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => hand.move({ turn: 9, command: "G4@P21(b=0)+90" })),
      );
      refused = answers.find(({ code }) => code === "rate_limited");
    }
    expect(refused).toMatchObject({ ok: false, retry_after_s: expect.any(Number) });
    const { body } = await call(server, "GET", `/matches/${place.match_id}/state`, { token: sitters[0]!.seat });
    expect(body).toMatchObject({
      meta: { turn: 0, phase: "playing" },
      status: { players: { P1: { status: "ACTIVE" } } },
    });
  });

  test("nine minutes of thinking: the seat stays, and so does the stream", async () => {
    const { sitters, ...place } = await seated(server, "solo", [people[0]], { turn_seconds: 600 });
    const gone = new AbortController();
    const api = openApi(server.url);
    const lines = api.lines(`/matches/${place.match_id}/stream`, { token: sitters[0]!.seat, signal: gone.signal });
    const next = async (): Promise<Json> => (await lines.next()).value;
    expect(await next()).toMatchObject({ type: "state", state: { meta: { turn: 0 } } });
    const hand = await door.open(server.url, place, sitters[0]!);
    if (!("move" in hand)) throw new Error(`${hand.code}`);
    hands.push(hand);
    clock.skip(9 * 60_000);
    expect(await hand.move({ turn: 0, command: "G1@P11(b=0)+90" })).toMatchObject({ ok: true });
    let line: Json;
    do line = await next();
    while (line.type !== "event");
    expect(line).toMatchObject({ event: { type: "turn", command: "G1@P11(b=0)+90" }, state: { meta: { turn: 1 } } });
    gone.abort();
    await lines.next().catch(() => {});
  });

  test.each(DOORS)("races with $name for one turn: one is accepted, one is stale", async (other) => {
    const { sitters, ...place } = await seated(server, "solo", [people[0]]);
    const open = async (one: Door) => {
      const hand = await one.open(server.url, place, sitters[0]!);
      if (!("move" in hand)) throw new Error(`${hand.code}`);
      hands.push(hand);
      return hand;
    };
    const [left, right] = [await open(door), await open(other)];
    const commands = ["G1@P11(b=0)+90", "G2@P21(b=0)+90", "G2@P31(b=0)-90"];
    for (const [turn, command] of commands.entries()) {
      // Two different commands: the same one twice would be a repetition, which is no second move.
      const answers = await Promise.all([
        left.move({ turn, command }),
        right.move({ turn, command: command.replace(/.90$/, (d) => (d === "+90" ? "-90" : "+90")) }),
      ]);
      expect(answers.map(({ ok, code }) => (ok ? "ok" : code)).sort()).toEqual(["ok", "stale_turn"]);
    }
  });
});
