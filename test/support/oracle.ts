/**
 * What must hold whatever has been done to the servers, as one table for all scenarios: it knows nothing but what
 * clients were told (crowd.ts) and what the doors answer now.
 */
import { readAdmin } from "../../server/ops/adminToken.ts";
import { checkSignature } from "../../server/signing.ts";
import type { EventLine } from "../../shared/protocol/recordLines.ts";
import { verifyRecord } from "../../shared/protocol/recordVerify.ts";
import type { Acknowledged, Crowd, Game } from "./crowd.ts";
import { describe, inTurn } from "./crowd.ts";
import type { RunningServer } from "./server.ts";
import { until } from "./until.ts";

export interface World {
  readonly crowd: Crowd;
  /** Those that live. */
  processes(): readonly RunningServer[];
}

interface Invariant {
  readonly name: string;
  /** What is wrong, a sentence each. */
  check(world: World): Promise<string[]>;
}

const AT_ONCE = 48;

/** Every seat comes back with its token, and its view has what it was told. */
const seatsReturn: Invariant = {
  name: "every seat returns with its token, and all that was acknowledged is there at its turn",
  async check({ crowd }) {
    const wrong: string[] = [];
    await inTurn([...crowd.games], AT_ONCE, async (game) => {
      const told = [...game.acknowledged];
      for (const { seat, token } of game.seats) {
        const answer = await crowd.insist("GET", `/matches/${game.id}/state`, token);
        if (answer.status !== 200) wrong.push(`${game.id} ${seat}: ${describe(answer)}`);
        else if (seat === "P1") wrong.push(...missingInHistory(game, told, answer.body.data.history));
      }
    });
    return wrong;
  },
};

function missingInHistory({ id, format }: Game, told: readonly Acknowledged[], history: readonly string[]): string[] {
  const lines = new Map(history.map((line) => [line.slice(0, line.indexOf(":")), line]));
  return told.flatMap(({ type, seat, turn, command }) => {
    // A refusal that costs nothing is in the record alone (R8.3).
    if (type === "resigned" || (type === "refused" && format !== "solo")) return [];
    const line = lines.get(`Turn ${turn + 1} [${seat}]`);
    const expected = `Turn ${turn + 1} [${seat}]: ${type === "refused" ? "[ERROR] " : ""}${command}`;
    return line === expected ? [] : [`${id}: acknowledged "${expected}", there is "${line}"`];
  });
}

const oneOwner: Invariant = {
  name: "every match that is not over is held by exactly one process",
  async check({ crowd, processes }) {
    let open = crowd.games.filter(({ over }) => !over);
    const count = new Map<string, number>();
    const look = async () => {
      count.clear();
      for (const id of (await Promise.all(processes().map(heldBy))).flat()) count.set(id, (count.get(id) ?? 0) + 1);
      open = open.filter(({ id, over }) => !over && count.get(id) !== 1);
      return open.length === 0;
    };
    // Whoever was paused learns of its losses when it renews; what nobody holds is taken up in a fifth of a lease.
    await until("one owner each", look, 10_000).catch(() => {});
    return open.map(({ id }) => `${id} is held by ${count.get(id) ?? 0} processes`);
  },
};

/** The ids of the matches that a process holds, by its operators' port. */
export async function heldBy({ dataDir }: RunningServer): Promise<string[]> {
  const { token, address } = readAdmin(dataDir);
  const answer = await fetch(`${address}/admin/matches`, { headers: { authorization: `Bearer ${token}` } });
  const { matches } = (await answer.json()) as { matches: { match_id: string }[] };
  return matches.map(({ match_id }) => match_id);
}

