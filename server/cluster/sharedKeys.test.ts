/** One set of keys for all processes, on a real Redis. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningRedis, startRedis } from "../../test/support/redis.ts";
import { openSigner, SIGNER_FILE } from "../signing.ts";
import { Link } from "../store/redis/link.ts";
import { makeTokens, openTokenKeys, TOKEN_FILE } from "../tokens.ts";
import { shareKeys } from "./sharedKeys.ts";

const report = { error: () => {}, info: () => {} };
let redis: RunningRedis;
let link: Link;
let root = "";
beforeAll(async () => {
  redis = await startRedis();
  link = await Link.open({ url: redis.url, report });
  root = await mkdtemp(join(tmpdir(), "gearmice-keys-"));
});
afterAll(async () => {
  link?.destroy();
  await redis?.stop();
  await rm(root, { recursive: true, force: true });
});

test("folders that start at once end with the same keys, readable by their owner alone", async () => {
  const dirs = ["a", "b", "c", "shared", "shared"].map((name) => join(root, name));
  await Promise.all(dirs.map((dir) => shareKeys(link, "one:", dir)));
  expect(new Set(dirs.map((dir) => openSigner(dir).keyId)).size).toBe(1);
  const [a, b] = await Promise.all(dirs.map(async (dir) => makeTokens(await openTokenKeys(dir))));
  const identity = { id: "ada", name: "Ada" } as Parameters<NonNullable<typeof a>["issueIdentity"]>[0];
  expect(b?.verifyIdentity(a?.issueIdentity(identity) ?? "")).toEqual(identity);
  for (const dir of dirs) {
    for (const name of [TOKEN_FILE, SIGNER_FILE]) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  }
});

test("a folder's own keys become the installation's when it is the first, and are never overwritten", async () => {
  const [first, other] = [join(root, "first"), join(root, "other")];
  for (const dir of [first, other]) {
    await openTokenKeys(dir);
    openSigner(dir);
  }
  const kept = await readFile(join(other, TOKEN_FILE), "utf8");
  const { keyId } = openSigner(first);
  await shareKeys(link, "two:", first);
  await shareKeys(link, "two:", first);
  expect(openSigner(first).keyId).toBe(keyId);
  await expect(shareKeys(link, "two:", other)).rejects.toThrow(/not the key of this installation/);
  expect(await readFile(join(other, TOKEN_FILE), "utf8")).toBe(kept);
});
