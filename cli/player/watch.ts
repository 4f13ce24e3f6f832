/** Looking on: the list of rooms, and one match followed to its end. */
import { setTimeout as sleep } from "node:timers/promises";
import { openApi } from "../../agents/drivers/api.ts";
import { backoffMs } from "../../agents/drivers/reconnect.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { openFolder } from "./folder.ts";
import { screenOf } from "./match.ts";
import type { ServerOptions } from "./options.ts";
import { granted } from "./session.ts";

interface Row {
  readonly code: string;
  readonly match_id: string;
  readonly format: string;
  readonly level: number;
  readonly phase: string;
  readonly seats: readonly { readonly seat: PlayerId; readonly name: string | null; readonly taken: boolean }[];
}

export async function listRooms({ server, json = false }: ServerOptions): Promise<void> {
  const api = openApi((await openFolder(process.env, server)).server);
  const { rooms } = granted(await api.call<{ rooms: readonly Row[] }>("/rooms"));
  const live = rooms.filter(({ phase }) => phase !== "over");
  if (json) return void process.stdout.write(`${JSON.stringify(live)}\n`);
  if (live.length === 0) return void process.stdout.write("no rooms\n");
  for (const { code, format, level, phase, seats } of live) {
    const names = seats.map(({ seat, name, taken }) => `${seat} ${taken ? (name ?? "?") : "free"}`).join(", ");
    process.stdout.write(`${code}  ${format} level ${level}  ${phase.padEnd(7)}  ${names}\n`);
  }
}

/** Follows the stream; where it breaks off, from its beginning again, which holds the whole state. */
export async function watchMatch(code: string, { server, json = false }: ServerOptions): Promise<void> {
  const api = openApi((await openFolder(process.env, server)).server);
  const room = granted(await api.call<Row>(`/rooms/${encodeURIComponent(code)}`));
  const screen = screenOf(json, null);
  const path = `/matches/${room.match_id}`;
  let state: NativeState | null = null;
  for (let failures = 0; state?.meta.phase !== "over"; failures += 1) {
    if (failures > 0) await sleep(backoffMs(failures - 1));
    try {
      for await (const line of api.lines(`${path}/stream?code=${encodeURIComponent(room.code)}`)) {
        const { type } = line as { type: string };
        if (type === "state") failures = 0;
        if (type === "presence") continue;
        // The stream's later states hold the end of the history only; the whole one is asked for.
        state = granted(await api.call<NativeState>(`${path}/state?code=${encodeURIComponent(room.code)}`));
        if (json) process.stdout.write(`${JSON.stringify(line)}\n`);
        else screen.show(state);
      }
    } catch (error) {
      screen.note(error instanceof Error ? error.message : String(error));
      const left = await api.call<NativeState>(`${path}/state?code=${encodeURIComponent(room.code)}`);
      if (!left.ok && left.code === "not_found") throw new Error(`${left.code}: ${left.message}`);
    }
  }
  if (!json && state.status.winner.length > 0) process.stdout.write(`winner: ${state.status.winner.join(", ")}\n`);
}