const recordsVerify: Invariant = {
  name: "every record verifies, and has every acknowledged command at its turn and no other",
  async check({ crowd, processes }) {
    const wrong: string[] = [];
    const { keys } = (await (await fetch(`${processes()[0]?.url}/.well-known/gearmice-keys.json`)).json()) as {
      keys: { kid: string }[];
    };
    const options = { keys: keys.map(({ kid }) => kid), checkSignature };
    await inTurn(crowd.games, AT_ONCE, async (game) => {
      if (!game.over) return void wrong.push(`${game.id} is not over`);
      const answer = await crowd.insist("GET", `/matches/${game.id}/record`, game.seats[0]?.token ?? null);
      if (answer.status !== 200) return void wrong.push(`${game.id}: no record: ${describe(answer)}`);
      const verdict = await verifyRecord(String(answer.body), options);
      if (!verdict.ok) wrong.push(`${game.id}: line ${verdict.line}: ${verdict.problem}`);
      else if (verdict.signer !== "known") wrong.push(`${game.id}: signed by a stranger`);
      wrong.push(...differences(game, String(answer.body)));
    });
    return wrong;
  },
};

function differences({ id, format, acknowledged }: Game, record: string): string[] {
  const lines: EventLine[] = record
    .trimEnd()
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line));
  const found = new Map<string, number>();
  let turn = 0;
  for (const line of lines) {
    if (line.type === "turn" || line.type === "refused") {
      const key = `${line.type} ${line.player} ${turn} ${line.command}`;
      found.set(key, (found.get(key) ?? 0) + 1);
      // Refusals lose the turn in Solo, and not (so few of them) in the Arena (R8.2, R8.3).
      if (line.type === "turn" || format === "solo") turn++;
    } else if (line.type === "out") {
      found.set(`resigned ${line.player} -1 `, 1);
    }
  }
  const wrong: string[] = [];
  const told = new Map<string, number>();
  for (const { type, seat, turn, command, repeated } of acknowledged) {
    const key = `${type} ${seat} ${turn} ${command}`;
    told.set(key, (told.get(key) ?? 0) + 1);
    // Resigning is not needed any more when all others have.
    if (!found.has(key) && !(type === "resigned" && repeated)) wrong.push(`${id}: acknowledged, not recorded: ${key}`);
  }
  for (const [key, times] of found) {
    // A refusal whose answer was lost may have been sent, and so count, twice.
    if (key.startsWith("refused")) continue;
    if (times !== 1) wrong.push(`${id}: recorded ${times} times: ${key}`);
    if (!told.has(key)) wrong.push(`${id}: recorded, never acknowledged: ${key}`);
  }
  return wrong;
}

const countedOnce: Invariant = {
  name: "every result is counted once",
  async check({ crowd }) {
    const wrong: string[] = [];
    for (const format of ["solo", "1v1", "2v2", "ffa4"] as const) {
      const expected = new Map<string, number>();
      for (const game of crowd.games) {
        if (game.format !== format) continue;
        for (const { name } of game.seats) expected.set(name, (expected.get(name) ?? 0) + 1);
      }
      const look = async () => {
        const { body } = await crowd.insist("GET", `/leaderboard?kind=casual&format=${format}&level=1`, null);
        const rows = body.rows as { name: string; matches: number }[];
        return [...expected].filter(([name, count]) => rows.find((row) => row.name === name)?.matches !== count);
      };
      await until("all are counted", async () => (await look()).length === 0, 10_000).catch(() => {});
      wrong.push(...(await look()).map(([name, count]) => `${format}: ${name} has not ${count} matches`));
    }
    return wrong;
  },
};

const noSurprise: Invariant = {
  name: "no client got an answer that it should not get",
  // Each is told once, after the fault that it belongs to.
  check: async ({ crowd }) => crowd.surprises.splice(0),
};

export const AFTER_A_FAULT: readonly Invariant[] = [seatsReturn, oneOwner, noSurprise];
export const AT_THE_END: readonly Invariant[] = [...AFTER_A_FAULT, recordsVerify, countedOnce];

/** What is wrong, by the name of the invariant; empty when all hold. */
export async function broken(world: World, invariants: readonly Invariant[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, check } of invariants) {
    const wrong = await check(world);
    if (wrong.length > 0) found[name] = wrong.slice(0, 5);
  }
  return found;
}
