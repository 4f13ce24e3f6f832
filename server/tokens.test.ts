import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { IdentityId, MatchId } from "../shared/protocol/ids.ts";
import { openTokenKeys, parseTokenKeys, rotateTokenKeys, TOKEN_FILE } from "./keys/tokenKeys.ts";
import { makeTokens } from "./tokens.ts";

const claim = { match_id: "0198c5a6-7b1c-7d3e-8f00-0123456789ab" as MatchId, seat: "P3", generation: 2 } as const;
const identity = { id: "someone" as IdentityId, name: "Ada 🐭" };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-tokens-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("what is issued is verified, for its own use alone", async () => {
  const tokens = makeTokens(openTokenKeys(dir));
  expect(tokens.verify(tokens.issue(claim))).toEqual(claim);
  expect(tokens.verifyIdentity(tokens.issueIdentity(identity))).toEqual(identity);
  expect(tokens.verifyIdentity(tokens.issue(claim))).toBeNull();
  expect(tokens.verify(tokens.issueIdentity(identity))).toBeNull();
  // PROTOCOL 2: who joins again gets a fresh one; both open the seat.
  expect(tokens.issue(claim)).not.toBe(tokens.issue(claim));
});

test("every changed character is found", async () => {
  const tokens = makeTokens(openTokenKeys(dir));
  const token = tokens.issue(claim);
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === "A" ? "B" : "A";
    const changed = `${token.slice(0, i)}${other}${token.slice(i + 1)}`;
    // The last character of base64url carries bits that decode to nothing.
    const same = Buffer.from(changed.split(".")[4] ?? "", "base64url").equals(
      Buffer.from(token.split(".")[4] ?? "", "base64url"),
    );
    if (i >= token.lastIndexOf(".") && same) continue;
    expect(tokens.verify(changed), changed).toBeNull();
  }
});

test.each(["", ".", "....", "gm1.seat...", "x".repeat(100_000), "gm1.seat.__proto__.e30.e30", "\u0000"])(
  "rubbish is no token: %#",
  async (rubbish) => {
    const tokens = makeTokens(openTokenKeys(dir));
    expect(tokens.verify(rubbish)).toBeNull();
    expect(tokens.verifyIdentity(rubbish)).toBeNull();
  },
);

describe("keys", () => {
  test("made on first start, for this user alone, and read again", async () => {
    const made = openTokenKeys(dir);
    expect((await stat(join(dir, "token-keys.json"))).mode & 0o777).toBe(0o600);
    expect(openTokenKeys(dir)).toEqual(made);
  });
  describe("after a rotation", () => {
    const [now, from, until] = [10_000, 20_000, 30_000];
    const rotated = async (rotation = { fromMs: from, untilMs: until }) => {
      const before = openTokenKeys(dir);
      const text = rotateTokenKeys(await readFile(join(dir, TOKEN_FILE), "utf8"), rotation, now);
      return { before, after: parseTokenKeys(text, "x"), text };
    };
    const keyOf = (token: string) => token.split(".")[2];

    test("the new key signs from its time on, and is believed before: no process is ahead of another", async () => {
      const { before, after } = await rotated();
      const at = (ms: number) => makeTokens(after, () => ms);
      expect(keyOf(at(from - 1).issue(claim))).toBe(before[0]?.id);
      expect(keyOf(at(from).issue(claim))).toBe(after[1]?.id);
      expect(at(from - 1_000).verify(at(from).issue(claim))).toEqual(claim);
    });
    test("old tokens open their seats until the stated age, and no longer", async () => {
      const { before, after } = await rotated();
      const old = makeTokens(before).issue(claim);
      expect(makeTokens(after, () => until).verify(old)).toEqual(claim);
      expect(makeTokens(after, () => until + 1).verify(old)).toBeNull();
    });
    test("an age of nothing: they are good as long as the old key signs", async () => {
      const { before, after } = await rotated({ fromMs: from, untilMs: from });
      const old = makeTokens(before).issue(claim);
      expect(makeTokens(after, () => from).verify(old)).toEqual(claim);
      expect(makeTokens(after, () => from + 1).verify(old)).toBeNull();
    });
    test("the next one makes no key live longer, and forgets those that are past their time", async () => {
      const { text } = await rotated();
      const again = (nowMs: number) => {
        const to = { fromMs: nowMs, untilMs: nowMs + 1_000_000 };
        return parseTokenKeys(rotateTokenKeys(text, to, nowMs), "x");
      };
      expect(again(until)[0]).toMatchObject({ until_ms: until, key: expect.any(String) });
      expect(again(until + 1)[0]).toMatchObject({ until_ms: until, key: null });
    });
    test("keys are asked for each time: a process takes a rotation up while it runs", async () => {
      const { before, after } = await rotated({ fromMs: 0, untilMs: until });
      let keys = before;
      const tokens = makeTokens(
        () => keys,
        () => now,
      );
      const old = tokens.issue(claim);
      keys = after;
      expect(tokens.verify(old)).toEqual(claim);
      expect(keyOf(tokens.issue(claim))).toBe(after[1]?.id);
    });
  });
  test("a file from before keys had dates is read", async () => {
    const hex = "ab".repeat(32);
    await writeFile(join(dir, TOKEN_FILE), JSON.stringify({ current: "bbbb", keys: { aaaa: hex, bbbb: hex } }));
    expect(makeTokens(openTokenKeys(dir)).issue(claim)).toMatch(/^gm1\.seat\.bbbb\./);
  });
  test("a file that others can read is narrowed", async () => {
    openTokenKeys(dir);
    await chmod(join(dir, TOKEN_FILE), 0o664);
    openTokenKeys(dir);
    expect((await stat(join(dir, TOKEN_FILE))).mode & 0o777).toBe(0o600);
  });
  test("of another server's key nothing is believed", async () => {
    const other = await mkdtemp(join(tmpdir(), "gearmice-tokens-"));
    const tokens = makeTokens(openTokenKeys(dir));
    expect(tokens.verify(makeTokens(openTokenKeys(other)).issue(claim))).toBeNull();
    await rm(other, { recursive: true });
  });
  test("a damaged file is an error that does not quote it, and is left alone", async () => {
    await writeFile(join(dir, "token-keys.json"), '{"a":secret-part');
    expect(() => openTokenKeys(dir)).toThrow(/holds no token keys/);
    expect(() => openTokenKeys(dir)).not.toThrow(/secret-part/);
    expect(await readFile(join(dir, "token-keys.json"), "utf8")).toBe('{"a":secret-part');
  });
});
