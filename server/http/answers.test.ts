/** Every answer that the OpenAPI file describes is what the server sends, no more and no less. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { openApi } from "../../agents/drivers/api.ts";
import { call, guest, type Json, serve, type TestServer, until } from "../testing/kit.ts";
import { ROUTES } from "./routes.ts";

let server: TestServer;
const seen = new Set<string>();
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

/** Calls, and holds the answer to the schema of its route. */
async function ask(method: "GET" | "POST", path: string, token: string | null = null, body?: object): Promise<Json> {
  const answer = await call(server, method, path, { token, ...(body ? { body } : {}) });
  const route = ROUTES.find((one) => one.method === method.toLowerCase() && matches(one.path, path));
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(route?.status);
  if (route?.answer) expect(route.answer.parse(answer.body)).toEqual(answer.body);
  seen.add(`${method} ${route?.path}`);
  return answer.body;
}
const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, "[^/?]+")}(\\?.*)?$`).test(path);

function lineSchema(path: string): z.ZodType {
  const answer = ROUTES.find((one) => one.path === path)?.answer;
  if (answer === undefined) throw new Error(path);
  seen.add(`GET ${path}`);
  return answer;
}

/** Reads lines until `last` says so; each is what the schema says. */
async function follow(path: string, route: string, token: string | null, last: (line: Json) => boolean) {
  const gone = new AbortController();
  const schema = lineSchema(route);
  const types = new Set<string>();
  for await (const line of openApi(server.url).lines(path, { token, signal: gone.signal })) {
    expect(schema.parse(line)).toEqual(line);
    types.add((line as Json).type);
    if (last(line)) break;
  }
  gone.abort();
  return types;
}

describe.each(["solo", "1v1", "2v2"] as const)("%s, from the room to the result", (format) => {
  test("every answer is what its schema says", { timeout: 60_000 }, async () => {
    const me = await ask("POST", "/identities", null, { name: "Ada" });
    const others = format === "solo" ? [] : Array.from({ length: format === "1v1" ? 1 : 3 }, () => ({ kind: "any" }));
    const room = await ask("POST", "/rooms", me.token, {
      ...{ format, level: 1, turn_seconds: 600 },
      seats: [{ kind: "any" }, ...others],
    });
    const seats = [room.seat_token];
    for (const _ of others) {
      seats.push((await ask("POST", `/rooms/${room.code}/join`, (await guest(server, "Bob")).token, {})).seat_token);
    }
    const match = `/matches/${room.match_id}`;
    const stream = follow(`${match}/stream`, "/matches/:id/stream", null, (line) => line.event?.type === "over");
    const own = follow("/stream", "/stream", me.token, (line) => line.type === "match_over");
    await ask("GET", `/rooms/${room.code}`);
    await ask("GET", "/rooms");
    let state = await ask("GET", `${match}/state?wait=turn`, seats[0]);
    for (let turn = 0; state.meta.phase === "playing"; turn++) {
      const token = seats[Number(state.meta.current_player.slice(1)) - 1];
      // Refused now and then: what is lost and what is tried again looks as the schema says, too.
      if (turn % 7 === 3) await call(server, "POST", `${match}/moves`, { token, body: { command: "?" } });
      const legal = await call(server, "GET", `${match}/legal`, { token });
      if (legal.status !== 200) break;
      const { commands } = await ask("GET", `${match}/legal`, token);
      const body = { command: commands[(turn * 7) % commands.length], reasoning: "so", token_usage: { total: turn } };
      const moved = await call(server, "POST", `${match}/moves`, { token, body });
      if (moved.status === 200)
        await ask("POST", `${match}/moves`, token, { ...body, turn: moved.body.state.meta.turn - 1 });
      state = await ask("GET", `${match}/state`, token);
    }
    expect(await stream).toEqual(new Set(["state", "event", "presence"]));
    expect((await own).has("match_over")).toBe(true);
    await ask("GET", `${match}/state`);
    await ask("GET", "/seats", me.token);
    const board = async () => (await ask("GET", `/leaderboard?kind=casual&format=${format}&level=1`)).rows;
    const [first] = await until("the match is counted", async () => ((await board()).length > 0 ? board() : null));
    await ask("GET", `/certificates/${first.certificate}`);
    await ask("POST", `${match}/rematch`, seats[0]);
  });
});

test("the other calls, and then there is none without a test", async () => {
  const me = await ask("POST", "/identities", null, { name: "Ada" });
  const { code } = await ask("POST", "/access-codes", me.token, {});
  await ask("POST", "/access-codes/exchange", null, { code });
  await ask("POST", "/sessions", me.token, { mode: "lab" });
  await ask("POST", "/codes", me.token, {});
  await ask("GET", "/presets");
  await ask("GET", "/brains");
  await ask("GET", "/prompts");
  await ask("GET", "/prompts/arena/P3?ally=P4");
  const duel = await ask("POST", "/rooms", me.token, { preset: "duel" });
  const bob = await guest(server, "Bob");
  const joined = await ask("POST", `/rooms/${duel.code}/join`, bob.token, {});
  await ask("POST", `/matches/${duel.match_id}/resign`, joined.seat_token, {});
  const left = await ask("POST", "/rooms", me.token, { preset: "duel" });
  await ask("POST", `/rooms/${left.code}/leave`, left.seat_token, {});
  const described = ROUTES.filter(({ answer }) => answer !== undefined).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  expect([...seen].filter((one) => described.includes(one)).sort()).toEqual(described.sort());
});
