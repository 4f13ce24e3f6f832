import { expect, test } from "vitest";
import { AFTER_OVER_MS } from "../rooms/lifetime.ts";
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { LogEntry } from "../shared/protocol/log.ts";
import { playedLog, SEED } from "../test/support/logs.ts";
import { Reopening } from "./reopen.ts";
import type { MatchClaims } from "./store/MatchStore.ts";

const NOW = 1_800_000_000_000;
const log = (agoMs: number): LogEntry[] =>
  playedLog({ format: "solo", level: 1, seed: SEED }).map((entry) => ({ ...entry, at_ms: NOW - agoMs }));
const closed = (agoMs: number): LogEntry[] => [...log(agoMs).slice(0, 1), { type: "closed", at_ms: NOW - agoMs }];
type Claimed = Awaited<ReturnType<MatchClaims["adoptOver"]>>;

const rows: readonly [name: string, claimed: Claimed, room: boolean, expected: string, released: boolean][] = [
  ["just over", log(1_000), true, "opened", false],
  ["a second before its room would have closed", log(AFTER_OVER_MS - 1_000), true, "opened", false],
  ["over for longer than a room stays", log(AFTER_OVER_MS), true, "none", true],
  ["a waiting room that was closed", closed(1_000), true, "none", true],
  ["no place for it", log(1_000), false, "none", true],
  ["let go of by its process", null, true, "none", false],
  ["another process was quicker", "held", true, "unavailable", false],
];
test.each(rows)("a match that is over: %s (PROTOCOL 2)", async (_name, claimed, room, expected, released) => {
  const [entry] = log(0);
  if (entry?.type !== "created") throw new Error("no log");
  const { match_id: matchId, room_code } = entry;
  const letGo: string[] = [];
  let held = 0;
  const reopening = new Reopening({
    claims: {
      processId: "me",
      adoptOver: async () => claimed,
      release: async (id) => void letGo.push(id),
      ownerOf: async () => ({ matchId, over: true, processId: null, address: null }),
    },
    clock: { wallMs: () => NOW },
    report: { error: () => {}, info: () => {} },
    hold: async () => {
      if (!room) return null;
      held++;
      return {} as MatchHolder;
    },
  });
  // Two who ask at once get one room.
  const answers = await Promise.all([reopening.byCode(room_code), reopening.byId(matchId)]);
  for (const answer of answers) {
    expect(answer === null ? "none" : answer.ok ? "opened" : answer.code).toBe(expected);
  }
  expect(held).toBe(expected === "opened" ? 1 : 0);
  expect(letGo.length > 0).toBe(released);
});
