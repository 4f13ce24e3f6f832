/** What every back end of MatchStore must do; each one's test runs this on its own real storage. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseMatchId, type RoomCode } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import { verifyRecord } from "../../shared/protocol/recordVerify.ts";
import { createdEntry, lobbyEntries, playedLog, SEED } from "../../test/support/logs.ts";
import { checkSignature } from "../signing.ts";
import { eventually } from "./eventually.ts";
import { type MatchStore, StoreUnavailable, VersionConflict } from "./MatchStore.ts";

/** One place where data lies. */
export interface StoreHome {
  /** Opens a store on it; the one opened before must be closed. */
  open(): Promise<MatchStore>;
  /** The public key whose signature is on its records, 64 hex digits. */
  readonly keyId: string;
  /** Stops everything and removes the data. */
  dispose(): Promise<void>;
}

const SPEC = { format: "1v1", level: 1, seed: SEED } as const;

/** Stores a log in pieces of up to `size` entries. */
export async function storeLog(store: MatchStore, log: readonly LogEntry[], over: boolean, size = 3): Promise<void> {
  const [created, ...rest] = log as [CreatedEntry, ...LogEntry[]];
  await store.create(created);
  for (let i = 0; i < rest.length; i += size) {
    const piece = rest.slice(i, i + size);
    await store.append(created.match_id, 1 + i, piece, over && i + size >= rest.length);
  }
}

