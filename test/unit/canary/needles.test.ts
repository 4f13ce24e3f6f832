/** The search must be able to find: each way in which a seed could get out, with the encoders that are really used. */
import { getMessageBytes, Protocol } from "@colyseus/core";
import { Encoder, schema, t } from "@colyseus/schema";
import { expect, test } from "vitest";
import { createRng, nextUint32 } from "../../../shared/engine/index.ts";
import { found, seedNeedles, textNeedles } from "./needles.ts";

const SEED = "5f3bedef890f10583eb6bfc54e50c924";
const COMMITMENT = "d3c55017cfe030de75d29f3a4da0a08a359195a970a41a5d195ce4594cf60ae9";
const needles = seedNeedles(SEED, 7);

const words = (draws: number) => {
  const rng = createRng(SEED);
  for (let i = 0; i < draws; i++) nextUint32(rng);
  return [...rng];
};
const unsigned = (draws: number) => words(draws).map((word) => word >>> 0);
const bytes = (draws: number) => Buffer.from(Int32Array.from(words(draws)).buffer);
const message = (value: unknown) => Buffer.from(getMessageBytes.raw(Protocol.ROOM_DATA, "event", value) ?? []);

function mirrored(seed: string, word: number): Buffer {
  const Leak = schema({ text: t.string(), word: t.number() }, "Leak");
  const state = new Leak();
  state.text = seed;
  state.word = word;
  return Buffer.from(new Encoder(state).encodeAll());
}

test.each<[string, Buffer]>([
  ["the seed in JSON", Buffer.from(JSON.stringify({ meta: { seed: SEED } }))],
  ["in capitals", Buffer.from(SEED.toUpperCase())],
  ["its second half alone", Buffer.from(`…${SEED.slice(16)}…`)],
  ["in base64 after one byte", Buffer.from(Buffer.from(`"${SEED}"`).toString("base64"))],
  ["in base64url after two bytes", Buffer.from(Buffer.from(`{"${SEED}"}`).toString("base64url"))],
  ["in a message of a room", message({ seed: SEED })],
  ["in a room's mirror", mirrored(SEED, 0)],
  ["a word of the state in a room's mirror", mirrored("", unsigned(0)[2] ?? 0)],
  ["a word of the state in a message of a room", message({ s: unsigned(3)[1] })],
  ["a signed word in a message of a room", message(words(0))],
  ["the generator as it stands, in JSON", Buffer.from(JSON.stringify({ rng: createRng(SEED) }))],
  ["the generator after five draws, signed", Buffer.from(JSON.stringify(words(5)))],
  [
    "the generator after five draws, in hex",
    Buffer.from(
      unsigned(5)
        .map((w) => w.toString(16))
        .join("-"),
    ),
  ],
  ["its memory", Buffer.concat([Buffer.from("x"), bytes(7)])],
  ["its memory in base64", Buffer.from(Buffer.concat([Buffer.from("x"), bytes(7)]).toString("base64"))],
  ["as one number", Buffer.from(BigInt(`0x${SEED}`).toString())],
])("%s is found", (_name, planted) => {
  expect(found(needles, [Buffer.from("nothing"), planted])).not.toEqual([]);
});

test("what may be seen is not taken for it", () => {
  const open = { seed_commitment: COMMITMENT, at_ms: 1_764_504_000_000, id: "019aaf8e-1f3c-7c3c-9c37-5f3bed890f10" };
  expect(found(needles, [Buffer.from(JSON.stringify(open)), message(open)])).toEqual([]);
});

test("a text is found as it is and in base64", () => {
  const secret = textNeedles("a token", "gm1.seat.0a1b.eyJtIjoi.c2lnbmF0dXJl");
  const text = JSON.stringify({ t: "gm1.seat.0a1b.eyJtIjoi.c2lnbmF0dXJl" });
  expect(found(secret, [Buffer.from(text)])).not.toEqual([]);
  expect(found(secret, [Buffer.from(Buffer.from(text).toString("base64"))])).not.toEqual([]);
  expect(found(secret, [Buffer.from("gm1.seat.0a1b.")])).toEqual([]);
});
