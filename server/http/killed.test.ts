/** A killed process: whoever opens `/stream` again is told all that is current; codes and counts are still there. */
import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { type RunningServer, startServerProcess } from "../../test/support/server.ts";
import { call, guest, type Json, until } from "../testing/kit.ts";

/** The first `count` notices of a stream; empty lines are keep-alive. */
async function notices(server: RunningServer, token: string, count: number): Promise<Json[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.url}/api/v1/stream`, { headers });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const whole = () =>
    text
      .split("\n")
      .slice(0, -1)
      .filter((line) => line !== "");
  for (;;) {
    const { done, value = "" } = await reader.read();
    text += value;
    if (done || whole().length >= count) break;
  }
  await reader.cancel();
  return whole().map((line) => JSON.parse(line));
}

test("kill -9, and everything current is told again", { timeout: 60_000 }, async () => {
  let server = await startServerProcess();
  const { dataDir } = server;
  const post = (path: string, token: string | null, body: unknown = {}) => call(server, "POST", path, { token, body });
  try {
    const ada = await guest(server, "Ada");
    const { code } = (await post("/access-codes", ada.token)).body;
    const { body: room } = await post("/rooms", ada.token, { format: "solo", level: 1 });
    const { body: done } = await post("/rooms", ada.token, { format: "solo", level: 1 });
    await post(`/matches/${done.match_id}/resign`, done.seat_token);
    const board = async () => (await call(server, "GET", "/leaderboard?kind=casual")).body.rows as Json[];
    await until("the match is counted", async () => (await board()).length === 1);
    server.child.kill("SIGKILL");
    server = await startServerProcess({}, dataDir);
    const told = await notices(server, ada.token, 2);
    expect(told.map(({ type, match_id }) => [type, match_id])).toEqual([
      ["match_start", room.match_id],
      ["your_turn", room.match_id],
    ]);
    expect((await post("/access-codes/exchange", null, { code })).body.id).toBe(ada.id);
    expect((await call(server, "GET", `/matches/${done.match_id}/record`)).status).toBe(200);
    expect((await board()).map(({ matches }) => matches)).toEqual([1]);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
