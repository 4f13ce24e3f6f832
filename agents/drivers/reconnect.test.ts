import { describe, expect, it } from "vitest";
import { backoffMs, COMES_BACK, joinFailure } from "./reconnect.ts";

describe("coming back (PROTOCOL 5)", () => {
  it.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [4, 16_000],
    [5, 30_000],
    [500, 30_000],
  ])("after %i failures it waits %i ms", (failures, ms) => {
    expect(backoffMs(failures)).toBe(ms);
  });

  it.each([
    [1001, true],
    [1005, true],
    [1006, true],
    [4001, true],
    [4003, true],
    [4010, true],
    [4000, false],
    [4002, false],
  ])("close code %i: %s", (code, comesBack) => {
    expect(COMES_BACK.has(code)).toBe(comesBack);
  });

  it.each([
    ["unauthorized: This token opens no seat.", "unauthorized"],
    ["room_closed: This room is closed.", "room_closed"],
    ["fetch failed", null],
    ["connect ECONNREFUSED 127.0.0.1:1", null],
    ["", null],
  ])("the code of %j", (message, code) => {
    expect(joinFailure(new Error(message)).code).toBe(code);
  });
});
