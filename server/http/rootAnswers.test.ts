/** What the doors at the root answer is what the OpenAPI file says of it, no more and no less. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, type Json, serve, type TestServer } from "../testing/kit.ts";
import { ROOT_ROUTES } from "./rootRoutes.ts";

let server: TestServer;
const seen = new Set<string>();
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

/** Calls, and holds the answer to the schema of its route. */
async function ask(method: "GET" | "POST", path: string, token: string | null = null, body?: object): Promise<Json> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const got = (await answer.json()) as Json;
  const route = ROOT_ROUTES.find(
    (one) =>
      one.method === method.toLowerCase() && new RegExp(`^${one.path.replace(/:\w+/g, "[^/?]+")}(\\?.*)?$`).test(path),
  );
  expect(answer.status, JSON.stringify(got).slice(0, 300)).toBe(route?.status);
  if (route?.answer) expect(route.answer.parse(got)).toEqual(got);
  seen.add(`${route?.method} ${route?.path}`);
  return got;
}

test("a classic game to its end, a refused command included", async () => {
  const me = { agent_id: "solver" };
  await ask("GET", "/status");
  const { game_id } = await ask("POST", "/start_game", null, { ...me, level_id: "1" });
  await ask("POST", "/submit_move", null, { ...me, command: "?" });
  let over = false;
  while (!over) {
    const { status } = await ask("GET", `/get_state?agent_id=solver&game_id=${game_id}`);
    over =
      status.game_over ||
      (await ask("POST", "/submit_move", null, { ...me, command: "G1@P11+90" })).state.status.game_over;
  }
  await ask("GET", "/get_state?agent_id=solver");
});

test("the hosted SDK's calls", async () => {
  const [ada, bob] = [await guest(server, "Ada"), await guest(server, "Bob")];
  const { code } = (await call(server, "POST", "/access-codes", { token: ada.token })).body;
  const { id_token: token } = await ask("POST", "/access-codes/exchange", null, { code });
  const solo = await ask("POST", "/play", token, { is_local_model: true });
  await ask("POST", "/move", token, { game_player_id: solo.game_player_id, command: "G1@P11+90", reasoning: "so" });
  const made = await ask("POST", "/arena/create", token, { mode: "1v1", level: 1, model: "m", prompt_injection: "x" });
  await ask("GET", `/arena/room/${made.room_code}`, token);
  const joined = await ask("POST", "/arena/join", bob.token, { room_code: made.room_code });
  await ask("GET", `/arena/turn/${made.game_player_id}`, token);
  await ask("POST", "/arena/move", token, { game_player_id: made.game_player_id, command: "?" });
  await ask("GET", `/arena/result/${joined.game_player_id}`, bob.token);
});

test("the list of keys, and then there is none without a test", async () => {
  await ask("GET", "/.well-known/gearmice-keys.json");
  expect([...seen].sort()).toEqual(ROOT_ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
});
