import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { IdentityId, MatchId } from "../shared/protocol/ids.ts";
import { makeTokens, openTokenKeys, rotateTokenKeys } from "./tokens.ts";

const claim = { match_id: "0198c5a6-7b1c-7d3e-8f00-0123456789ab" as MatchId, seat: "P3", generation: 2 } as const;
const identity = { id: "someone" as IdentityId, name: "Ada 🐭" };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-tokens-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("what is issued is verified, for its own use alone", async () => {
  const tokens = makeTokens(await openTokenKeys(dir));
  expect(tokens.verify(tokens.issue(claim))).toEqual(claim);
  expect(tokens.verifyIdentity(tokens.issueIdentity(identity))).toEqual(identity);
  expect(tokens.verifyIdentity(tokens.issue(claim))).toBeNull();
  expect(tokens.verify(tokens.issueIdentity(identity))).toBeNull();
  // PROTOCOL 2: who joins again gets a fresh one; both open the seat.
  expect(tokens.issue(claim)).not.toBe(tokens.issue(claim));
});

test("every changed character is found", async () => {
  const tokens = makeTokens(await openTokenKeys(dir));
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
    const tokens = makeTokens(await openTokenKeys(dir));
    expect(tokens.verify(rubbish)).toBeNull();
    expect(tokens.verifyIdentity(rubbish)).toBeNull();
  },
);

describe("keys", () => {
  test("made on first start, for this user alone, and read again", async () => {
    const made = await openTokenKeys(dir);
    expect((await stat(join(dir, "token-keys.json"))).mode & 0o777).toBe(0o600);
    expect(await openTokenKeys(dir)).toEqual(made);
  });
  test("after a rotation old tokens are good and new ones are signed with the new key", async () => {
    const before = makeTokens(await openTokenKeys(dir));
    const old = before.issue(claim);
    const after = makeTokens(await rotateTokenKeys(dir));
    expect(after.verify(old)).toEqual(claim);
    expect(before.verify(after.issue(claim))).toBeNull();
  });
  test("of another server's key nothing is believed", async () => {
    const other = await mkdtemp(join(tmpdir(), "gearmice-tokens-"));
    const tokens = makeTokens(await openTokenKeys(dir));
    expect(tokens.verify(makeTokens(await openTokenKeys(other)).issue(claim))).toBeNull();
    await rm(other, { recursive: true });
  });
  test("a damaged file is an error that does not quote it, and is left alone", async () => {
    await writeFile(join(dir, "token-keys.json"), '{"a":secret-part');
    await expect(openTokenKeys(dir)).rejects.toThrow(/holds no token keys/);
    await expect(openTokenKeys(dir)).rejects.not.toThrow(/secret-part/);
    expect(await readFile(join(dir, "token-keys.json"), "utf8")).toBe('{"a":secret-part');
  });
});
