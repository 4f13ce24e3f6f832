/** One set of keys for all processes, on a real Redis. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningRedis, startRedis } from "../../test/support/redis.ts";
import { openSigner, SIGNER_FILE } from "../keys/recordKeys.ts";
import { folderKeys, listKeys, redisKeys, retireKeys, rotateKeys, unlistKey } from "../keys/rotate.ts";
import { openTokenKeys, TOKEN_FILE } from "../keys/tokenKeys.ts";
import { Link } from "../store/redis/link.ts";
import { makeTokens } from "../tokens.ts";
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
  const [a, b] = await Promise.all(dirs.map(async (dir) => makeTokens(openTokenKeys(dir))));
  const identity = { id: "ada", name: "Ada" } as Parameters<NonNullable<typeof a>["issueIdentity"]>[0];
  expect(b?.verifyIdentity(a?.issueIdentity(identity) ?? "")).toEqual(identity);
  for (const dir of dirs) {
    for (const name of [TOKEN_FILE, SIGNER_FILE]) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  }
});

test("a folder's own keys become the installation's when it is the first, and are never overwritten", async () => {
  const [first, other] = [join(root, "first"), join(root, "other")];
  for (const dir of [first, other]) {
    openTokenKeys(dir);
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

describe("a rotation reaches every folder", () => {
  const NOW = { afterMs: 0, keepMs: 60_000 };
  const ids = async (dir: string) => (await listKeys(folderKeys(dir), Date.now())).map(({ id, state }) => [id, state]);

  test("made in Redis: folders take it over, also one that was away for two of them", async () => {
    const [a, b, away] = ["r-a", "r-b", "r-away"].map((name) => join(root, name)) as [string, string, string];
    for (const dir of [a, b, away]) await shareKeys(link, "three:", dir);
    const before = openSigner(a).keyId;
    for (let i = 0; i < 2; i++) {
      await rotateKeys(await redisKeys(link, "three:", a), Date.now(), NOW);
      await shareKeys(link, "three:", b);
    }
    await shareKeys(link, "three:", away);
    expect(await ids(b)).toEqual(await ids(a));
    expect(await ids(away)).toEqual(await ids(a));
    expect(openSigner(away).keyId).not.toBe(before);
    expect(openSigner(away).keyList.keys.map(({ kid }) => kid)).toContain(before);
    // An old backup of a folder is brought up, and nothing of Redis is lost.
    expect(await ids(a)).toHaveLength(6);
  });

  test("made in a folder while nothing ran: it goes into Redis with the next start", async () => {
    const [a, b] = ["f-a", "f-b"].map((name) => join(root, name)) as [string, string];
    for (const dir of [a, b]) await shareKeys(link, "four:", dir);
    await rotateKeys(folderKeys(a), Date.now(), NOW);
    for (const dir of [a, b]) await shareKeys(link, "four:", dir);
    expect(await ids(b)).toEqual(await ids(a));
  });

  test("what one folder takes back is taken back everywhere: a private half, a listing, the rest of a token's time", async () => {
    const [a, b] = ["w-a", "w-b"].map((name) => join(root, name)) as [string, string];
    for (const dir of [a, b]) await shareKeys(link, "seven:", dir);
    const old = openSigner(a).keyId;
    const now = Date.now();
    const all = async () => {
      for (const dir of [a, b, a]) await shareKeys(link, "seven:", dir);
      expect(await readFile(join(b, SIGNER_FILE), "utf8")).toBe(await readFile(join(a, SIGNER_FILE), "utf8"));
      expect(await readFile(join(b, TOKEN_FILE), "utf8")).toBe(await readFile(join(a, TOKEN_FILE), "utf8"));
    };
    await rotateKeys(folderKeys(a), now, { afterMs: 0, keepMs: 60_000 });
    await all();
    expect((await readFile(join(b, SIGNER_FILE), "utf8")).match(/"d":/g)).toHaveLength(2);
    // Redis has the old text when these are written.
    await retireKeys(folderKeys(a), now + 1);
    await unlistKey(folderKeys(b), old, now + 1);
    await all();
    expect((await readFile(join(b, SIGNER_FILE), "utf8")).match(/"d":/g)).toHaveLength(1);
    expect(openSigner(a).keyList.keys.map(({ kid }) => kid)).not.toContain(old);
    await rotateKeys(folderKeys(b), now + 2, { afterMs: 0, keepMs: 0 });
    await all();
    expect((await ids(a)).map(([, state]) => state)).toEqual([
      "signs",
      "expired",
      "expired",
      "signs",
      "past",
      "expired",
    ]);
  });

  test("two at once are both there", async () => {
    const [a, b] = ["t-a", "t-b"].map((name) => join(root, name)) as [string, string];
    for (const dir of [a, b]) await shareKeys(link, "five:", dir);
    await Promise.all([a, b].map(async (dir) => rotateKeys(await redisKeys(link, "five:", dir), Date.now(), NOW)));
    for (const dir of [a, b]) await shareKeys(link, "five:", dir);
    expect(await ids(a)).toHaveLength(6);
    expect(await ids(b)).toEqual(await ids(a));
  });

  test("where no server has run there is nothing to rotate", async () => {
    await expect(redisKeys(link, "six:", join(root, "none")).then((home) => home.read(TOKEN_FILE))).rejects.toThrow(
      /no server has run/,
    );
  });
});
