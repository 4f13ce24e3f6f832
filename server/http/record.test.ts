/** The record at the door: partial while the match runs, sealed and checkable when it is over (PROTOCOL 6, 10). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MatchId } from "../../shared/protocol/ids.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import { verifyRecord } from "../../shared/protocol/recordVerify.ts";
import { checkSignature } from "../signing.ts";
import { call, guest, serve, type TestServer, until } from "../testing/kit.ts";

let server: TestServer;
/** As the store is when it has thrown a match away whose states somebody has just looked at. */
const thrownAway = new Set<string>();
beforeAll(async () => {
  const unlessGone = (id: string) => (found: string | readonly LogEntry[] | null) =>
    thrownAway.has(id) ? null : found;
  server = await serve(
    {},
    {
      wrapStore: (store) =>
        new Proxy(store, {
          get(target, key) {
            if (key === "record") return (id: MatchId) => target.record(id).then(unlessGone(id));
            if (key === "read") return (id: MatchId) => target.read(id).then(unlessGone(id));
            const value: unknown = Reflect.get(target, key, target);
            return typeof value === "function" ? value.bind(target) : value;
          },
        }),
    },
  );
});
afterAll(() => server.stop());

const post = (path: string, token: string | null, body: unknown = {}) => call(server, "POST", path, { token, body });
const text = async (id: string, token: string | null) =>
  (
    await fetch(`${server.url}/api/v1/matches/${id}/record`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    })
  ).text();

describe("the record of one match from before its start to after its end", () => {
  test("match_not_started, a partial view by seat, then the sealed one", async () => {
    const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
    const { body: room } = await post("/rooms", ada.token, { preset: "duel" });
    expect((await call(server, "GET", `/matches/${room.match_id}/record`)).body.error.code).toBe("match_not_started");
    await post(`/rooms/${room.code}/join`, bob.token);
    const moves = `/matches/${room.match_id}/moves`;
    await post(moves, room.seat_token, { turn: 0, command: "my-mistake", reasoning: "my-thoughts" });
    await post(moves, room.seat_token, { turn: 0, command: "G4@P11(b=0)+90", reasoning: "my-thoughts" });

    const [mine, theirs] = [await text(room.match_id, room.seat_token), await text(room.match_id, null)];
    const lines = theirs
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: "header", partial: true });
    expect(lines.map((line) => line.type)).toEqual(["header", "start", "refused", "turn"]);
    expect(lines.some((line) => "prev" in line || "seed" in line)).toBe(false);
    expect(theirs).not.toMatch(/my-mistake|my-thoughts/);
    expect(mine).toMatch(/my-mistake[\s\S]*my-thoughts/);
    expect((await verifyRecord(theirs, { keys: [], checkSignature })).ok).toBe(false);

    await post(`/matches/${room.match_id}/resign`, room.seat_token);
    const sealed = await until("the record is sealed", async () => {
      const found = await text(room.match_id, null);
      return found.includes('"type":"result"') ? found : null;
    });
    expect((await verifyRecord(sealed, { keys: [], checkSignature })).ok).toBe(true);
    expect(sealed).toMatch(/my-mistake[\s\S]*my-thoughts/);
    expect(await text(room.match_id, null)).toBe(sealed);
  });
});

test.each([
  ["solo", "classic", { total_mice: 3 }],
  ["1v1", "native", { total_mice_per_player: 4 }],
])("snapshots of %s in the %s form, from the state before the first move on", async (format, _form, status) => {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { body: room } = await post("/rooms", ada.token, { format, level: 1 });
  if (format === "1v1") await post(`/rooms/${room.code}/join`, bob.token);
  const snapshots = `/matches/${room.match_id}/record?as=snapshots`;
  expect((await call(server, "GET", snapshots)).body.error.code).toMatch(/match_not_over|match_not_started/);
  await post(`/matches/${room.match_id}/moves`, room.seat_token, { turn: 0, command: "G4@P11(b=0)+90" });
  await post(`/matches/${room.match_id}/resign`, room.seat_token);
  const lines = ((await call(server, "GET", snapshots)).body as string).trimEnd().split("\n");
  const states = lines.map((line) => JSON.parse(line));
  expect(states.map(({ meta }) => [meta.turn, meta.phase])).toEqual([
    [0, "playing"],
    [1, "playing"],
    [1, "over"],
  ]);
  for (const state of states) expect(state.status).toMatchObject(status);
  expect(states.map(({ meta }) => "seed" in meta)).toEqual([false, false, true]);
});

test("a match that the store keeps no longer is not found, in whatever form", async () => {
  const { token } = await guest(server);
  const { body: room } = await post("/rooms", token, { format: "solo", level: 1 });
  await post(`/matches/${room.match_id}/resign`, room.seat_token);
  const record = `/matches/${room.match_id}/record`;
  expect((await call(server, "GET", record)).status).toBe(200);
  thrownAway.add(room.match_id);
  for (const path of [record, `${record}?as=snapshots`]) {
    expect(await call(server, "GET", path)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  }
  expect(server.errors).toEqual([]);
});
