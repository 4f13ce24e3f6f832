import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { addressKey, addressOf, isLoopback } from "./address.ts";
import { openLimits } from "./limits.ts";

const request = (socket: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: socket },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage;

describe("who calls", () => {
  test.each<[string, string, string | undefined, number, string]>([
    ["the socket, without a proxy", "9.9.9.9", undefined, 0, "9.9.9.9"],
    ["a header nobody vouches for is not believed", "9.9.9.9", "1.1.1.1", 0, "9.9.9.9"],
    ["one proxy: what it saw", "10.0.0.1", "1.1.1.1", 1, "1.1.1.1"],
    ["one proxy: what the caller wrote before is not believed", "10.0.0.1", "6.6.6.6, 1.1.1.1", 1, "1.1.1.1"],
    ["two proxies", "10.0.0.1", "6.6.6.6, 1.1.1.1, 10.0.0.2", 2, "1.1.1.1"],
    ["fewer hops than proxies", "10.0.0.1", undefined, 1, "10.0.0.1"],
    ["IPv4 in IPv6", "::ffff:9.9.9.9", undefined, 0, "9.9.9.9"],
  ])("%s", (_name, socket, header, proxies, address) => {
    expect(addressOf(request(socket, header), proxies)).toBe(address);
  });
  test("one IPv6 network is one caller", () => {
    expect(addressKey("2001:db8:1:2:3:4:5:6")).toBe(addressKey("2001:db8:1:2::9"));
    expect(addressKey("2001:db8::1")).not.toBe(addressKey("2001:db8:0:1::1"));
    expect(addressKey("9.9.9.9")).toBe("9.9.9.9");
  });
  test("this machine", () => {
    expect(["127.0.0.1", "127.1.2.3", "::1", "128.0.0.1", "::2"].map(isLoopback)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("how often", () => {
  test("a refusal says when to try again, and another address is not touched", async () => {
    const limits = openLimits();
    for (let i = 0; i < 20; i++) expect(await limits.take("create", "9.9.9.9")).toBeNull();
    const refusal = await limits.take("create", "9.9.9.9");
    expect(refusal).toMatchObject({ ok: false, code: "rate_limited" });
    expect(refusal?.retry_after_s).toBeGreaterThan(0);
    expect(await limits.take("create", "8.8.8.8")).toBeNull();
    expect(await limits.take("call", "9.9.9.9")).toBeNull();
  });
  test("this machine has more room, not all of it", async () => {
    const limits = openLimits();
    let taken = 0;
    while (taken < 10_000 && (await limits.take("create", "127.0.0.1")) === null) taken++;
    expect(taken).toBe(2_000);
  });
  test("open streams are counted and given back once", () => {
    const limits = openLimits();
    const closers = Array.from({ length: 64 }, () => limits.open("stream", "9.9.9.9"));
    expect(closers.every((close) => close !== null)).toBe(true);
    expect(limits.open("stream", "9.9.9.9")).toBeNull();
    closers[0]?.();
    closers[0]?.();
    expect(limits.open("stream", "9.9.9.9")).not.toBeNull();
    expect(limits.open("stream", "9.9.9.9")).toBeNull();
    expect(limits.open("socket", "9.9.9.9")).not.toBeNull();
  });
  test("what is open is counted by who it is, too, from wherever", () => {
    const limits = openLimits();
    const closers = Array.from({ length: 64 }, (_, i) => limits.open("socket", `9.9.9.${i}`, "ada"));
    expect(closers.every((close) => close !== null)).toBe(true);
    expect(limits.open("socket", "8.8.8.8", "ada")).toBeNull();
    expect(limits.open("socket", "8.8.8.8", "bob")).not.toBeNull();
    // What was refused is not counted at its address.
    for (let i = 1; i < 256; i++) expect(limits.open("socket", "8.8.8.8")).not.toBeNull();
    expect(limits.open("socket", "8.8.8.8")).toBeNull();
    closers[0]?.();
    expect(limits.open("socket", "7.7.7.7", "ada")).not.toBeNull();
  });
  test("bytes are taken by their number", async () => {
    const limits = openLimits();
    for (let i = 0; i < 256; i++) expect(await limits.take("bytes", "9.9.9.9", undefined, 256)).toBeNull();
    expect(await limits.take("bytes", "9.9.9.9", undefined, 256)).toMatchObject({ code: "rate_limited" });
  });
});
