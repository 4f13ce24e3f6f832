/** The clock of a turn on a real server (R9.2, R9.4): late by a hair, asleep for ten seconds, killed with nobody there. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, type Json, joinSeat } from "../../server/testing/kit.ts";
import { type RunningServer, startServerProcess } from "../support/server.ts";
import { until } from "../support/until.ts";

const ENV = { RATE_LIMITS: "off", LOG_LEVEL: "error", OPS_PORT: "0" };
const STALL_MS = 10_000;

let dataDir = "";
let server: RunningServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "gearmice-clocks-"));
  server = await startServerProcess(ENV, dataDir);
}, 60_000);
afterAll(async () => {
  server?.child.kill("SIGCONT");
  await server?.stop("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

interface Duel {
  readonly code: string;
  readonly id: string;
  readonly tokens: readonly [string, string];
}

async function duel(turn_seconds: number): Promise<Duel> {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const body = { format: "1v1", level: 1, turn_seconds };
  const made = await call(server, "POST", "/rooms", { token: ada.token, body });
  const joined = await call(server, "POST", `/rooms/${made.body.code}/join`, { token: bob.token, body: {} });
  return { code: made.body.code, id: made.body.match_id, tokens: [made.body.seat_token, joined.body.seat_token] };
}
/** Without a token, so that nobody counts as connected by it. */
const stateOf = async ({ id }: Duel): Promise<Json> => (await call(server, "GET", `/matches/${id}/state`)).body;
const move = ({ id, tokens }: Duel, turn: number, command: string) =>
  call(server, "POST", `/matches/${id}/moves`, { token: tokens[turn % 2] ?? null, body: { turn, command } });
const FIRST = ["G1@P11+90", "G1@P14+90"] as const;

test("a move 50 ms late is told `too_late` at once", async () => {
  const match = await duel(5);
  const { meta } = await stateOf(match);
  await sleep(meta.deadline_ms - meta.server_time_ms + 50);
  expect(await move(match, 0, FIRST[0])).toMatchObject({ status: 409, body: { error: { code: "too_late" } } });
  const { status } = await stateOf(match);
  expect(status).toMatchObject({ result: "FORFEIT", winner: ["P2"], players: { P1: { status: "TIMEOUT" } } });
});

test("one player's reconnecting never touches the other's clock", async () => {
  const match = await duel(60);
  const before = (await stateOf(match)).meta.deadline_ms;
  for (let i = 0; i < 5; i++) {
    const socket = await joinSeat(server.url, match.code, match.tokens[1]);
    await (i % 2 === 0 ? socket.leave() : socket.connection.close());
    await call(server, "GET", `/matches/${match.id}/state`, { token: match.tokens[1] });
  }
  // It is made of two clocks, each read to the millisecond.
  expect(Math.abs((await stateOf(match)).meta.deadline_ms - before)).toBeLessThanOrEqual(5);
});

test("the server stands still for 10 s: what was sent before the flag counts, and no flag falls by it", async () => {
  const [sent, socketed, silent, gone] = [await duel(7), await duel(7), await duel(7), await duel(5)];
  const socket = await joinSeat(server.url, socketed.code, socketed.tokens[0]);
  server.child.kill("SIGSTOP");
  // Their bytes are with the server long before the limit; it reads them long after.
  const inTime = [move(sent, 0, FIRST[0]), socket.request("move", { turn: 0, command: FIRST[0] }, { timeout: 30_000 })];
  await sleep(STALL_MS);
  server.child.kill("SIGCONT");
  expect(await Promise.all(inTime)).toMatchObject([{ status: 200, body: { ok: true } }, { ok: true }]);
  await socket.leave();
  // Nobody could have moved meanwhile, so whoever comes first after it is not late.
  expect(await move(silent, 0, FIRST[0])).toMatchObject({ status: 200, body: { ok: true } });
  const { meta } = await stateOf(sent);
  expect(meta).toMatchObject({ turn: 1, current_player: "P2", phase: "playing" });
  expect(meta.deadline_ms - meta.server_time_ms).toBeLessThanOrEqual(7_000);
  // The clock goes on: with both of them gone the flag falls after all.
  await until("the flag has fallen", async () => (await stateOf(gone)).status.result === "FORFEIT");
  expect((await stateOf(gone)).status.players.P1.status).toBe("TIMEOUT");
}, 60_000);

test("both players are gone, the server is killed: the flag falls at the one that comes after it", async () => {
  const [match, second] = [await duel(5), await duel(5)];
  expect((await move(second, 0, FIRST[0])).body.ok).toBe(true);
  await server.stop("SIGKILL");
  // Down for longer than the limit: nobody pays for that (R9.4).
  await sleep(6_000);
  server = await startServerProcess(ENV, dataDir);
  for (const one of [match, second]) {
    const { meta, status } = await stateOf(one);
    expect(status.players).toMatchObject({ P1: { connected: false }, P2: { connected: false } });
    expect(meta.phase).toBe("playing");
    // R9.4: what was left, and at least 10 s or the whole limit if that is shorter.
    expect(meta.deadline_ms - meta.server_time_ms).toBeLessThanOrEqual(5_000);
  }
  await until("both flags have fallen", async () => {
    const states = await Promise.all([match, second].map(stateOf));
    return states.every(({ status }) => status.game_over);
  });
  expect((await stateOf(match)).status).toMatchObject({ result: "FORFEIT", winner: ["P2"] });
  expect((await stateOf(second)).status).toMatchObject({ result: "FORFEIT", winner: ["P1"] });
  const late = await move(match, 0, FIRST[0]);
  expect(late).toMatchObject({ status: 409, body: { error: { code: "too_late" } } });
}, 60_000);
