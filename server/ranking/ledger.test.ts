/** Both ledgers by one table: counted once, the best match counts, and kept over a restart. */
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CERTIFICATE_FORMAT, type Certificate } from "../../shared/protocol/certificate.ts";
import { type RunningRedis, startRedis } from "../../test/support/redis.ts";
import { Link } from "../store/redis/link.ts";
import { openFileLedger } from "./fileLedger.ts";
import type { Ledger } from "./ledger.ts";
import { redisLedger } from "./redisLedger.ts";

let redis: RunningRedis;
let link: Link;
let dir: string;
beforeAll(async () => {
  redis = await startRedis();
  link = await Link.open({ url: redis.url, report: { error: () => {}, info: () => {} } });
  dir = await mkdtemp(join(tmpdir(), "gearmice-ledger-"));
});
afterAll(async () => {
  link?.destroy();
  await redis.stop();
  await rm(dir, { recursive: true, force: true });
});

const HEX = "ab".repeat(32);
let made = 0;
function certificate(player_id: string, side_efficiency: number, more: Partial<Certificate> = {}): Certificate {
  made += 1;
  return {
    certificate: CERTIFICATE_FORMAT,
    id: `0198c5a6-7b1c-5d3e-8f00-${String(made).padStart(12, "0")}`,
    match_id: `m${made}`,
    record_hash: HEX,
    format: "solo",
    level: 1,
    kind: "benchmark",
    ranked: true,
    seat: "P1",
    player_id,
    name: player_id,
    player_kind: "ai",
    model: null,
    prompt_hash: null,
    result: "VICTORY",
    won: true,
    place: 1,
    status: "ACTIVE",
    score: 10,
    escaped: 1,
    rescued: 100,
    efficiency: side_efficiency,
    side_efficiency,
    turns: 9,
    tokens: 0,
    ended_at_ms: 1_000 + made,
    key_id: HEX,
    signature: HEX + HEX,
    ...more,
  };
}
const BOARD = { kind: "benchmark", format: "solo", level: 1 } as const;

describe.each([
  ["file", () => openFileLedger(join(dir, "certificates.jsonl"))],
  ["redis", () => redisLedger(link, "test:")],
] as const)("%s", (name, open: () => Ledger | Promise<Ledger>) => {
  test("told twice, counted once; the best of each player, best first; the same after a restart", async () => {
    const ledger = await open();
    const all = [
      certificate("ann", 1 / 3),
      certificate("ann", 12.3),
      certificate("bea", 20.1, { won: false }),
      certificate("cy", 99, { ranked: false }),
    ];
    await Promise.all(all.map((c) => ledger.add([c])));
    for (const c of all) await ledger.add([c]);
    const rows = await ledger.board(BOARD, 10);
    expect(rows.map((r) => [r.player_id, r.efficiency, r.matches, r.wins])).toEqual([
      ["bea", 20.1, 1, 0],
      ["ann", 12.3, 2, 2],
    ]);
    expect(await ledger.board({ ...BOARD, kind: "casual" }, 10)).toEqual([]);
    expect(await ledger.certificate(all[3]!.id)).toEqual(all[3]);
    expect(await ledger.certificate("constructor")).toBeNull();
    await ledger.close();
    // A crash may cut the last line short.
    if (name === "file") await appendFile(join(dir, "certificates.jsonl"), '[{"certificate":"gear');
    const again = await open();
    expect(await again.board(BOARD, 10)).toEqual(rows);
    await again.add([certificate("bea", 30)]);
    expect((await again.board(BOARD, 1)).map((r) => [r.player_id, r.matches])).toEqual([["bea", 2]]);
    await again.close();
    const last = await open();
    expect((await last.board(BOARD, 1))[0]?.efficiency).toBe(30);
    await last.close();
  });
});
