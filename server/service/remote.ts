/** The service for matches that another process holds: its HTTP door, called in the name of the caller. */
import type { IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type Answer, readRefusal, refuse } from "../../shared/protocol/codes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Peers } from "../cluster/peers.ts";
import type { RoomInfo } from "../summary.ts";
import type { Caller, MatchLine, MatchService } from "./MatchService.ts";

const LOST = refuse("unavailable", "The process that holds this match has gone; try again.", 1);

type Asked = { readonly method?: "GET" | "POST"; readonly body?: unknown; readonly wait?: AbortSignal | undefined };

/** What is asked about one match, or the room that it is in. */
export type MatchCalls = Omit<MatchService, "create" | "rooms" | "seats" | "followSeats">;

/** The service of the process at `address`. */
export function remoteService(peers: Pick<Peers, "call">, address: string): MatchCalls {
  const send = (caller: Caller, path: string, { method = "GET", body, wait }: Asked): Promise<IncomingMessage> => {
    const url = new URL(`/api/v1${path}`, address);
    if (caller.code !== null) url.searchParams.set("code", caller.code);
    if (wait) url.searchParams.set("wait", "turn");
    return peers.call(address, url, { method, caller, body, signal: wait });
  };
  const ask = async <T extends object>(caller: Caller, path: string, asked: Asked = {}): Promise<Answer<T>> => {
    try {
      const answer = await send(caller, path, asked);
      return read<T>(answer.statusCode, JSON.parse(await text(answer)));
    } catch {
      return LOST;
    }
  };
  const room = (code: string) => `/rooms/${encodeURIComponent(code)}`;
  const match = (id: string) => `/matches/${encodeURIComponent(id)}`;

  return {
    async room(caller, code) {
      const answer = await ask<RoomInfo>(caller, room(code));
      if (!answer.ok) return answer;
      const { ok: _, ...info } = answer;
      return { ok: true, room: info };
    },
    join: (caller, code, body) => ask(caller, `${room(code)}/join`, { method: "POST", body }),
    leave: (caller, code) => ask(caller, `${room(code)}/leave`, { method: "POST", body: {} }),
    async state(caller, id, wait) {
      const answer = await ask<NativeState & { waiting?: true }>(caller, `${match(id)}/state`, { wait });
      if (!answer.ok) return answer;
      const { ok: _, waiting = false, ...state } = answer;
      return { ok: true, state, waiting };
    },
    legal: (caller, id) => ask(caller, `${match(id)}/legal`),
    async move(caller, id, body, wait) {
      type Moved = Extract<Awaited<ReturnType<MatchService["move"]>>, { ok: true }>;
      const answer = await ask<Omit<Moved, "waiting"> & { waiting?: true }>(caller, `${match(id)}/moves`, {
        method: "POST",
        body,
        wait,
      });
      return answer.ok ? { ...answer, waiting: answer.waiting ?? false } : answer;
    },
    resign: (caller, id) => ask(caller, `${match(id)}/resign`, { method: "POST", body: {} }),
    rematch: (caller, id) => ask(caller, `${match(id)}/rematch`, { method: "POST", body: {} }),

    async record(caller, id) {
      try {
        const answer = await send(caller, `${match(id)}/record`, {});
        const record = await text(answer);
        return answer.statusCode === 200 ? { ok: true, record } : read<never>(answer.statusCode, JSON.parse(record));
      } catch {
        return LOST;
      }
    },

    async follow(caller, id, { line, end }) {
      let answer: IncomingMessage;
      try {
        answer = await send(caller, `${match(id)}/stream`, {});
        if (answer.statusCode !== 200) return read<never>(answer.statusCode, JSON.parse(await text(answer)));
      } catch {
        return LOST;
      }
      const lines = createInterface({ input: answer });
      // An empty line only says that the other side lives.
      lines.on("line", (read) => read !== "" && line(JSON.parse(read) as MatchLine));
      lines.on("error", () => answer.destroy());
      answer.on("error", () => answer.destroy());
      answer.once("close", end);
      return { ok: true, stop: () => void answer.off("close", end).destroy() };
    },
  };
}

/** The value of an answer, or its refusal with what stands beside the error (a move's version and state). */
function read<T extends object>(status: number | undefined, body: unknown): Answer<T> {
  if (status !== undefined && status < 300) return { ...(body as T), ok: true };
  const refusal = readRefusal(body);
  if (refusal === null) return LOST;
  const { error: _, ...beside } = body as { error: unknown };
  return { ...beside, ...refusal };
}
