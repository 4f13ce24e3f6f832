/** A small seeded generator for tests and benchmarks: what they draw can be drawn again. */
export function picker(seed: number): (n: number) => number {
  let s = seed >>> 0;
  return (n) => {
    s = (Math.imul(s, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((s / 2 ** 32) * n);
  };
}
