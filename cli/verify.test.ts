import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSigner, type RecordSigner } from "../server/keys/recordKeys.ts";
import { certificatesOf } from "../server/ranking/certificate.ts";
import { makeSeal } from "../server/signing.ts";
import { makeRecord, partialRecord } from "../shared/protocol/record.ts";
import { playedLog, SEED } from "../test/support/logs.ts";
import { type VerifyCommandOptions, verifyCommand } from "./verify.ts";

const log = playedLog({ format: "solo", level: 1, seed: SEED });
let dir: string;
let signer: RecordSigner;
let record: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "gearmice-verify-"));
  signer = openSigner(dir);
  record = await file(
    "match.jsonl",
    makeRecord(log, signer)
      .map((line) => `${line}\n`)
      .join(""),
  );
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(dir, name), text);
  return join(dir, name);
}
async function run(path: string, options: VerifyCommandOptions = {}) {
  const said: string[] = [];
  const code = await verifyCommand(path, { ...options, write: (text) => said.push(text) });
  return { code, output: said.join("") };
}
const keyFile = () => file("keys.json", JSON.stringify(signer.keyList));

describe("gearmice verify", () => {
  test("with the key: right", async () => {
    const { code, output } = await run(record, { key: await keyFile() });
    expect(output).toContain(`signed by ${signer.keyId}`);
    expect(code).toBe(0);
    expect((await run(record, { key: signer.keyId })).code).toBe(0);
  });

  test("without a key the signer is unknown: right only where that is allowed", async () => {
    const plain = await run(record);
    expect(plain.output).toContain("chain and replay right, signer unknown");
    expect(plain.code).toBe(1);
    expect((await run(record, { allowUnknownSigner: true })).code).toBe(0);
  });

  test("with another's key: unknown", async () => {
    expect((await run(record, { key: "0".repeat(64) })).code).toBe(1);
  });

  test("one changed byte is named by line", async () => {
    const lines = makeRecord(log, signer);
    lines[4] = lines[4]?.replace('"n":4', '"n":5') ?? "";
    const changed = await file("changed.jsonl", lines.map((line) => `${line}\n`).join(""));
    const { code, output } = await run(changed, { key: signer.keyId, json: true });
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ ok: false, line: 5, problem: expect.any(String) });
  });

  test("a partial record is refused", async () => {
    const lines = partialRecord(log.slice(0, 8), null).map((line) => `${line}\n`);
    expect((await run(await file("partial.jsonl", lines.join("")), { allowUnknownSigner: true })).code).toBe(1);
  });

  test("keys from a server's well-known list", async () => {
    const server = createServer((request, response) => {
      const known = request.url === "/.well-known/gearmice-keys.json";
      response.writeHead(known ? 200 : 404).end(known ? JSON.stringify(signer.keyList) : "{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await run(record, { key: `${address}/.well-known/gearmice-keys.json` })).code).toBe(0);
    expect((await run(record, { key: `${address}/elsewhere` })).code).toBe(2);
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    ["no file", "none.jsonl", undefined],
    ["no keys", "match.jsonl", "none.json"],
    ["keys of another form", "match.jsonl", "match.jsonl"],
  ])("%s: cannot be checked", async (_, name, key) => {
    const options = key === undefined ? {} : { key: join(dir, key) };
    const { code, output } = await run(join(dir, name), { ...options, json: true });
    expect(code).toBe(2);
    expect(JSON.parse(output)).toMatchObject({ ok: false });
  });
});

test("a certificate: right with the key, one changed digit is found", async () => {
  const sealed = await makeSeal(signer)(log);
  const [certificate] = sealed === null ? [] : certificatesOf(log, sealed, signer);
  const text = JSON.stringify(certificate);
  expect((await run(await file("right.json", text), { key: signer.keyId })).code).toBe(0);
  expect((await run(await file("right.json", text))).code).toBe(1);
  const pretty = await file("pretty.json", JSON.stringify(certificate, null, 2));
  expect((await run(pretty, { allowUnknownSigner: true })).code).toBe(0);
  const raised = JSON.stringify({ ...certificate, score: (certificate?.score ?? 0) + 10 });
  expect((await run(await file("wrong.json", raised), { key: signer.keyId })).code).toBe(1);
});
