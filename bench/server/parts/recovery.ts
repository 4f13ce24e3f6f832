/** Live matches, `kill -9`, a new process: how long until the state of every match is told to its seat again. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Agent, request } from "undici";
import { startRedis } from "../../../test/support/redis.ts";
import { startServerProcess } from "../../../test/support/server.ts";
import type { Figures } from "../figures.ts";
import { Generator } from "../generator.ts";
import type { Room } from "../generatorChild.ts";
import { times } from "../sockets.ts";
import { type Part, type Settings, wait } from "./part.ts";

const MATCHES = { full: 1_000, quick: 50 };
const MOVES = 12;
const AT_ONCE = 32;
const ASKED_AGAIN_MS = 20;

export const recovery: Part = {
  name: "recovery",
  subjects: ["gearmice", "gearmice on Redis"],
  targets: [{ figure: "all_joinable_s", below: 3 }],
  async run(subject, settings) {
    if (subject === "gearmice") return killed(settings, {});
    // As a careful operator has it: what is acknowledged is on the disk.
    const redis = await startRedis({ appendonly: "always" });
    try {
      return await killed(settings, { REDIS_URL: redis.url, LEASE_SECONDS: "2" });
    } finally {
      await redis.stop();
    }
  },
};

async function killed(settings: Settings, more: Readonly<Record<string, string>>): Promise<Figures> {
  const dataDir = await mkdtemp(join(settings.dir, "gearmice-bench-"));
  const rooms = settings.quick ? MATCHES.quick : MATCHES.full;
  const env = { RATE_LIMITS: "off", LOG_LEVEL: "error", OPS_PORT: "0", ...more };
  let server = await startServerProcess(env, dataDir);
  const { url } = server;
  const agent = new Agent({ connections: AT_ONCE });
  try {
    const generator = await Generator.start(
      { name: "gearmice", url, rooms: async () => [] },
      { level: settings.level, rooms },
    );
    await generator.playSome(MOVES);
    const matches = generator.rooms;
    await server.stop("SIGKILL");
    await generator.end();
    const fromMs = performance.now();
    const starting = startServerProcess({ ...env, PORT: new URL(url).port }, dataDir);
    let firstMs = 0;
    await times(matches.length, AT_ONCE, async (i) => {
      await joinable(agent, url, matches[i] as Room);
      if (firstMs === 0) firstMs = performance.now();
    });
    const allMs = performance.now();
    server = await starting;
    return {
      matches: matches.length,
      moves_each: MOVES,
      first_joinable_s: (firstMs - fromMs) / 1_000,
      all_joinable_s: (allMs - fromMs) / 1_000,
      cpu_s: await cpuSeconds(server.child.pid ?? 0),
    };
  } finally {
    await agent.close();
    await server.stop("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Time on the processor since the process began, by Linux; NaN elsewhere. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Asks with the seat's token until the match answers with all its moves. */
async function joinable(agent: Agent, url: string, { match_id, seat_token }: Room): Promise<void> {
  for (;;) {
    const answer = await request(`${url}/api/v1/matches/${match_id}/state`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${seat_token}` },
    }).catch(() => null);
    const text = await answer?.body.text().catch(() => "");
    if (answer?.statusCode === 200) {
      const { turn } = JSON.parse(text ?? "").meta;
      if (turn !== MOVES) throw new Error(`${match_id} has lost moves: it is at turn ${turn}`);
      return;
    }
    await wait(ASKED_AGAIN_MS);
  }
}
