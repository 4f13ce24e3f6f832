/**
 * Secrets of a match (R11.2, PROTOCOL 3): every byte that anybody is sent by a real server during whole matches, at
 * every door, and every line that it logs. No seed and no state of the generator before the end, and never another
 * seat's token, nor its reasoning or refused commands before the end.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Room } from "@colyseus/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guest, type Json, sync } from "../../../server/testing/kit.ts";
import { freePort } from "../../support/ports.ts";
import { type RunningServer, startServerProcess } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { found, type Needle, seedNeedles, textNeedles } from "./needles.ts";
import { openViewer, type Viewer } from "./viewer.ts";

let server: RunningServer;
let ada: Viewer;
let bob: Viewer;
/** Watches what all may see. */
let eve: Viewer;
/** Asks for what is none of his business. */
let mallory: Viewer;
/** Who runs the server, by the port for that. */
let operator: Viewer;

let dataDir = "";
let settings: Record<string, string> = {};
/** What processes that have ended had printed. */
let printed = "";

beforeAll(async () => {
  const opsPort = String(await freePort());
  settings = { LOG_LEVEL: "trace", OPS_PORT: opsPort };
  dataDir = await mkdtemp(join(tmpdir(), "gearmice-canary-"));
  server = await startServerProcess(settings, dataDir);
  [ada, bob, eve, mallory] = (await Promise.all(
    ["ada", "bob", "eve", "mallory"].map((name) => openViewer(name, server.url)),
  )) as [Viewer, Viewer, Viewer, Viewer];
  operator = await openViewer("operator", `http://127.0.0.1:${opsPort}`);
});
afterAll(async () => {
  for (const viewer of [ada, bob, eve, mallory, operator]) await viewer?.close();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The process dies, and another takes its place. */
async function crash(): Promise<void> {
  await server.stop("SIGKILL");
  printed += server.output();
  server = await startServerProcess({ ...settings, PORT: new URL(server.url).port }, dataDir);
}

/** Of Level 1: two shuffles' worth for entropy (R7.1), one for the Orb (R7.2), and some that may be drawn again. */
const SOLO_DRAWS = 20;

interface Secrets {
  /** Nobody's before the end. */
  seed: string;
  /** How often the generator may have drawn; in Arena never (R7.3). */
  readonly draws: number;
  /** By whom they are known; for ever, and until the end. */
  readonly tokens: { readonly owner: string; readonly text: string }[];
  readonly thoughts: { readonly owner: string; readonly text: string }[];
}

const needlesOf = (what: string, owned: Secrets["tokens"], name: string | null): Needle[] =>
  owned.filter(({ owner }) => owner !== name).flatMap(({ owner, text }) => textNeedles(`${what} of ${owner}`, text));

/** Marks that what is heard from here on may be the end. */
function markAll(): void {
  for (const viewer of [ada, bob, eve, mallory, operator]) viewer.mark();
}

/** What anybody was sent that he must not have been sent; by viewer. */
function leaks({ seed, draws, tokens, thoughts }: Secrets): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  const ofTheSeed = seedNeedles(seed, draws);
  for (const viewer of [ada, bob, eve, mallory, operator]) {
    const leaked = [
      ...found([...ofTheSeed, ...needlesOf("a thought", thoughts, viewer.name)], viewer.before()),
      ...found(needlesOf("a token", tokens, viewer.name), viewer.bytes()),
    ];
    if (leaked.length > 0) all[viewer.name] = leaked;
  }
  const log = [Buffer.from(printed + server.output())];
  const logged = found(
    [...ofTheSeed, ...needlesOf("a thought", thoughts, null), ...needlesOf("a token", tokens, null)],
    log,
  );
  if (logged.length > 0) all.log = logged;
  return all;
}

const heard = (viewer: Viewer) => Buffer.concat(viewer.bytes()).toString("latin1");
let thought = 0;
const think = (secrets: Secrets, owner: string): string => {
  const text = `canary-${owner}-${thought++}-${crypto.randomUUID().slice(0, 8)}`;
  secrets.thoughts.push({ owner, text });
  return text;
};

/** A socket that no reservation stands for, and one that speaks before it is let in: what Colyseus logs. */
async function strayFrames(url: string, code: string): Promise<void> {
  for (const query of ["?sessionId=stray", ""]) {
    const socket = new WebSocket(`${url.replace("http", "ws")}/stray/${code}${query}`);
    socket.onopen = () => socket.send(Buffer.from([0xff, 0x00, 0xff]));
    await new Promise<void>((resolve) => {
      socket.onclose = () => resolve();
    });
  }
}

describe("a duel, with a player at each door, spectators and intruders", () => {
  const secrets: Secrets = { seed: "", draws: 0, tokens: [], thoughts: [] };
  let id = "";
  let code = "";

  test("it is played to its end", { timeout: 60_000 }, async () => {
    const [a, b, m] = [await guest(ada, "Ada"), await guest(bob, "Bob"), await guest(mallory, "Mallory")];
    const made = await ada.http("POST", "/rooms", { token: a.token, body: { preset: "duel" } });
    ({ match_id: id, code } = made);
    eve.stream(`/matches/${id}/stream`);
    bob.stream("/stream", b.token);
    const adasRoom = await ada.room(code, { seatToken: made.seat_token });
    const watched = await eve.room(code, { watch: true });
    const seated = await bob.agent(b.token, "polling").ask("join", { code });
    secrets.tokens.push(
      { owner: "ada", text: a.token },
      { owner: "ada", text: made.seat_token },
      { owner: "bob", text: b.token },
      { owner: "bob", text: seated.seat_token },
      { owner: "mallory", text: m.token },
    );
    const bobs = bob.agent(seated.seat_token, "websocket");
    bob.stream(`/matches/${id}/stream`, seated.seat_token);
    const watching = eve.agent(null, "websocket");
    expect(await watching.ask("watch", { match_id: id })).toMatchObject({ ok: true });
    const intruding = mallory.agent(m.token, "polling");

    const look = async () => {
      await eve.http("GET", `/matches/${id}/state`);
      await eve.http("GET", `/matches/${id}/legal`);
      await eve.http("GET", `/matches/${id}/record`);
      await eve.http("GET", `/matches/${id}/record?as=snapshots`);
      await sync(watched);
      await watching.ask("state", { match_id: id });
      await ada.http("GET", `/matches/${id}/record`, { token: made.seat_token });
      await bob.http("GET", `/matches/${id}/record`, { token: seated.seat_token });
      await sync(adasRoom);
      await bobs.ask("state", { match_id: id });
      for (const path of ["/metrics", "/healthz", "/readyz", "/nothing"]) await fetch(`${operator.url}${path}`);
      const password = (await readFile(join(dataDir, "admin-token"), "utf8")).trim();
      const bearer = { headers: { authorization: `Bearer ${password}` } };
      const basic = { headers: { authorization: `Basic ${Buffer.from(`me:${password}`).toString("base64")}` } };
      for (const path of ["/admin/matches", `/admin/matches/${id}`]) await fetch(`${operator.url}${path}`, bearer);
      for (const path of ["/monitor/api", `/monitor/api/room?roomId=${code}`]) {
        await fetch(`${operator.url}${path}`, basic);
      }
    };
    const intrude = async () => {
      for (const token of [m.token, `${made.seat_token}x`, "gm1.seat.x.y.z", null]) {
        await mallory.http("POST", `/matches/${id}/moves`, { token, body: { turn: 0, command: "G1@P11+90" } });
        await mallory.http("POST", `/matches/${id}/resign`, { token, body: {} });
        await mallory.http("POST", `/matches/${id}/rematch`, { token, body: {} });
        await mallory.http("GET", `/matches/${id}/record`, { token });
        await mallory.http("GET", `/matches/${id}/state?wait=turn`, { token });
        await mallory.http("GET", "/seats", { token });
      }
      await mallory.http("POST", `/rooms/${code}/join`, { token: m.token, body: {} });
      await mallory.http("POST", `/rooms/${code}/join`, { token: m.token, body: { seat: 7 } });
      await mallory.http("GET", `/rooms/${code}`);
      await mallory.http("GET", "/rooms?status=playing");
      await fetch(`${mallory.url}/get_state?game_id=${id}&agent_id=x`);
      await fetch(`${mallory.url}/matchmake/joinById/${code}`, { method: "POST", body: '{"seatToken":"x"}' });
      await strayFrames(mallory.url, code);
      for (const call of ["move", "resign", "rematch", "leave", "state"])
        await intruding.ask(call, { match_id: id, command: "x" });
    };

    await intrude();
    for (let moves = 0; moves < 60; moves++) {
      const state: Json = await ada.http("GET", `/matches/${id}/state`, { token: made.seat_token });
      if (state.status.game_over) break;
      const { turn, current_player } = state.meta;
      const owner = current_player === "P1" ? "ada" : "bob";
      const { commands } = await eve.http("GET", `/matches/${id}/legal`);
      const move = async (command: string) => {
        const request = { turn, command, reasoning: think(secrets, owner), token_usage: { total: 10 * (moves + 1) } };
        if (owner === "ada")
          return moves % 4 === 0
            ? adasRoom.request("move", request)
            : ada.http("POST", `/matches/${id}/moves`, { token: made.seat_token, body: request });
        return moves % 4 === 1
          ? bob.http("POST", `/matches/${id}/moves`, { token: seated.seat_token, body: request })
          : bobs.ask("move", { match_id: id, ...request });
      };
      // A refused command is told nobody else either, while the turn can be tried again (R8.3).
      if (moves % 8 < 2) await move(think(secrets, owner));
      if (moves === 2 || moves === 20 || moves > 46) await look();
      markAll();
      expect(await move(commands[0])).toMatchObject({ ok: true });
    }
    // The type of an event stands in messages of rooms as it does in JSON.
    await until("everybody has heard of the end", () =>
      [ada, bob, eve].every((viewer) => heard(viewer).includes("over")),
    );
    const final = await eve.http("GET", `/matches/${id}/state`);
    expect(final.meta.phase).toBe("over");
    secrets.seed = final.meta.seed;
    await look();
    await intrude();
  });

  test("nobody was sent a secret too early, and nothing of it is in the log", () => {
    expect(leaks(secrets)).toEqual({});
  });

  test("the search hears what it should: seeds after the end, one's own thoughts and tokens, what all may see", async () => {
    const ofTheSeed = seedNeedles(secrets.seed, 0);
    for (const viewer of [ada, bob, eve]) {
      expect(found(ofTheSeed, viewer.after())).toContain("the seed");
      const own = secrets.thoughts.filter(({ owner }) => owner === viewer.name);
      for (const { text } of own.slice(0, 1)) expect(found(textNeedles("own", text), viewer.before())).toEqual(["own"]);
    }
    for (const { owner, text } of secrets.tokens) {
      const viewer = [ada, bob, mallory].find(({ name }) => name === owner) as Viewer;
      expect(found(textNeedles("own", text), viewer.bytes())).toEqual(["own"]);
    }
    // After the end the record tells everybody what was thought.
    const [first] = secrets.thoughts;
    expect(found(textNeedles("a thought", first?.text ?? ""), eve.after())).toEqual(["a thought"]);
    const { meta } = await eve.http("GET", `/matches/${id}/state`);
    for (const viewer of [ada, bob, eve]) expect(heard(viewer)).toContain(meta.seed_commitment);
    for (const told of ["gearmice_events_total", '"deadline_ms"', '"stateSize"'])
      expect(heard(operator)).toContain(told);
  });

  test("nothing is packed, in which nothing could be found", () => {
    for (const viewer of [ada, bob, eve, mallory, operator]) {
      expect(heard(viewer)).not.toMatch(/permessage-deflate|content-encoding/i);
    }
  });
});

describe("a Solo match with entropy and Orb, whose generator draws, and a crash in the middle", () => {
  test("neither the seed nor any state of the generator before the end", { timeout: 60_000 }, async () => {
    const secrets: Secrets = { seed: "", draws: SOLO_DRAWS, tokens: [], thoughts: [] };
    const play = async (method: string, path: string, body?: object): Promise<Json> => {
      const answer = await fetch(`${ada.url}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
      return answer.json();
    };
    const { game_id, state: first } = await play("POST", "/start_game", { agent_id: "ada" });
    const code: string = first.meta.room_code;
    let state: Json = first;
    let crashes = 0;
    let watched: Room | null = null;
    while (!state.status.game_over) {
      const { commands } = await ada.http("GET", `/matches/${game_id}/legal?code=${code}`);
      if (state.meta.turn === 10 && crashes++ === 0) {
        await crash();
        watched = null;
      }
      if (watched === null) {
        watched = await eve.room(code, { watch: true });
        eve.stream(`/matches/${game_id}/stream?code=${code}`);
      }
      if (state.meta.turn % 5 === 0) {
        await sync(watched);
        await eve.http("GET", `/matches/${game_id}/record?code=${code}`);
        // In a private match nobody else finds anything.
        expect(await mallory.http("GET", `/matches/${game_id}/record`)).toMatchObject({ error: { code: "not_found" } });
      }
      markAll();
      const move = { agent_id: "ada", turn: state.meta.turn, command: commands[0], reasoning: think(secrets, "ada") };
      state = (await play("POST", "/submit_move", move)).state;
    }
    expect(state.data.history.join()).toMatch(/ENTROPY.*ORB|ORB.*ENTROPY/s);
    secrets.seed = state.meta.seed;
    expect(found(seedNeedles(secrets.seed, 0), ada.after())).toContain("the seed");
    expect(found(textNeedles("own", secrets.thoughts[0]?.text ?? ""), ada.before())).toEqual(["own"]);
    expect(leaks(secrets)).toEqual({});
    // There is a log to search in.
    expect(server.output()).toMatch(/"level":30.*"matches":1.*"recovered"/);
  });
});
