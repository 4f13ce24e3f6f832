/** Mutated lines where lines come in: the engine process, `verify`, and logs read back from either store. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runEngine } from "../../../cli/engine.ts";
import { checkSignature } from "../../../server/signing.ts";
import { storeLog } from "../../../server/store/contract.ts";
import { rawRedis, redisHome } from "../../../server/store/redis/testHome.ts";
import { fileHome } from "../../../server/store/testHome.ts";
import { ENGINE_CODES, STATUS_OF } from "../../../shared/protocol/codes.ts";
import type { CreatedEntry, LogEntry } from "../../../shared/protocol/log.ts";
import { foldLog, LogError } from "../../../shared/protocol/match.ts";
import { makeRecord } from "../../../shared/protocol/record.ts";
import { verifyRecord } from "../../../shared/protocol/recordVerify.ts";
import { playedLog, SEED } from "../../support/logs.ts";
import { type RunningRedis, startRedis } from "../../support/redis.ts";
import { Mutator, rounds } from "./mutate.ts";

const CODES = new Set<string>([...Object.keys(STATUS_OF), ...ENGINE_CODES]);
const solo = () => playedLog({ format: "solo", level: 1, seed: SEED });
const running = (turns: number) => playedLog({ format: "1v1", level: 1, seed: SEED }, turns);

test("engine process: every line has its answer with a code, and what is left answers as before", async () => {
  const draw = new Mutator(1);
  const requests = [
    { id: 1, op: "new", format: "solo", level: 1, seed: SEED },
    { id: 2, op: "play", match: "m1", player: "P1", command: "G1@P11+90", turn: 0, reply: "brief" },
    { id: 3, op: "clone", match: "m1", seed: SEED },
    {
      id: 4,
      op: "batch",
      requests: [
        { id: 5, op: "legal", match: "m1" },
        { id: 6, op: "undo", match: "m1" },
      ],
    },
    { id: 7, op: "expire", match: "m1", player: "P1" },
    { id: 8, op: "state", match: "m1" },
  ];
  const lines: Buffer[] = [];
  for (let i = rounds(3_000); i > 0; i--) {
    const request = draw.pick(requests);
    const mutated =
      draw.below(2) === 0
        ? draw.bytes(Buffer.from(JSON.stringify(request)))
        : Buffer.from(JSON.stringify(draw.value(request)));
    lines.push(Buffer.from(mutated.filter((byte) => byte !== 0x0a)));
  }
  const probe = { id: "probe", op: "new", format: "solo", level: 1, seed: SEED };
  lines.push(Buffer.from(JSON.stringify(probe)));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const written = text(output);
  const done = runEngine(input, output);
  // In chunks that break lines anywhere.
  const all = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
  for (let at = 0; at < all.length; ) {
    const size = 1 + draw.below(5_000);
    input.write(all.subarray(at, at + size));
    at += size;
  }
  input.end();
  await done;
  output.end();
  const answers = (await written)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers).toHaveLength(lines.length);
  const check = (answer: { ok: unknown; code?: string; answers?: [] }) => {
    if (answer.ok !== true) expect(CODES.has(answer.code ?? ""), JSON.stringify(answer)).toBe(true);
    expect(answer.code, JSON.stringify(answer)).not.toBe("internal");
    for (const one of answer.answers ?? []) check(one);
  };
  for (const answer of answers) check(answer);
  expect(answers.at(-1)).toMatchObject({ id: "probe", ok: true, state: { meta: { turn: 0, seed: SEED } } });
  expect(new Set(answers.map(({ code }) => code)).size).toBeGreaterThan(5);
});

test("verify: no mutated record is taken for a right one, and none throws", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519") as { privateKey: KeyObject; publicKey: KeyObject };
  const keyId = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
  const lines = makeRecord(solo(), { keyId, sign: (message) => sign(null, message, privateKey) });
  const whole = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const check = (record: Uint8Array) => verifyRecord(record, { keys: [keyId], checkSignature });
  expect(await check(whole)).toMatchObject({ ok: true });
  const draw = new Mutator(2);
  for (let i = rounds(400); i > 0; i--) {
    const changed = [...lines];
    const at = draw.below(lines.length);
    if (draw.below(2) === 0) changed[at] = JSON.stringify(draw.value(JSON.parse(lines[at] as string)));
    const text = Buffer.from(changed.map((line) => `${line}\n`).join(""));
    const mutated = draw.below(2) === 0 ? draw.bytes(text) : text;
    if (mutated.equals(whole)) continue;
    const verdict = await check(mutated);
    expect(verdict.ok, `round ${i}`).toBe(false);
    if (!verdict.ok) expect(verdict.line).toBeGreaterThan(0);
  }
});

/** A log that cannot be replayed is refused as such, and one that can is a match like any other. */
function fold(entries: readonly LogEntry[]): "folded" | "refused" {
  try {
    const match = foldLog(entries);
    expect(match.version).toBe(entries.length);
    return "folded";
  } catch (error) {
    expect(error, String((error as Error).stack)).toBeInstanceOf(LogError);
    return "refused";
  }
}

