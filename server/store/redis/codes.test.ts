/** Room codes over several processes (PROTOCOL 1). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RoomCode } from "../../../shared/protocol/ids.ts";
import type { CreatedEntry } from "../../../shared/protocol/log.ts";
import { createdEntry, playedLog, SEED } from "../../../test/support/logs.ts";
import { type RunningRedis, startRedis } from "../../../test/support/redis.ts";
import { storeLog } from "../contract.ts";
import { VersionConflict } from "../MatchStore.ts";
import { RedisRoomCodes } from "./codes.ts";
import { Keys } from "./keys.ts";
import { Link } from "./link.ts";
import type { RedisStore } from "./redisStore.ts";
import { type RedisHome, rawRedis, redisHome } from "./testHome.ts";

const SPEC = { format: "1v1", level: 1, seed: SEED } as const;

let redis: RunningRedis;
let link: Link;
let raw: Awaited<ReturnType<typeof rawRedis>>;
beforeAll(async () => {
  redis = await startRedis();
  raw = await rawRedis(redis.url);
  const report = { error: () => {}, info: () => {} };
  link = await Link.open({ url: redis.url, report, answerMs: 5_000, openMs: 5_000 });
});
afterAll(async () => {
  raw.destroy();
  link.destroy();
  await redis.stop();
});

let home: RedisHome;
let a: RedisStore;
let b: RedisStore;
beforeEach(async () => {
  home = await redisHome(redis.url);
  [a, b] = [await home.open(), await home.open()];
  return async () => {
    await Promise.all([a.close(), b.close()]);
    await home.dispose();
  };
});

/** Codes of a process that draws these. */
function drawing(processId: string, codes: readonly string[]): RedisRoomCodes {
  const left = [...codes];
  return new RedisRoomCodes(link, new Keys(home.prefix), processId, () => `IXENT-${left.shift()}` as RoomCode);
}

test("two processes that draw the same codes at once never get the same one", async () => {
  const drawn = Array.from({ length: 8 }, (_, i) => `AAAAA${"ABCDEFGH"[i]}`);
  const [one, two] = [drawing("one", drawn), drawing("two", drawn)];
  const got = await Promise.all([1, 2, 3, 4].flatMap(() => [one.reserve(), two.reserve()]));
  expect(new Set(got).size).toBe(8);
});

test("a reserved code is for its process alone, lapses without a log, and stays with one", async () => {
  const code = await a.codes.reserve();
  const mine: CreatedEntry = { ...createdEntry(SPEC), room_code: code };
  const key = `${home.prefix}code:${code}`;
  expect(await raw.pTTL(key)).toBeGreaterThan(0);
  expect(await b.claims.ownerOf(code)).toBeNull();
  expect(await b.unfinishedByCode(code)).toBeNull();
  await expect(b.create({ ...createdEntry(SPEC), room_code: code })).rejects.toThrow(VersionConflict);
  expect(await b.codes.take(code)).toBe(false);
  await b.codes.release(code);
  await a.create(mine);
  expect(await raw.pTTL(key)).toBe(-1);
  expect(await b.codes.take(code)).toBe(true);
  await a.codes.release(code);
  expect(await b.unfinishedByCode(code)).toBe(mine.match_id);
});

test("a released code is free", async () => {
  const [one, two] = [drawing("one", ["BBBBBB"]), drawing("two", ["BBBBBB"])];
  await one.release(await one.reserve());
  expect(await two.reserve()).toBe("IXENT-BBBBBB");
});

test("a handed-out code is redeemed once, on any process; given back, once more", async () => {
  const { code, expires_at } = await a.codes.handOut();
  expect(expires_at).toBeGreaterThan(0);
  const typed = ` ${code.toLowerCase().replace("-", "")} `;
  expect(await b.codes.redeem(typed)).toEqual({ ok: true, code });
  expect(await a.codes.redeem(code)).toMatchObject({ code: "code_used" });
  await b.codes.release(code);
  expect(await a.codes.redeem(code)).toEqual({ ok: true, code });
  const log = playedLog(SPEC);
  const created = { ...(log[0] as CreatedEntry), room_code: code };
  await storeLog(a, [created, ...log.slice(1)], true);
  expect(await b.codes.redeem(code)).toMatchObject({ code: "code_used" });
});

test("of many that redeem one code at once one gets it", async () => {
  const { code } = await a.codes.handOut();
  const got = await Promise.all([a, b, a, b].map((store) => store.codes.redeem(code)));
  expect(got.filter((answer) => answer.ok)).toHaveLength(1);
});

test.each([
  ["one that has expired", "code_expired", true],
  ["one that was never handed out", "not_found", false],
] as const)("%s is refused", async (_, code, handedOut) => {
  const typed = handedOut ? (await a.codes.handOut()).code : "IXENT-ZZZZZZ";
  if (handedOut) await raw.set(`${home.prefix}handed:${typed}`, "1000");
  expect(await b.codes.redeem(typed)).toMatchObject({ ok: false, code });
  expect(await b.codes.redeem("no code")).toMatchObject({ ok: false, code: "not_found" });
});

test("the code of a match that is over is past on every process and drawn by none", async () => {
  const log = playedLog(SPEC);
  const { room_code: code } = log[0] as CreatedEntry;
  expect(await b.codes.isPast(code)).toBe(false);
  await storeLog(a, log, true);
  expect(await b.codes.isPast(code)).toBe(true);
  await b.codes.retire(code);
  const again = drawing("three", [code.slice("IXENT-".length), "CCCCCC"]);
  expect(await again.reserve()).toBe("IXENT-CCCCCC");
});
