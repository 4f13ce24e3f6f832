/** `gearmice admin backup` of a server that is played on at full pace; the copy is started as a server of its own. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, type Json } from "../server/testing/kit.ts";
import { type RunningServer, startServerProcess } from "../test/support/server.ts";
import { until } from "../test/support/until.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));

let root = "";
const running: RunningServer[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "gearmice-backup-"));
});
afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
  await rm(root, { recursive: true, force: true });
});
async function start(dir: string): Promise<RunningServer> {
  const server = await startServerProcess({ RATE_LIMITS: "off" }, dir);
  running.push(server);
  return server;
}

interface Played {
  readonly room: Json;
  readonly commands: string[];
}

/** Solo matches that are played on until `stop`; every command in the lists has been acknowledged. */
function playing(server: RunningServer, token: string) {
  const all: Played[] = [];
  let stopped = false;
  const play = async () => {
    while (!stopped) {
      const { body: room } = await call(server, "POST", "/rooms", { token, body: { format: "solo", level: 1 } });
      const commands: string[] = [];
      all.push({ room, commands });
      for (let turn = 0, over = false; !over && !stopped; turn++) {
        const legal = await call(server, "GET", `/matches/${room.match_id}/legal`, { token: room.seat_token });
        const command = legal.body.commands[turn % legal.body.commands.length];
        const body = { turn, command };
        const moved = await call(server, "POST", `/matches/${room.match_id}/moves`, { token: room.seat_token, body });
        expect(moved.body.ok).toBe(true);
        commands.push(command);
        over = moved.body.state.status.game_over;
      }
    }
  };
  const done = Promise.all([play(), play(), play()]);
  return {
    soFar: () => all.map(({ room, commands }): Played => ({ room, commands: [...commands] })),
    async stop() {
      stopped = true;
      await done;
    },
  };
}

test("every command that was acknowledged before is in the copy; seats, identities and the admin token open it", async () => {
  const server = await start(join(root, "data"));
  const { token } = await guest(server, "Ada");
  const waiting = (await call(server, "POST", "/rooms", { token, body: { preset: "duel" } })).body;
  const play = playing(server, token);
  await until("a match is over and another has begun", () => play.soFar().length > 4);
  const before = play.soFar();
  const copy = join(root, "copy");
  const said = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, DATA_DIR: join(root, "data") };
    execFile(process.execPath, [BIN, "admin", "backup", copy, "--json"], { env }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(err)),
    );
  });
  expect(JSON.parse(said)).toMatchObject({ ok: true, folder: copy });
  // It went on meanwhile, and nobody was refused.
  const during = play.soFar();
  expect(during.flatMap(({ commands }) => commands).length).toBeGreaterThan(
    before.flatMap(({ commands }) => commands).length,
  );
  await play.stop();

  const restored = await start(copy);
  let checked = 0;
  for (const { room, commands } of before) {
    const { body } = await call(restored, "GET", `/matches/${room.match_id}/state`, { token: room.seat_token });
    const played = body.data.history.filter((line: string) => /^Turn \d+ \[P1\]: G/.test(line));
    expect(played.slice(0, commands.length)).toEqual(commands.map((command, i) => `Turn ${i + 1} [P1]: ${command}`));
    checked += commands.length;
  }
  expect(checked).toBeGreaterThan(20);
  // The waiting room is there under its code, for whoever had it, and can be joined.
  const seats = (await call(restored, "GET", "/seats", { token })).body.seats;
  expect(seats.map(({ match_id }: Json) => match_id)).toContain(waiting.match_id);
  const bob = await guest(restored, "Bob");
  const joined = await call(restored, "POST", `/rooms/${waiting.code}/join`, { token: bob.token, body: {} });
  expect(joined.body.state.meta.phase).toBe("playing");
  const listed = await new Promise<string>((resolve) => {
    const env = { ...process.env, DATA_DIR: copy };
    execFile(process.execPath, [BIN, "admin", "list", "--json"], { env }, (_error, out) => resolve(out));
  });
  expect(JSON.parse(listed).matches.map(({ match_id }: Json) => match_id)).toContain(waiting.match_id);
  expect(restored.output()).not.toContain('"level":50');
});