export function storeContract(name: string, setUp: () => Promise<StoreHome>): void {
  describe(`${name} keeps the store's contract`, () => {
    let home: StoreHome;
    let store: MatchStore;
    beforeEach(async () => {
      home = await setUp();
      store = await home.open();
    });
    afterEach(async () => {
      await store.close();
      await home.dispose();
    });
    const reopen = async () => {
      await store.close();
      store = await home.open();
    };

    test("what was appended is read back, also by the next process", async () => {
      const log = playedLog(SPEC, 12);
      const [created] = log as [CreatedEntry];
      await storeLog(store, log, false);
      expect(await store.read(created.match_id)).toEqual(log);
      await reopen();
      expect(await store.read(created.match_id)).toEqual(log);
    });

    test("appending goes on where the process before stopped", async () => {
      const log = playedLog(SPEC);
      const [created] = log as [CreatedEntry];
      await store.create(created);
      for (let version = 1; version < log.length; version++) {
        if (version % 20 === 0) {
          await reopen();
          // Before it is adopted nobody may append: by the lease, or because there is nobody else.
          expect(await store.claims.adopt(created.match_id)).toMatchObject({ entries: log.slice(0, version) });
        }
        await store.append(created.match_id, version, log.slice(version, version + 1), version + 1 === log.length);
      }
      expect(await store.read(created.match_id)).toEqual(log);
      await reopen();
      expect(await store.read(created.match_id)).toEqual(log);
      expect(await store.unfinished()).toEqual([]);
    });

    test("an unknown match is null, whatever its id", async () => {
      const id = createdEntry(SPEC).match_id;
      for (const each of [id, "../../etc/passwd", "", "x".repeat(10_000)]) {
        expect(await store.read(each as typeof id)).toBeNull();
        expect(await store.record(each as typeof id)).toBeNull();
      }
    });

    test("a wrong version rejects and leaves nothing", async () => {
      const created = createdEntry(SPEC);
      await store.create(created);
      const [taken] = lobbyEntries(created) as [LogEntry];
      for (const version of [0, 2, -1, 1.5, Number.NaN]) {
        await expect(store.append(created.match_id, version, [taken], false)).rejects.toThrow(VersionConflict);
      }
      const unknown = createdEntry(SPEC).match_id;
      await expect(store.append(unknown, 1, [taken], false)).rejects.toThrow(VersionConflict);
      expect(await store.read(created.match_id)).toEqual([created]);
    });

    test("of two appends at one version one is kept", async () => {
      const created = createdEntry(SPEC);
      await store.create(created);
      const [one, two] = lobbyEntries(created) as [LogEntry, LogEntry];
      const both = [one, two].map((entry) => store.append(created.match_id, 1, [entry], false));
      const settled = await Promise.allSettled(both);
      expect(settled.map((s) => s.status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await store.read(created.match_id)).toHaveLength(2);
    });

    test("a match and a room code exist once", async () => {
      const created = createdEntry(SPEC);
      await store.create(created);
      await expect(store.create(created)).rejects.toThrow(VersionConflict);
      const twin = { ...createdEntry(SPEC), room_code: created.room_code };
      await expect(store.create(twin)).rejects.toThrow(VersionConflict);
      expect(await store.read(twin.match_id)).toBeNull();
      const odd = { ...createdEntry(SPEC), match_id: "../x" as CreatedEntry["match_id"] };
      await expect(store.create(odd)).rejects.toThrow(VersionConflict);
    });

    test("what is over takes nothing more and is not created again; its code is free", async () => {
      const log = playedLog(SPEC);
      const [created, taken] = log as [CreatedEntry, LogEntry];
      await storeLog(store, log, true);
      await expect(store.append(created.match_id, log.length, [taken], false)).rejects.toThrow(VersionConflict);
      await reopen();
      await expect(store.append(created.match_id, log.length, [taken], false)).rejects.toThrow(VersionConflict);
      await expect(store.create(created)).rejects.toThrow(VersionConflict);
      await store.create({ ...createdEntry(SPEC), room_code: created.room_code });
    });

    test("an empty append may say that the match is over", async () => {
      const log = playedLog(SPEC);
      const [created] = log as [CreatedEntry];
      await storeLog(store, log, false);
      expect(await store.unfinished()).toHaveLength(1);
      await store.append(created.match_id, log.length, [], true);
      await reopen();
      expect(await store.unfinished()).toEqual([]);
      expect(await store.read(created.match_id)).toEqual(log);
    });

    test("unfinished are waiting rooms and running matches, found by code as well", async () => {
      const waiting = createdEntry(SPEC);
      const running = playedLog(SPEC, 5);
      const over = playedLog({ ...SPEC, format: "solo" });
      const closed = createdEntry(SPEC);
      await store.create(waiting);
      await storeLog(store, running, false);
      await storeLog(store, over, true);
      await storeLog(store, [closed, { type: "closed", at_ms: 1 }], true);
      for (let round = 0; round < 2; round++) {
        const found = await store.unfinished();
        const byId = new Map(found.map((u) => [u.matchId, u.entries]));
        expect(byId.size).toBe(2);
        expect(byId.get(waiting.match_id)).toEqual([waiting]);
        expect(byId.get((running[0] as CreatedEntry).match_id)).toEqual(running);
        expect(await store.unfinishedByCode(waiting.room_code)).toBe(waiting.match_id);
        expect(await store.unfinishedByCode((over[0] as CreatedEntry).room_code)).toBeNull();
        expect(await store.unfinishedByCode(closed.room_code)).toBeNull();
        expect(await store.unfinishedByCode("IXENT-AAAAAA" as RoomCode)).toBeNull();
        await reopen();
      }
    });

    test("many matches at once, each with its own entries in order", async () => {
      const logs = Array.from({ length: 50 }, () => playedLog(SPEC, 8));
      await Promise.all(logs.map((log) => storeLog(store, log, false, 1)));
      await reopen();
      const found = new Map((await store.unfinished()).map((u) => [u.matchId, u.entries]));
      for (const log of logs) expect(found.get((log[0] as CreatedEntry).match_id)).toEqual(log);
    });

    test("any text comes back as it was", async () => {
      const created = createdEntry(SPEC);
      const name = '\n\r\u2028"\\\u0000🐭 e0 <b>';
      await store.create(created);
      const [taken] = lobbyEntries(created) as [LogEntry & { type: "seat_taken" }];
      await store.append(created.match_id, 1, [{ ...taken, name }], false);
      await reopen();
      expect((await store.read(created.match_id))?.[1]).toMatchObject({ name });
    });

    describe("signs of life (R9.4)", () => {
      const noted = async (log: readonly LogEntry[]) => {
        const { match_id } = log[0] as CreatedEntry;
        const found = (await store.unfinished()).find((u) => u.matchId === match_id);
        return found?.aliveElapsedMs;
      };
      const withoutRefusals = (log: LogEntry[]) =>
        log.slice(
          0,
          log.findIndex((e) => e.type === "refused"),
        );
      const running = () => withoutRefusals(playedLog(SPEC));

      test("the last one of this turn counts, also for the next process", async () => {
        const log = running();
        const { match_id } = log[0] as CreatedEntry;
        await storeLog(store, log, false);
        expect(await noted(log)).toBeNull();
        store.alive(match_id, 4_000);
        store.alive(match_id, 9_000.4);
        await eventually(() => noted(log)).toBe(9_000);
        await reopen();
        expect(await noted(log)).toBe(9_000);
      });

      test("a new turn begins without one", async () => {
        const log = running();
        const { match_id } = log[0] as CreatedEntry;
        await storeLog(store, log.slice(0, -1), false);
        store.alive(match_id, 4_000);
        await eventually(() => noted(log)).toBe(4_000);
        await store.append(match_id, log.length - 1, log.slice(-1), false);
        expect(await noted(log)).toBeNull();
        await reopen();
        expect(await noted(log)).toBeNull();
      });

      test("a refusal that leaves the turn to its player is one (R8.3)", async () => {
        const log = running();
        const { match_id } = log[0] as CreatedEntry;
        await storeLog(store, log, false);
        store.alive(match_id, 4_000);
        await eventually(() => noted(log)).toBe(4_000);
        const player = log.filter((e) => e.type === "turn").length % 2 === 0 ? "P1" : "P2";
        const told = { player, command: "?", at_ms: 1 } as const;
        await store.append(
          match_id,
          log.length,
          [{ type: "refused", ...told, code: "syntax", elapsed_ms: 3_000 }],
          false,
        );
        expect(await noted(log)).toBe(4_000);
        await store.append(
          match_id,
          log.length + 1,
          [{ type: "refused", ...told, code: "syntax", elapsed_ms: 5_000 }],
          false,
        );
        expect(await noted(log)).toBe(5_000);
      });

      test("a refusal that loses the turn ends it (R8.2)", async () => {
        const log = playedLog({ ...SPEC, format: "solo" }, 0);
        const { match_id } = log[0] as CreatedEntry;
        await storeLog(store, log, false);
        store.alive(match_id, 4_000);
        await eventually(() => noted(log)).toBe(4_000);
        const lost = {
          type: "refused",
          player: "P1",
          command: "?",
          code: "syntax",
          at_ms: 1,
          elapsed_ms: 6_000,
        } as const;
        await store.append(match_id, log.length, [lost], false);
        expect(await noted(log)).toBeNull();
      });

      test.each([
        ["not on turn: the mover's clock is untouched (R9.3)", "P3", 4_000],
        ["on turn: the next one has a full limit (R9.3)", "P1", null],
      ] as const)("who resigns %s", async (_, player, expected) => {
        const log = playedLog({ ...SPEC, format: "ffa4", level: 1 }, 0);
        const { match_id } = log[0] as CreatedEntry;
        await storeLog(store, log, false);
        store.alive(match_id, 4_000);
        await eventually(() => noted(log)).toBe(4_000);
        await store.append(
          match_id,
          log.length,
          [{ type: "out", player, reason: "RESIGNED", at_ms: 1, elapsed_ms: 0 }],
          false,
        );
        expect(await noted(log)).toBe(expected);
      });

      test("of unknown matches and of those that are over they are nothing", async () => {
        const log = playedLog(SPEC);
        await storeLog(store, log, true);
        store.alive((log[0] as CreatedEntry).match_id, 1);
        store.alive(createdEntry(SPEC).match_id, 1);
        store.alive("../x" as CreatedEntry["match_id"], 1);
        await reopen();
        expect(await store.unfinished()).toEqual([]);
      });
    });

    describe("claims (DESIGN 4)", () => {
      const me = () => store.claims.processId;

      test("who created a match holds it; it is found by id and by code", async () => {
        const created = createdEntry(SPEC);
        const { match_id: matchId, room_code } = created;
        expect(await store.claims.ownerOf(matchId)).toBeNull();
        expect(await store.claims.ownerOf(room_code)).toBeNull();
        await store.create(created);
        const here = { matchId, over: false, processId: me(), address: null };
        expect(await store.claims.ownerOf(matchId)).toEqual(here);
        expect(await store.claims.ownerOf(room_code)).toEqual(here);
        expect(await store.claims.orphans(10)).toEqual([]);
        expect(await store.claims.ownerOf("../x" as RoomCode)).toBeNull();
      });

      test("after the end of its process it is nobody's, until the next one adopts it with log and sign", async () => {
        const log = playedLog(SPEC, 4);
        const { match_id: matchId, room_code } = log[0] as CreatedEntry;
        await storeLog(store, log, false);
        store.alive(matchId, 4_000);
        await reopen();
        expect(await store.claims.ownerOf(room_code)).toEqual({ matchId, over: false, processId: null, address: null });
        expect(await store.claims.orphans(10)).toEqual([matchId]);
        expect(await store.claims.adopt(matchId)).toMatchObject({ matchId, entries: log, aliveElapsedMs: 4_000 });
        expect(await store.claims.ownerOf(matchId)).toEqual({ matchId, over: false, processId: me(), address: null });
        expect(await store.claims.orphans(10)).toEqual([]);
        await store.append(matchId, log.length, [{ type: "abandoned", at_ms: 1 }], true);
      });

      test("what is over or unknown is not adopted", async () => {
        const log = playedLog(SPEC);
        const { match_id: matchId } = log[0] as CreatedEntry;
        await storeLog(store, log, true);
        expect(await store.claims.adopt(matchId)).toBeNull();
        await reopen();
        expect(await store.claims.adopt(matchId)).toBeNull();
        expect(await store.claims.adopt(createdEntry(SPEC).match_id)).toBeNull();
        expect(await store.claims.adopt("../x" as CreatedEntry["match_id"])).toBeNull();
        expect(await store.claims.ownerOf(matchId)).toEqual({ matchId, over: true, processId: null, address: null });
        expect(await store.claims.orphans(10)).toEqual([]);
      });

      test("what is released is nobody's and can be adopted again", async () => {
        const log = playedLog(SPEC, 2);
        const { match_id: matchId } = log[0] as CreatedEntry;
        await storeLog(store, log, false);
        await store.claims.release(matchId);
        await store.claims.release(matchId);
        expect(await store.claims.ownerOf(matchId)).toMatchObject({ processId: null });
        expect(await store.claims.orphans(10)).toEqual([matchId]);
        expect(await store.claims.adopt(matchId)).toMatchObject({ matchId });
        // Ours already: read again.
        expect(await store.claims.adopt(matchId)).toMatchObject({ entries: log });
        await store.append(matchId, log.length, [{ type: "abandoned", at_ms: 1 }], true);
      });

      test("what is over is taken by who comes after its process, until it is released; so is its code found", async () => {
        const endedMs = Date.now();
        const log = playedLog(SPEC).map((entry) => ({ ...entry, at_ms: endedMs }));
        const { match_id: matchId, room_code } = log[0] as CreatedEntry;
        await storeLog(store, log, true);
        await reopen();
        // Also when its entries have left the journal.
        await store.record(matchId);
        expect(await store.claims.ownerOf(room_code)).toMatchObject({ matchId, over: true, processId: null });
        expect(await store.claims.adopt(matchId)).toBeNull();
        expect(await store.claims.adoptOver(matchId)).toEqual(log);
        expect(await store.claims.orphans(10)).toEqual([]);
        await store.claims.release(matchId);
        expect(await store.claims.adoptOver(matchId)).toBeNull();
        const open = createdEntry(SPEC);
        await store.create(open);
        for (const id of [open.match_id, createdEntry(SPEC).match_id, "../x" as typeof matchId]) {
          expect(await store.claims.adoptOver(id)).toBeNull();
        }
      });

      test("a rematch is found by the match before, also by the next process", async () => {
        const before = createdEntry(SPEC);
        const rematch = { ...createdEntry(SPEC), rematch_of: before.match_id };
        await store.create(before);
        expect(await store.rematchOf(before.match_id)).toBeNull();
        await store.create(rematch);
        expect(await store.rematchOf(before.match_id)).toBe(rematch.match_id);
        await reopen();
        expect(await store.rematchOf(before.match_id)).toBe(rematch.match_id);
        expect(await store.rematchOf(rematch.match_id)).toBeNull();
        expect(await store.rematchOf("../x" as typeof before.match_id)).toBeNull();
      });

      test("orphans are given in portions", async () => {
        const all = Array.from({ length: 7 }, () => createdEntry(SPEC));
        await Promise.all(all.map((created) => store.create(created)));
        await reopen();
        const seen = new Set<string>();
        for (let round = 0; round < 4; round++) {
          const some = await store.claims.orphans(2);
          expect(some.length).toBe(round < 3 ? 2 : 1);
          for (const id of some) {
            expect(await store.claims.adopt(id)).not.toBeNull();
            seen.add(id);
          }
        }
        expect(seen.size).toBe(7);
        expect(await store.claims.orphans(2)).toEqual([]);
      });

      test("nothing is lost while nobody else is there", async () => {
        const lost: unknown[] = [];
        const stop = store.claims.lost((ids) => lost.push(...ids));
        await storeLog(store, playedLog(SPEC), true, 1);
        stop();
        expect(lost).toEqual([]);
      });
    });

    describe("finished matches", () => {
      test("have a signed record that verifies and stays the same bytes", async () => {
        const log = playedLog(SPEC);
        const [created] = log as [CreatedEntry];
        await storeLog(store, log, true);
        const record = (await store.record(created.match_id)) as string;
        const verdict = await verifyRecord(record, { keys: [home.keyId], checkSignature });
        expect(verdict).toMatchObject({ ok: true, signer: "known", header: { match_id: created.match_id } });
        await reopen();
        expect(await store.record(created.match_id)).toBe(record);
        expect(await store.read(created.match_id)).toEqual(log);
      });

      test("asked for by many at once, it is made once", async () => {
        const log = playedLog(SPEC);
        const { match_id } = log[0] as CreatedEntry;
        await storeLog(store, log, true);
        const all = await Promise.all(Array.from({ length: 20 }, () => store.record(match_id)));
        expect(new Set(all).size).toBe(1);
        expect((await store.finished(10)).map((f) => f.match_id)).toEqual([match_id]);
      });

      test("are listed, newest first; waiting rooms that closed are not", async () => {
        const logs = Array.from({ length: 4 }, () => playedLog(SPEC));
        const closed = createdEntry(SPEC);
        await storeLog(store, [closed, { type: "closed", at_ms: 1 }], true);
        const ids = logs.map((log) => (log[0] as CreatedEntry).match_id);
        for (const [i, log] of logs.entries()) {
          await storeLog(store, log, true);
          await store.record(ids[i] as CreatedEntry["match_id"]);
        }
        for (let round = 0; round < 2; round++) {
          const listed = await store.finished(3);
          expect(listed.map((f) => f.match_id)).toEqual(ids.toReversed().slice(0, 3));
          expect(listed[0]).toMatchObject({ format: "1v1", level: 1, kind: "casual", private: false });
          expect(await store.finished(0)).toEqual([]);
          await reopen();
        }
        expect(await store.record(closed.match_id)).toBeNull();
        expect(parseMatchId(closed.match_id)).not.toBeNull();
      });

      test("only they have a record", async () => {
        const log = playedLog(SPEC, 3);
        await storeLog(store, log, false);
        expect(await store.record((log[0] as CreatedEntry).match_id)).toBeNull();
      });
    });

    test("a closed store says so", async () => {
      const created = createdEntry(SPEC);
      await store.create(created);
      await store.close();
      await store.close();
      const [taken] = lobbyEntries(created) as [LogEntry];
      await expect(store.append(created.match_id, 1, [taken], false)).rejects.toThrow(StoreUnavailable);
      await expect(store.create(createdEntry(SPEC))).rejects.toThrow(StoreUnavailable);
      await expect(store.read(created.match_id)).rejects.toThrow(StoreUnavailable);
      store.alive(created.match_id, 5);
    });

    test("closing waits for what was appended before", async () => {
      const created = createdEntry(SPEC);
      const creating = store.create(created);
      const closing = store.close();
      await Promise.allSettled([creating, closing]);
      const kept = await creating.then(
        () => true,
        () => false,
      );
      store = await home.open();
      expect((await store.read(created.match_id)) !== null).toBe(kept);
    });
  });
}
