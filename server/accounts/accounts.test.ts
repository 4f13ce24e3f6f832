/** Access codes and sessions over a file: kept over a restart, gone when they expire, used once where they must. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { IdentityId } from "../../shared/protocol/ids.ts";
import { makeAccounts } from "./accounts.ts";
import { makeSessions } from "./sessions.ts";
import { openSmallFile } from "./smallStore.ts";

const dir = await mkdtemp(join(tmpdir(), "gearmice-accounts-"));
afterAll(() => rm(dir, { recursive: true, force: true }));
const DAY = 86_400_000;
const eve = { id: "eve" as IdentityId, name: "Eve" };

test("a code outlives the process, expires, and is stored as its hash alone", async () => {
  const path = join(dir, "codes.json");
  let now = 1_000;
  const first = await openSmallFile(path, () => now);
  const { code, expires_at } = await makeAccounts(first, () => now).makeCode(eve);
  await first.close();
  expect(await readFile(path, "utf8")).not.toContain(code.replaceAll("-", ""));
  expect(await readFile(path, "utf8")).not.toContain(code);
  const second = makeAccounts(await openSmallFile(path, () => now), () => now);
  expect(await second.exchange(code)).toMatchObject({ ok: true, identity: eve });
  now = expires_at;
  expect(await second.exchange(code)).toMatchObject({ code: "not_found" });
});

test("of many who redeem one session, one gets it; given back, it is good again; expired, it is gone", async () => {
  let now = 1_000;
  const store = await openSmallFile(join(dir, "sessions.json"), () => now);
  const sessions = makeSessions(store, () => now);
  const { id } = await sessions.make(eve.id, { mode: "benchmark", format: "solo", level: 1 });
  const tries = await Promise.all(Array.from({ length: 5 }, () => sessions.redeem(id)));
  const got = tries.filter((t) => t.ok);
  expect(got).toHaveLength(1);
  expect(await sessions.redeem(id)).toMatchObject({ code: "code_used" });
  if (got[0]?.ok) await got[0].release();
  expect(await sessions.redeem(id)).toMatchObject({ ok: true });
  now += 2 * DAY;
  expect(await sessions.redeem(id)).toMatchObject({ code: "not_found" });
});
