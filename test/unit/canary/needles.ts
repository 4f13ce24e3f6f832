/**
 * What a secret could look like in bytes. Seeds and the generator's states are looked for in every form in which a
 * program would write them down; texts and tokens as they are, and in base64.
 */
import { createRng, nextUint32 } from "../../../shared/engine/index.ts";

export interface Needle {
  readonly what: string;
  readonly bytes: Buffer;
}

/** Shorter numbers stand everywhere. */
const MIN_DIGITS = 8;

/** Every form of a seed and of the states that its generator comes to in so many draws. */
export function seedNeedles(seed: string, draws: number): Needle[] {
  const needles = textNeedles("the seed", seed);
  needles.push(...both("half the seed", seed.slice(0, 16)), ...both("half the seed", seed.slice(16)));
  const rng = createRng(seed);
  for (let i = 0; i <= draws; i++) {
    needles.push(...stateNeedles(i === 0 ? "the seed as numbers" : `state ${i} of the generator`, [...rng]));
    nextUint32(rng);
  }
  return needles;
}

/** A text as it is, and in base64 wherever in the encoded bytes it begins. */
export function textNeedles(what: string, text: string): Needle[] {
  return [{ what, bytes: Buffer.from(text) }, ...base64Needles(`${what} in base64`, Buffer.from(text))];
}

/** What of `needles` stands in `bytes`. */
export function found(needles: readonly Needle[], bytes: readonly Buffer[]): string[] {
  return needles.filter((needle) => bytes.some((one) => one.includes(needle.bytes))).map(({ what }) => what);
}

function stateNeedles(what: string, words: readonly number[]): Needle[] {
  const needles: Needle[] = [];
  const add = (form: string, bytes: Buffer) => void needles.push({ what: `${what}, ${form}`, bytes });
  const little = Buffer.alloc(16);
  const big = Buffer.alloc(16);
  for (const [i, word] of words.entries()) {
    little.writeUInt32LE(word >>> 0, 4 * i);
    big.writeUInt32BE(word >>> 0, 4 * i);
    for (const decimal of [String(word >>> 0), String(word | 0)]) {
      if (decimal.length >= MIN_DIGITS) add(`word ${i} in decimal`, Buffer.from(decimal));
    }
    needles.push(...both(`${what}, word ${i}`, (word >>> 0).toString(16).padStart(8, "0")));
    // A number of 32 bits in msgpack and in Colyseus' schema, and one of 64 bits in either.
    for (const order of [big, little]) {
      const four = order.subarray(4 * i, 4 * i + 4);
      add(`word ${i} as uint32`, Buffer.from([0xce, ...four]));
      add(`word ${i} as int32`, Buffer.from([0xd2, ...four]));
      for (const value of [word >>> 0, word | 0]) {
        const double = Buffer.alloc(8);
        if (order === big) double.writeDoubleBE(value);
        else double.writeDoubleLE(value);
        add(`word ${i} as double`, double);
      }
    }
  }
  for (const [order, bytes] of [
    ["big", big],
    ["little", little],
  ] as const) {
    for (const from of [0, 4, 8]) add(`two words, ${order}-endian`, bytes.subarray(from, from + 8));
    add(`one number, ${order}-endian`, Buffer.from(BigInt(`0x${bytes.toString("hex")}`).toString()));
    needles.push(...base64Needles(`${what} in base64, ${order}-endian`, bytes));
    needles.push(...both(`${what}, ${order}-endian`, bytes.toString("hex")));
  }
  return needles;
}

function both(what: string, hex: string): Needle[] {
  return [hex, hex.toUpperCase()].map((text) => ({ what: `${what} in hex`, bytes: Buffer.from(text) }));
}

/** The middle of the encoded text, which is the same whatever stands before and after: once for each alignment. */
function base64Needles(what: string, bytes: Buffer): Needle[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const plain = whole.subarray(0, whole.length - (whole.length % 3)).toString("base64");
    const sure = before === 0 ? plain : plain.slice(4);
    return [sure, sure.replaceAll("+", "-").replaceAll("/", "_")].map((text) => ({ what, bytes: Buffer.from(text) }));
  });
}
