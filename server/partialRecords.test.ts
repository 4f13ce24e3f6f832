import { describe, expect, test } from "vitest";
import { createdEntry } from "../rooms/testing/kit.ts";
import type { MatchId } from "../shared/protocol/ids.ts";
import type { LogEntry } from "../shared/protocol/log.ts";
import { partialRecord } from "../shared/protocol/record.ts";
import { partialRecords } from "./partialRecords.ts";

const created = createdEntry({ format: "solo" });
const at_ms = created.at_ms;
const log: readonly LogEntry[] = [
  created,
  { type: "seat_taken", seat: "P1", identity: "ada" as never, name: "Ada", kind: "human", model: null, at_ms },
  { type: "start", at_ms },
  { type: "refused", player: "P1", command: "x", code: "syntax", reasoning: "secret", elapsed_ms: 5, at_ms },
];
const match = { id: created.match_id, version: log.length };

describe("partial records", () => {
  test.each([["P1"], [null]] as const)("as %s may see it, made off the rooms' thread", async (viewer) => {
    const text = await partialRecords({ read: async () => log })(match, viewer);
    expect(text).toBe(`${partialRecord(log, viewer).join("\n")}\n`);
    expect(text?.includes("secret")).toBe(viewer === "P1");
  });
  test("no log: null; a log that cannot be read, or does not fold: rejects, and the next is made", async () => {
    expect(await partialRecords({ read: async () => null })(match, null)).toBeNull();
    const answers = [async () => Promise.reject(new Error("no disk")), async () => log.slice(1), async () => log];
    const make = partialRecords({ read: () => (answers.shift() ?? (async () => null))() });
    await expect(make(match, null)).rejects.toThrow("no disk");
    await expect(make(match, null)).rejects.toThrow();
    expect(await make(match, null)).toContain('"partial":true');
  });
  test("what several ask for is made once; beyond a few at once the rest is refused", async () => {
    let reads = 0;
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const make = partialRecords({
      async read() {
        reads++;
        await held;
        return null;
      },
    });
    const same = Promise.all(Array.from({ length: 50 }, () => make(match, null)));
    const others = Array.from({ length: 10 }, (_, i) => make({ id: `${i}` as MatchId, version: 1 }, null));
    const settled = Promise.allSettled(others);
    go();
    expect(new Set(await same)).toEqual(new Set([null]));
    const refused = (await settled).filter((one) => one.status === "rejected");
    expect(refused.map((one) => one.reason.refusal.code)).toEqual(["unavailable", "unavailable", "unavailable"]);
    expect(reads).toBe(8);
  });
});
