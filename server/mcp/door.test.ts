/** The MCP door (PROTOCOL 8) with the real client, of the protocol with sessions and of the one without. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { build, rules } from "../../shared/prompts/index.ts";
import { call, guest, type Json, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
let open: Client[] = [];
beforeAll(async () => {
  server = await serve();
});
afterEach(async () => {
  for (const client of open) await client.close();
  open = [];
});
afterAll(() => server.stop());

interface Model {
  readonly client: Client;
  /** What the tool answers, as structured content. */
  use(tool: string, input?: object): Promise<Json>;
}

async function model(token?: string, mode: "auto" | "legacy" = "auto"): Promise<Model> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }));
  open.push(client);
  return {
    client,
    async use(name, input = {}) {
      const answer = await client.callTool({ name, arguments: input as Record<string, unknown> });
      const { structuredContent, content, isError = false } = answer as Json;
      // Clients that read text alone are told the same.
      expect(JSON.parse(content[0].text)).toEqual(structuredContent);
      expect(isError).toBe(!structuredContent.ok);
      return structuredContent;
    },
  };
}

const DUEL = { format: "1v1", level: 1, seats: [{ kind: "any" }, { kind: "ai", brain: "greedy" }] };

describe.each(["auto", "legacy"] as const)("a duel to its result, %s client", (mode) => {
  test.each(["a bearer token", "a player_token"])("known by %s", async (by) => {
    const bearer = by === "a bearer token";
    const { client, use } = await model(bearer ? (await guest(server, "Mo")).token : undefined, mode);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual([
      "list_rooms",
      "create_room",
      "join_room",
      "get_state",
      "legal_moves",
      "play_move",
      "wait_turn",
      "resign",
    ]);
    const made = await use("create_room", DUEL);
    expect(made).toMatchObject({ ok: true, seat: "P1", code: expect.stringMatching(/^IXENT-/) });
    expect("player_token" in made).toBe(!bearer);
    expect("seat_token" in made).toBe(false);
    const me = { match_id: made.match_id, ...(bearer ? {} : { player_token: made.player_token }) };
    let { state } = await use("wait_turn", me);
    while (!state.status.game_over) {
      const { commands } = await use("legal_moves", me);
      const moved = await use("play_move", { ...me, turn: state.meta.turn, command: commands[0], reasoning: "first" });
      expect(moved).toMatchObject({ ok: true });
      state = moved.state;
    }
    expect(state.status.result).not.toBeNull();
    const { contents } = await client.readResource({ uri: `gearmice://records/${made.match_id}` });
    const lines = (contents[0] as Json).text
      .trim()
      .split("\n")
      .map(JSON.parse as (line: string) => Json);
    expect(lines.at(-1)).toMatchObject({ type: "result", signature: expect.any(String) });
  });
});

test("two models meet by a code; each sees its own seat", async () => {
  const [one, two] = [await model(), await model()];
  const made = await one.use("create_room", { preset: "duel", name: "One" });
  const joined = await two.use("join_room", { code: made.code, name: "Two" });
  expect([made.seat, joined.seat]).toEqual(["P1", "P2"]);
  const { rooms } = await one.use("list_rooms", { status: "playing" });
  expect(rooms.map((room: Json) => room.code)).toContain(made.code);
  const { match_id } = made;
  const foreign = await two.use("play_move", {
    match_id,
    player_token: joined.player_token,
    command: "G1@P11(b=0)+90",
  });
  expect(foreign).toMatchObject({ ok: false, code: "not_your_turn", state: { meta: { turn: 0 } } });
  expect(await two.use("resign", { match_id, player_token: joined.player_token })).toMatchObject({ ok: true });
  const over = await one.use("wait_turn", { match_id, player_token: made.player_token });
  expect(over.state.status).toMatchObject({ game_over: true, winner: ["P1"] });
});

test("what there is to read: the rules, the prompt of each seat, as a prompt too", async () => {
  const { client } = await model();
  const read = async (uri: string) => ((await client.readResource({ uri })).contents[0] as Json).text as string;
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["gearmice://rules"]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "gearmice://prompts/{mode}/{player}",
    "gearmice://records/{match_id}",
  ]);
  expect(await read("gearmice://rules")).toBe(rules());
  expect(await read("gearmice://prompts/solo/P1")).toBe(build("solo", "P1"));
  const { messages } = await client.getPrompt({ name: "play", arguments: { mode: "2v2", player: "P3", ally: "P4" } });
  expect(messages).toEqual([{ role: "user", content: { type: "text", text: build("2v2", "P3", "P4") } }]);
  await expect(read("gearmice://prompts/solo/P2")).rejects.toThrow("not_found");
});

describe("refusals carry a code of the one list", () => {
  test.each<[name: string, tool: string, input: object, code: string]>([
    ["no token", "wait_turn", { match_id: "MATCH" }, "unauthorized"],
    ["a token of nobody's", "get_state", { match_id: "MATCH", player_token: "x.y.z" }, "unauthorized"],
    ["no match", "get_state", { match_id: "01890000-0000-7000-8000-000000000000" }, "not_found"],
    ["no match id", "get_state", {}, "bad_request"],
    ["a wrong type", "play_move", { match_id: "MATCH", command: 7 }, "bad_request"],
    ["no such level", "create_room", { format: "solo", level: 99 }, "bad_options"],
    ["neither preset nor format", "create_room", {}, "bad_request"],
    ["no such code", "join_room", { code: "IXENT-ZZZZZZ" }, "not_found"],
  ])("%s", async (_name, tool, input, code) => {
    const { use } = await model();
    const { match_id } = (await call(server, "POST", "/rooms", { token: (await guest(server)).token, body: DUEL }))
      .body;
    const given = JSON.parse(JSON.stringify(input).replace("MATCH", match_id));
    expect(await use(tool, given)).toMatchObject({ ok: false, code, message: expect.any(String) });
  });

  test("a record before the start; a bearer token of nobody's; a body that is too large", async () => {
    const { client, use } = await model();
    const { match_id } = await use("create_room", { preset: "duel" });
    await expect(client.readResource({ uri: `gearmice://records/${match_id}` })).rejects.toThrow("match_not_started");
    const post = async (headers: Record<string, string>, body: string) => {
      const answer = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body,
      });
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect(await post({ authorization: "Bearer x.y.z" }, ping)).toMatchObject({
      status: 401,
      body: { error: { code: "unauthorized" } },
    });
    expect(await post({}, `"${"x".repeat(300_000)}"`)).toMatchObject({
      status: 413,
      body: { error: { code: "too_large" } },
    });
    expect(server.errors).toEqual([]);
  });
});
