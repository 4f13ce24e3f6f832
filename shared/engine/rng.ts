/** xoshiro128** (R11.3): the four words of its state. It is changed in place by every draw. */
export type Rng = Int32Array;

const SEED = /^[0-9a-f]{32}$/;

/** Whether the text is a seed: 32 lower-case hex digits, not all zero (R11.2). */
export function isSeed(text: string): boolean {
  return SEED.test(text) && text !== "0".repeat(32);
}

/** A fresh generator; the seed must be one (`isSeed`), else RangeError. */
export function createRng(seed: string): Rng {
  const rng = new Int32Array(4);
  seedRng(rng, seed);
  return rng;
}

/** Puts a generator at the start of a seed. */
export function seedRng(rng: Rng, seed: string): void {
  if (!isSeed(seed)) throw new RangeError("bad_seed: a seed is 32 lower-case hex digits, not all zero");
  for (let i = 0; i < 4; i++) rng[i] = Number.parseInt(seed.slice(i * 8, i * 8 + 8), 16);
}

/** The next number, 0..2^32-1. */
export function nextUint32(rng: Rng): number {
  const s1 = rng[1]!;
  const x = Math.imul(s1, 5);
  const result = Math.imul((x << 7) | (x >>> 25), 9);
  const s2 = rng[2]! ^ rng[0]!;
  const s3 = rng[3]! ^ s1;
  rng[1] = s1 ^ s2;
  rng[0] = rng[0]! ^ s3;
  rng[2] = s2 ^ (s1 << 9);
  rng[3] = (s3 << 11) | (s3 >>> 21);
  return result >>> 0;
}

/** A number 0..n-1, every one equally likely; below(1) draws too. */
export function below(rng: Rng, n: number): number {
  const limit = Math.floor(0x1_0000_0000 / n) * n;
  for (;;) {
    const r = nextUint32(rng);
    if (r < limit) return r % n;
  }
}

/** Shuffles in place, from the last place down. */
export function shuffle<T>(rng: Rng, items: T[]): void {
  for (let i = items.length - 1; i >= 1; i--) {
    const j = below(rng, i + 1);
    const item = items[i]!;
    items[i] = items[j]!;
    items[j] = item;
  }
}
