/** Lines of the log name the match that they are about, wherever it is known. */
import { afterEach, expect, test } from "vitest";
import { StoreUnavailable } from "../rooms/ports.ts";
import type { MatchStore } from "./store/MatchStore.ts";
import { call, guest, type Json, serve, type TestServer, until } from "./testing/kit.ts";

let server: TestServer;
afterEach(() => server.stop());

/** A server on a store of which one method, once it is told to, fails. */
async function failing(method: "create" | "read" | "append", error: Error) {
  const failure = { on: false };
  server = await serve(
    {},
    {
      wrapStore: (store) =>
        new Proxy(store, {
          get(target, key) {
            if (key === method && failure.on) return () => Promise.reject(error);
            const value: unknown = Reflect.get(target, key, target);
            return typeof value === "function" ? value.bind(target) : value;
          },
        }) as MatchStore,
    },
  );
  return failure;
}
const solo = async (): Promise<Json> => {
  const { token } = await guest(server);
  return call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1 } });
};
const contexts = (at: string) =>
  server.errors.map(({ context }) => context as Json).filter((context) => context.at === at);

test("a room that could not be stored", async () => {
  const failure = await failing("create", new StoreUnavailable("no"));
  failure.on = true;
  expect((await solo()).status).toBe(503);
  expect(contexts("gateway.open")).toEqual([
    { at: "gateway.open", code: expect.stringMatching(/^IXENT-/), match_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ]);
});

test("an exception behind an address: the template of the route and the match that it names, and no more", async () => {
  const failure = await failing("read", new TypeError("oh"));
  const { body } = await solo();
  await call(server, "POST", `/matches/${body.match_id}/resign`, { token: body.seat_token, body: {} });
  failure.on = true;
  const path = `/matches/${body.match_id}/record?as=snapshots&code=IXENT-QQQQQQ`;
  expect((await call(server, "GET", path, { token: body.seat_token })).status).toBe(500);
  const at = "http GET /matches/:id/record";
  expect(contexts(at)).toEqual([{ at, match_id: body.match_id }]);
});

test("a command that could not be stored", async () => {
  const failure = await failing("append", new StoreUnavailable("no"));
  const { body } = await solo();
  failure.on = true;
  const move = { turn: 0, command: "G1@P21+90" };
  await call(server, "POST", `/matches/${body.match_id}/moves`, { token: body.seat_token, body: move });
  const [line] = await until("it is told", () => contexts("match.move"));
  expect(line).toEqual({ at: "match.move", match_id: body.match_id, code: body.code });
});
