/** Changes to bytes and values, drawn from a seed: what a round did can be done again. */
import { picker } from "../../support/random.ts";

/** Rounds of one test: few in CI, more by hand with FUZZ_ROUNDS. */
export function rounds(few: number): number {
  const asked = Number(process.env.FUZZ_ROUNDS);
  return Number.isInteger(asked) && asked > 0 ? asked : few;
}

const ODD: readonly unknown[] = [
  ...[null, true, "", "x", "\u0000\u202e<script>", "x".repeat(3_000), "\ud800", "G1@P11+90", "P1", "IXENT-ABCDEF"],
  ...[0, -1, -0, 1.5, 1e308, 2 ** 53, 2 ** 31, 65_536, "9".repeat(40), "../../etc/passwd", "%00"],
  ...[[], [[]], {}, { toString: 1 }, { length: -1 }, Array(70).fill(0), "constructor", "__proto__"],
];
const NAMES = ["__proto__", "constructor", "toString", "length", "seat", "code", "turn", "then", "x"];

export class Mutator {
  readonly below: (n: number) => number;

  constructor(seed: number) {
    this.below = picker(seed);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  /** Some bytes changed, taken out, put in, doubled or cut off; now and then nothing but noise. */
  bytes(given: Uint8Array): Buffer {
    let bytes = Buffer.from(given);
    if (this.below(12) === 0) return Buffer.from(Array.from({ length: this.below(64) }, () => this.below(256)));
    for (let n = 1 + this.below(4); n > 0; n--) {
      const at = this.below(bytes.length + 1);
      const to = Math.min(bytes.length, at + 1 + this.below(8));
      switch (this.below(5)) {
        case 0:
          if (at < bytes.length) bytes[at] = this.below(256);
          break;
        case 1:
          if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << this.below(8));
          break;
        case 2:
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
          break;
        case 3:
          bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
          break;
        default:
          bytes = this.below(4) === 0 ? bytes.subarray(0, at) : bytes;
      }
    }
    return bytes;
  }

  /** One or a few places of a value of JSON replaced, taken out or added. */
  value(given: unknown): unknown {
    if (this.below(15) === 0) return this.#odd();
    let value = structuredClone(given);
    for (let n = 1 + this.below(3); n > 0; n--) value = this.#changed(value);
    return value;
  }

  /** One of its own: it may be changed in its turn. */
  #odd(): unknown {
    return structuredClone(this.pick(ODD));
  }

  #changed(value: unknown): unknown {
    if (typeof value !== "object" || value === null) {
      if (typeof value === "number" && this.below(2) === 0) return value + this.pick([1, -1, 0.5, 1e9]);
      if (typeof value === "string" && value !== "" && this.below(2) === 0) {
        return this.bytes(Buffer.from(value)).toString("utf8");
      }
      return this.#odd();
    }
    const target = value as Record<string, unknown>;
    const keys = Object.keys(target);
    const key = keys.length === 0 || this.below(8) === 0 ? this.pick(NAMES) : this.pick(keys);
    if (this.below(6) === 0) {
      if (Array.isArray(target)) target.pop();
      else delete target[key];
    } else if (Array.isArray(target) && key === "length") target.push(this.#odd());
    else {
      const changed = Object.hasOwn(target, key) ? this.#changed(target[key]) : this.#odd();
      Object.defineProperty(target, key, { value: changed, enumerable: true, configurable: true, writable: true });
    }
    return target;
  }
}
