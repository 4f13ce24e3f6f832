import { expect, test } from "vitest";
import { parseRoomCode, type RoomCode } from "../shared/protocol/ids.ts";
import { RoomCodes } from "./codes.ts";

const HOUR = 3_600_000;
const codeOf = (text: string) => parseRoomCode(text) as RoomCode;

test("a code that anybody has is not given again, reserved, handed out or past", () => {
  const made = ["AAAAAA", "AAAAAA", "BBBBBB", "BBBBBB", "CCCCCC", "AAAAAA", "DDDDDD"].map(codeOf);
  const codes = new RoomCodes(
    () => 0,
    () => made.shift() ?? codeOf("ZZZZZZ"),
  );
  expect(codes.reserve()).toBe("IXENT-AAAAAA");
  expect(codes.handOut().code).toBe("IXENT-BBBBBB");
  expect(codes.reserve()).toBe("IXENT-CCCCCC");
  codes.retire(codeOf("AAAAAA"));
  expect(codes.isPast(codeOf("AAAAAA"))).toBe(true);
  expect(codes.reserve()).toBe("IXENT-DDDDDD");
});

test("a handed-out code is redeemed once and within an hour (PROTOCOL 1)", () => {
  let now = 0;
  const codes = new RoomCodes(() => now);
  const { code, expires_at } = codes.handOut();
  expect(expires_at).toBe(HOUR);
  now = HOUR;
  expect(codes.redeem(code)).toEqual({ ok: true, code });
  expect(codes.redeem(code)).toMatchObject({ code: "code_used" });
  const second = codes.handOut();
  now = second.expires_at + 1;
  expect(codes.redeem(second.code)).toMatchObject({ code: "code_expired" });
});

test("a room that never came to be gives its code back", () => {
  const codes = new RoomCodes(() => 0);
  const { code } = codes.handOut();
  codes.redeem(code);
  codes.release(code);
  expect(codes.redeem(code)).toEqual({ ok: true, code });
});

test("clients invent no codes", () => {
  const codes = new RoomCodes(() => 0);
  const live = codes.reserve();
  expect(codes.redeem("IXENT-QQQQQQ")).toMatchObject({ code: "not_found" });
  expect(codes.redeem("rubbish")).toMatchObject({ code: "not_found" });
  expect(codes.redeem(live)).toMatchObject({ code: "code_used" });
});

test("a stored match takes its code once", () => {
  const codes = new RoomCodes(() => 0);
  expect(codes.take(codeOf("AAAAAA"))).toBe(true);
  expect(codes.take(codeOf("AAAAAA"))).toBe(false);
});
