/** 1,000 random matches over all formats and levels through the room layer and a real store, each ending by R10. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MatchHolder } from "../rooms/MatchHolder.ts";
import type { Reporter, RoomPorts } from "../rooms/ports.ts";
import { plainTokens } from "../rooms/testing/kit.ts";
import {
  below,
  createRng,
  decodeMove,
  escaped,
  FORMATS,
  type Format,
  LEVELS,
  type Match,
  makeCommand,
  micePerPlayer,
  positionOf,
  type Rng,
  randomMove,
} from "../shared/engine/index.ts";
import { advance, withPresence } from "../shared/protocol/advance.ts";
import { stateHash } from "../shared/protocol/core.ts";
import type { IdentityId } from "../shared/protocol/ids.ts";
import { foldLog } from "../shared/protocol/match.ts";
import type { EventMessage } from "../shared/protocol/messages.ts";
import type { NativeState } from "../shared/protocol/state.ts";
import { systemClock } from "./clock.ts";
import { RoomCodes } from "./codes.ts";
import { createdEntry, planMatch } from "./create.ts";
import { openFileStore } from "./store/fileStore.ts";
import type { MatchStore } from "./store/MatchStore.ts";

const MATCHES = 1_000;
/** At once, so that they share the store's commits as on a busy server. */
const AT_ONCE = 500;
/** Every so manyth match is followed by its events alone, and must come out as the holder sees it. */
const FOLLOWED = 40;

const KINDS = FORMATS.flatMap((format) => LEVELS[format].map((level) => [format, level] as const));

let dir: string;
let store: MatchStore;
const errors: unknown[] = [];
const report: Reporter = { error: (error) => void errors.push(error), info: () => {} };
const codes = new RoomCodes(() => 0);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-thousand-"));
  store = await openFileStore(dir, { seal: async () => null, report });
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

test(`${MATCHES} random matches`, { timeout: 240_000 }, async () => {
  const ports: RoomPorts = {
    log: store,
    clock: systemClock,
    tokens: plainTokens,
    bots: { knows: () => false, offered: () => [], drive: async () => {}, release: () => {} },
    report,
  };
  const results = new Map<string, number>();
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < MATCHES; i = next++) {
      const [format, level] = KINDS[i % KINDS.length] ?? ["solo", 1];
      const match = await playOne(ports, format, level, i);
      results.set(match.result ?? "none", (results.get(match.result ?? "none") ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(errors).toEqual([]);
  expect([...results.values()].reduce((sum, n) => sum + n, 0)).toBe(MATCHES);
  // Nobody plays all mice home by chance.
  expect([...results.keys()].sort()).toEqual(expect.arrayContaining(["ABANDONED", "FORFEIT", "TIMEOUT"]));
});

async function playOne(ports: RoomPorts, format: Format, level: number, index: number): Promise<Match> {
  const planned = planMatch({ format, level }, { turnSeconds: 600, knowsBrain: () => false });
  if (!planned.ok) throw new Error(planned.message);
  const hooks = { openRematch: () => Promise.reject(new Error("none")), retired: () => {} };
  const holder = await MatchHolder.open(ports, hooks, createdEntry(planned.plan, codes.reserve(), null, Date.now()));
  const followed = index % FOLLOWED === 0 ? follow(holder) : null;
  for (const { seat } of holder.match.seats) {
    const joined = await holder.join({ identity: `${index} ${seat}` as IdentityId, name: seat });
    expect(joined).toMatchObject({ ok: true, seat });
  }
  const rng = createRng((index + 1).toString(16).padStart(32, "0"));
  // Some are given up on the way; most are played to the end.
  const giveUp = index % 10 === 9 ? below(rng, 40) : Number.POSITIVE_INFINITY;
  const abandon = index % 100 === 50;
  while (holder.match.engine.phase === "playing") {
    const { engine } = holder.match;
    const seat = engine.currentPlayer ?? "P1";
    if (engine.turn >= giveUp) await (abandon ? holder.abandon() : holder.resign(seat));
    else await moveOnce(holder, rng);
    if (abandon && engine.turn > 10) await holder.abandon();
  }
  expectEnd(holder.match.engine);
  followed?.();
  const log = await store.read(holder.id);
  expect(log).toHaveLength(holder.match.version);
  if (index % FOLLOWED === 0) expect(stateHash(foldLog(log ?? []).engine)).toBe(stateHash(holder.match.engine));
  holder.retire();
  return holder.match.engine;
}

async function moveOnce(holder: MatchHolder, rng: Rng): Promise<void> {
  const { engine } = holder.match;
  const seat = engine.currentPlayer ?? "P1";
  const position = positionOf(engine, "00000000000000000000000000000001");
  const command = below(rng, 100) === 0 ? "nothing" : makeCommand(decodeMove(position, randomMove(position, rng)));
  const answer = await holder.move(seat, { turn: engine.turn, command });
  if (answer.ok) expect(holder.match.engine.turn).toBe(engine.turn + 1);
  else expect(answer.code).toBe("syntax");
}

/** R10.1 */
function expectEnd(engine: Match): void {
  const active = engine.players.filter((p) => engine.statuses[p] === "ACTIVE");
  const home = active.every((p) => escaped(engine)[p] === micePerPlayer(engine));
  switch (engine.result) {
    case "VICTORY":
      expect(active.length > 0 && home).toBe(true);
      break;
    case "TIMEOUT":
      expect(engine.turn).toBe(engine.maxMoves);
      expect(home).toBe(false);
      break;
    case "FORFEIT":
      expect(sides(engine, active)).toBeLessThanOrEqual(1);
      break;
    case "ABANDONED":
      break;
    case null:
      throw new Error("no result");
  }
}

function sides(engine: Match, active: readonly string[]): number {
  if (engine.format !== "2v2") return active.length;
  return new Set(active.map((p) => (p === "P1" || p === "P2" ? "A" : "B"))).size;
}

/** A spectator who has nothing but the first state and the events. */
function follow(holder: MatchHolder): () => void {
  let state: NativeState = holder.view(null);
  holder.listen({
    event: (message: EventMessage) => {
      state = advance(state, message, null);
    },
  });
  return () => {
    const now = holder.view(null);
    const { deadline_ms, server_time_ms } = now.meta;
    const same = withPresence(state, { ...holder.presence(), deadline_ms, server_time_ms });
    expect(same).toEqual(now);
  };
}