test("a log whose entries were changed is refused by name", () => {
  const draw = new Mutator(3);
  const log = running(12);
  const seen = new Set<string>();
  for (let i = rounds(2_000); i > 0; i--) {
    const changed = [...log];
    const at = draw.below(log.length);
    const how = draw.below(5);
    if (how === 0) changed.splice(at, 1);
    else if (how === 1) changed.splice(at, 0, draw.pick(log));
    else changed[at] = draw.value(log[at]) as LogEntry;
    seen.add(fold(changed));
  }
  expect(seen).toEqual(new Set(["folded", "refused"]));
});

describe("stores whose bytes were changed", () => {
  test("files: the store opens or says why, reads or says why, and takes new matches", {
    timeout: 60_000,
  }, async () => {
    const draw = new Mutator(4);
    for (let i = rounds(25); i > 0; i--) {
      const home = await fileHome();
      try {
        const first = await home.open();
        const logs = [running(6), solo()];
        for (const log of logs) await storeLog(first, log, log === logs[1]);
        await first.close();
        const dir = join(home.dir, "data");
        const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
        for (let n = 1 + draw.below(3); n > 0; n--) {
          const entry = draw.pick(names);
          const file = join(entry.parentPath, entry.name);
          await writeFile(file, draw.bytes(await readFile(file)));
        }
        const store = await home.open().catch((error: unknown) => {
          expect(error).toBeInstanceOf(Error);
          expect((error as Error).name, String((error as Error).stack)).not.toMatch(
            /TypeError|RangeError|ReferenceError/,
          );
          return null;
        });
        if (store === null) continue;
        for (const log of logs) {
          const id = (log[0] as CreatedEntry).match_id;
          const read = await store.read(id).catch(() => null);
          if (read !== null) fold(read);
          await store.record(id).catch(() => null);
        }
        for (const { entries } of await store.unfinished()) fold(entries);
        const fresh = running(3);
        await storeLog(store, fresh, false);
        expect(await store.read((fresh[0] as CreatedEntry).match_id)).toEqual(fresh);
        await store.close();
      } finally {
        await home.dispose();
      }
    }
  });

  describe("Redis", () => {
    let redis: RunningRedis;
    let raw: Awaited<ReturnType<typeof rawRedis>>;
    beforeAll(async () => {
      redis = await startRedis();
      raw = await rawRedis(redis.url);
    });
    afterAll(async () => {
      raw?.destroy();
      await redis?.stop();
    });

    test("entries that were changed are read, refused or unavailable, and the store takes new matches", {
      timeout: 60_000,
    }, async () => {
      const draw = new Mutator(5);
      const home = await redisHome(redis.url);
      const first = await home.open();
      const log = running(6);
      const { match_id: id } = log[0] as CreatedEntry;
      await storeLog(first, log, false);
      await first.close();
      const key = (await raw.keys(`${home.prefix}log:*`))[0] as string;
      for (let i = rounds(60); i > 0; i--) {
        const at = draw.below(log.length);
        const changed = log.map((entry, n) => {
          const json = JSON.stringify(entry);
          if (n !== at) return json;
          return draw.below(2) === 0
            ? draw.bytes(Buffer.from(json)).toString("utf8")
            : JSON.stringify(draw.value(entry));
        });
        await raw.del(key);
        for (const [n, e] of changed.entries()) await raw.xAdd(key, `${n + 1}-0`, { e });
        const store = await home.open();
        const read = await store.read(id).catch(() => null);
        if (read !== null) fold(read);
        for (const found of await store.unfinished().catch(() => [])) fold(found.entries);
        const fresh = running(2);
        await storeLog(store, fresh, false);
        expect(await store.read((fresh[0] as CreatedEntry).match_id)).toEqual(fresh);
        await store.close();
      }
      await home.dispose();
    });
  });
});
