/**
 * `kill -9` of the one server on files, again and again, among many matches at full pace.
 * CHAOS_MATCHES and CHAOS_ROUNDS make it as many as one likes; without them it is short enough for every run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Crowd } from "../support/crowd.ts";
import { AFTER_A_FAULT, AT_THE_END, broken } from "../support/oracle.ts";
import { type RunningServer, startServerProcess } from "../support/server.ts";
import { until } from "../support/until.ts";

const MATCHES = Number(process.env.CHAOS_MATCHES ?? 200);
const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 3);
const ENV = { RATE_LIMITS: "off", LOG_LEVEL: "error", OPS_PORT: "0" };

test(`kill -9, ${ROUNDS} times, among ${MATCHES} matches at full pace`, { timeout: 600_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "gearmice-chaos-"));
  let server: RunningServer | null = await startServerProcess(ENV, dataDir);
  const port = new URL(server.url).port;
  const crowd = new Crowd({ matches: MATCHES, doors: () => (server === null ? [] : [server.url]) });
  const world = { crowd, processes: () => (server === null ? [] : [server]) };
  const figures: object[] = [];
  try {
    await crowd.start();
    for (let round = 0; round < ROUNDS; round++) {
      const fromMs = performance.now();
      const before = crowd.acks;
      await crowd.played(MATCHES + 97 * round);
      const pace = Math.round(((crowd.acks - before) / (performance.now() - fromMs)) * 1_000);
      const killedMs = performance.now();
      await server.stop("SIGKILL");
      server = null;
      server = await startServerProcess({ ...ENV, PORT: port }, dataDir);
      const listeningMs = performance.now() - killedMs;
      const open = crowd.games.filter(({ over }) => !over);
      await Promise.all(
        open.map(({ id, seats }) =>
          until("it can be joined", async () => {
            const answer = await crowd.call("GET", `/matches/${id}/state`, seats[0]?.token ?? null);
            return answer?.status === 200;
          }),
        ),
      );
      const joinableMs = performance.now() - killedMs;
      expect(await broken(world, AFTER_A_FAULT), server.output()).toEqual({});
      figures.push({
        pace,
        live: open.length,
        listeningMs: Math.round(listeningMs),
        joinableMs: Math.round(joinableMs),
      });
    }
    await crowd.played(MATCHES / 2);
    await crowd.finish();
    expect(await broken(world, AT_THE_END), server.output()).toEqual({});
    const repeated = crowd.games.flatMap((game) => game.acknowledged).filter((one) => one.repeated).length;
    figures.push({ matches: crowd.games.length, acknowledged: crowd.acks, repeated });
    if (process.env.CHAOS_FIGURES) console.table(figures);
  } finally {
    await crowd.close();
    await server?.stop("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
});
