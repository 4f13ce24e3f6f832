import { expect } from "vitest";

/** `expect` on what a function gives in the end, however busy the machine is. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 25_000, interval: 5 });
}
