import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { call, guest, type Json, serve, type TestServer, until } from "../../server/testing/kit.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Brain } from "../brains/brain.ts";
import { random } from "../brains/random.ts";
import { BrainFailure, driveSeat } from "./colyseus.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let server: TestServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

let stop: AbortController;
beforeEach(() => {
  stop = new AbortController();
});
afterEach(() => stop.abort());

const legal = () => random.create("0123456789abcdef0123456789abcdef");
const nonsense: Brain = { choose: () => ({ command: "nonsense" }) };

interface Table {
  readonly match_id: string;
  readonly code: string;
  readonly tokens: Readonly<Partial<Record<PlayerId, string>>>;
}

/** A duel with both seats taken. */
async function duel(): Promise<Table> {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body } = await call(server, "POST", "/rooms", { token: ada.token, body: { preset: "duel" } });
  const joined = await call(server, "POST", `/rooms/${body.code}/join`, { token: bob.token, body: {} });
  return { match_id: body.match_id, code: body.code, tokens: { P1: body.seat_token, P2: joined.body.seat_token } };
}

function drive(
  { match_id, code, tokens }: Table,
  seat: PlayerId,
  brain: Brain,
  fallback = legal(),
  onBrainFailure: (reason: string) => void = () => {},
): Promise<void> {
  const assignment = { match_id, code, seat, seat_token: tokens[seat]!, pace_ms: 0 };
  return driveSeat({ url: server.url, assignment, brain, fallback, signal: stop.signal, onBrainFailure });
}

const stateOf = async (table: Table): Promise<Json> =>
  (await call(server, "GET", `/matches/${table.match_id}/state`)).body;

test("two drivers play a match to its end and then are done", async () => {
  const table = await duel();
  await Promise.all([drive(table, "P1", legal()), drive(table, "P2", legal())]);
  const { status } = await stateOf(table);
  expect(["VICTORY", "TIMEOUT"]).toContain(status.result);
});

test("a brain sees its seat's view and nothing more (R11.2, PROTOCOL 3)", async () => {
  const table = await duel();
  const seen: { seat: PlayerId; view: NativeState }[] = [];
  const watched = (seat: PlayerId): Brain => {
    const brain = legal();
    return {
      async choose(view, to, clock) {
        seen.push({ seat, view: structuredClone(view) });
        return { ...(await brain.choose(view, to, clock)), reasoning: `thoughts of ${seat}` };
      },
    };
  };
  await Promise.all([drive(table, "P1", watched("P1")), drive(table, "P2", watched("P2"))]);
  const { seed } = (await stateOf(table)).meta;
  expect(seed).toMatch(/^[0-9a-f]{32}$/);
  expect(seen.length).toBeGreaterThan(10);
  for (const { seat, view } of seen) {
    const text = JSON.stringify(view);
    expect(view.meta.current_player).toBe(seat);
    expect(view.data.inventory).toEqual(view.data.inventories[seat]);
    expect(text).not.toContain(seed);
    expect(text).not.toContain(`thoughts of ${seat === "P1" ? "P2" : "P1"}`);
    expect(text).not.toContain(table.tokens.P1);
    expect(text).not.toContain(table.tokens.P2);
  }
});

test("a command that is refused is asked for once; then the other brain plays the turn (R8.3)", async () => {
  const table = await duel();
  await Promise.all([drive(table, "P1", nonsense), drive(table, "P2", legal())]);
  const { status, data } = await stateOf(table);
  expect(["VICTORY", "TIMEOUT"]).toContain(status.result);
  expect(data.lost_turns).toEqual({ P1: 0, P2: 0 });
});

test("with no brain that knows the rules it gives up before the turn is lost", async () => {
  const table = await duel();
  await expect(drive(table, "P1", nonsense, nonsense)).rejects.toThrow(BrainFailure);
  const { data, meta } = await stateOf(table);
  expect(data.refusals_this_turn).toBe(3);
  expect(meta.turn).toBe(0);
});

test("a brain that throws: the other one plays", async () => {
  const table = await duel();
  const broken: Brain = {
    choose() {
      throw new Error("out of ideas");
    },
  };
  const told: string[] = [];
  void drive(table, "P1", broken, legal(), (reason) => told.push(reason));
  await until("the first move", async () => (await stateOf(table)).meta.turn === 1);
  expect(told).toEqual(["out of ideas"]);
});

describe("what ends it", () => {
  test("a token that opens no seat", async () => {
    const table = await duel();
    await drive({ ...table, tokens: { P1: "nothing" } }, "P1", legal());
    expect((await stateOf(table)).meta.turn).toBe(0);
  });

  test("its signal, while it waits for the other seat", async () => {
    const table = await duel();
    const driven = drive(table, "P2", legal());
    await until("it is there", async () => (await stateOf(table)).status.players.P2.connected);
    stop.abort();
    await driven;
  });

  test("a seat that is out: it stays until the end and moves no more", async () => {
    const table = await duel();
    const driven = drive(table, "P2", legal());
    await until("it is there", async () => (await stateOf(table)).status.players.P2.connected);
    await call(server, "POST", `/matches/${table.match_id}/resign`, { token: table.tokens.P2 ?? "", body: {} });
    await driven;
    expect((await stateOf(table)).status).toMatchObject({ result: "FORFEIT", winner: ["P1"] });
  });
});
