import { expect, test } from "vitest";
import { RETRY_CODES, retryDelayMs } from "./backoff.ts";

test("1, 2, 4 … 30 s (PROTOCOL 5)", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 60].map(retryDelayMs)).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((s) => s * 1000));
});

test("a flood's close code is not tried again", () => {
  expect(RETRY_CODES.has(4002)).toBe(false);
  expect([1001, 1005, 1006, 4001, 4003, 4010].every((code) => RETRY_CODES.has(code))).toBe(true);
});
