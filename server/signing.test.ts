import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRecord } from "../shared/protocol/record.ts";
import { verifyRecord } from "../shared/protocol/recordVerify.ts";
import { createdEntry, playedLog, SEED } from "../test/support/logs.ts";
import {
  followSigner,
  openRecordKeys,
  openSigner,
  retireRecordKeys,
  rotateRecordKeys,
  signerOf,
  unlistRecordKey,
} from "./keys/recordKeys.ts";
import { checkSignature, makeSeal } from "./signing.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-key-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const message = Buffer.from("message");
const file = () => join(dir, "record-key.json");

describe("the key that signs records", () => {
  test("is made on first start, for this user only, and stays", async () => {
    const first = openSigner(dir);
    expect(await readdir(dir)).toEqual(["record-key.json"]);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const second = openSigner(dir);
    expect(second.keyId).toBe(first.keyId);
    expect(second.sign(message)).toEqual(first.sign(message));
  });

  test("gets its mode back when a copy has lost it", async () => {
    openSigner(dir);
    await chmod(file(), 0o644);
    openSigner(dir);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["no JSON", "x"],
    ["another form", "{}"],
    ["a public key", ""],
  ])("damaged (%s): says so, quotes nothing, makes no other", async (_, text) => {
    const { keyList } = openSigner(dir);
    const damaged = text || JSON.stringify(keyList.keys[0]);
    await writeFile(file(), damaged);
    expect(() => openSigner(dir)).toThrow(/holds no Ed25519 key/);
    expect(await readFile(file(), "utf8")).toBe(damaged);
  });

  test("its public half is in the list under its id, its private half is not", async () => {
    const signer = openSigner(dir);
    const [key] = signer.keyList.keys;
    expect(key).toEqual({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid: signer.keyId, x: key?.x });
    expect(Buffer.from(key?.x ?? "", "base64url").toString("hex")).toBe(signer.keyId);
    const { d } = JSON.parse(await readFile(file(), "utf8")).keys[0];
    expect(d).toHaveLength(43);
    expect(JSON.stringify(signer.keyList)).not.toContain(d);
  });

  test("signs so that the list's key verifies, and nothing else does", async () => {
    const signer = openSigner(dir);
    const key = Buffer.from(signer.keyId, "hex");
    const signature = signer.sign(message);
    expect(signature).toHaveLength(64);
    expect(await checkSignature(key, message, signature)).toBe(true);
    expect(await checkSignature(key, Buffer.from("massage"), signature)).toBe(false);
    expect(await checkSignature(Buffer.alloc(32, 255), message, signature)).toBe(false);
    expect(await checkSignature(key, message, Buffer.alloc(64))).toBe(false);
    expect(await checkSignature(key, message, Buffer.alloc(3))).toBe(false);
  });
});

describe("after a rotation", () => {
  const text = () => readFile(file(), "utf8");

  test("records of both keys verify by the one list; the new key signs from its time on", async () => {
    const old = openSigner(dir);
    await writeFile(file(), rotateRecordKeys(await text(), 20_000));
    const keys = openRecordKeys(dir);
    expect(signerOf(keys, 19_999).keyId).toBe(old.keyId);
    const fresh = signerOf(keys, 20_000);
    expect(fresh.keyId).not.toBe(old.keyId);
    expect(fresh.keyList.keys.map(({ kid }) => kid)).toEqual([fresh.keyId, old.keyId]);
    const log = playedLog({ format: "solo", level: 1, seed: SEED });
    const trusted = fresh.keyList.keys.map(({ kid }) => kid);
    for (const signer of [old, fresh]) {
      const record = makeRecord(log, signer)
        .map((line) => `${line}\n`)
        .join("");
      const verdict = await verifyRecord(Buffer.from(record), { keys: trusted, checkSignature });
      expect(verdict).toMatchObject({ ok: true, signer: "known", result: { key_id: signer.keyId } });
    }
  });

  test("of a key that signs no more the private half is thrown away, not before", async () => {
    const old = openSigner(dir);
    const rotated = rotateRecordKeys(await text(), 20_000);
    expect(JSON.parse(retireRecordKeys(rotated, 19_999))).toEqual(JSON.parse(rotated));
    const retired = retireRecordKeys(rotated, 20_000);
    expect(retired.match(/"d":/g)).toHaveLength(1);
    await writeFile(file(), retired);
    // Also by a clock that is behind: who cannot sign by the old key signs by the new one.
    expect(signerOf(openRecordKeys(dir), 0).keyId).not.toBe(old.keyId);
    expect(openSigner(dir).keyList.keys.map(({ kid }) => kid)).toContain(old.keyId);
  });

  test("a key that others may have is unlisted; not the one that signs, not one that is none", async () => {
    const old = openSigner(dir);
    await writeFile(file(), rotateRecordKeys(await text(), 20_000));
    const unlisted = unlistRecordKey(await text(), old.keyId, 20_000);
    await writeFile(file(), unlisted);
    const fresh = signerOf(openRecordKeys(dir), 20_000);
    expect(fresh.keyList.keys.map(({ kid }) => kid)).toEqual([fresh.keyId]);
    expect(() => unlistRecordKey(unlisted, fresh.keyId, 20_000)).toThrow(/signs now/);
    expect(() => unlistRecordKey(unlisted, "ab".repeat(32), 20_000)).toThrow(/no record key/);
  });

  test("whoever follows the file signs by the new key from the next record on", async () => {
    const signer = followSigner(dir);
    const before = signer().keyId;
    expect(signer().keyId).toBe(before);
    await writeFile(file(), rotateRecordKeys(await text(), 0));
    expect(signer().keyId).not.toBe(before);
  });

  test("a file from before keys had dates is read; halves that do not belong together are refused", async () => {
    openSigner(dir);
    const [{ kty, crv, x, d }] = JSON.parse(await text()).keys;
    await writeFile(file(), JSON.stringify({ kty, crv, x, d }));
    expect(openSigner(dir).keyId).toBe(Buffer.from(x, "base64url").toString("hex"));
    await writeFile(file(), JSON.stringify({ kty, crv, x: "A".repeat(43), d }));
    expect(() => openSigner(dir)).toThrow(/holds no Ed25519 key/);
  });
});

describe("sealing", () => {
  test("gives the record and the line of the list", async () => {
    const signer = openSigner(dir);
    const log = playedLog({ format: "2v2", level: 1, seed: SEED });
    const sealed = await makeSeal(signer)(log);
    expect(sealed?.lines).toEqual(makeRecord(log, signer));
    const result = JSON.parse(sealed?.lines.at(-1) ?? "");
    expect(sealed?.summary).toMatchObject({ format: "2v2", result: result.result, winner: result.winner });
    expect(sealed?.summary.ended_at_ms).toBe(log.at(-1)?.at_ms);
  });

  test("gives nothing for a room that closed while it waited", async () => {
    const created = createdEntry({ format: "solo", level: 1, seed: SEED });
    expect(await makeSeal(openSigner(dir))([created, { type: "closed", at_ms: 1 }])).toBeNull();
  });

  test("rejects a match that is not over", async () => {
    const log = playedLog({ format: "solo", level: 1, seed: SEED }, 2);
    await expect(makeSeal(openSigner(dir))(log)).rejects.toThrow("not over");
  });
});
