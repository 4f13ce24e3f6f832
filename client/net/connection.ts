/**
 * One room at the Colyseus door (PROTOCOL 5): joined with the seat token or as a spectator, joined again when the
 * connection breaks, brought up to date by `sync`. Nothing here knows how a match looks.
 */
import type { Room } from "@colyseus/sdk";
import type { Answer } from "../../shared/protocol/codes.ts";
import type {
  EventMessage,
  PresenceMessage,
  RematchMessage,
  SeatMessage,
  SyncAnswer,
} from "../../shared/protocol/messages.ts";
import { RETRY_CODES, retryDelayMs } from "./backoff.ts";

/** retrying: lost, and tried again; closed: the room is gone or ours no longer. */
export type LinkStatus = "connecting" | "live" | "retrying" | "closed";

export interface LinkHandlers {
  /** The version we have, for `sync`. */
  version(): number;
  status(status: LinkStatus, retryInMs: number | null): void;
  event(message: EventMessage): void;
  presence(message: PresenceMessage): void;
  synced(answer: SyncAnswer): void;
  rematch(message: SeatMessage | RematchMessage): void;
}

export type MoveAnswer = Answer<{ readonly version: number; readonly repeated?: boolean }>;

export interface Link {
  move(turn: number, command: string): Promise<MoveAnswer>;
  resign(): Promise<Answer<object>>;
  rematch(): Promise<Answer<object>>;
  leave(): Promise<Answer<object>>;
  sync(): Promise<void>;
  /** Tries at once instead of waiting. */
  retryNow(): void;
  close(): void;
}

const REQUEST_MS = 10_000;
const PING_EVERY_MS = 20_000;
/** Answers in a row, over some fifteen seconds. */
const BELIEVE_NOT_FOUND = 5;
const OFFLINE = { ok: false, code: "unavailable", message: "There is no connection to the server right now." } as const;

/** Connects and stays connected until `close`. `options` are those of `joinById`. */
export function connect(code: string, options: Readonly<Record<string, unknown>>, on: LinkHandlers): Link {
  let room: Room | null = null;
  let closed = false;
  let attempt = 0;
  let missed = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ping: ReturnType<typeof setInterval> | undefined;

  const retry = () => {
    if (closed) return;
    attempt += 1;
    const wait = retryDelayMs(attempt);
    on.status("retrying", wait);
    clearTimeout(timer);
    timer = setTimeout(open, wait);
  };

  const lost = (from: Room, closeCode: number) => {
    if (closed || room !== from) return;
    room = null;
    clearInterval(ping);
    if (RETRY_CODES.has(closeCode)) retry();
    else on.status("closed", null);
  };

  async function open(): Promise<void> {
    try {
      const { Client } = await import("@colyseus/sdk");
      const joined: Room = await new Client(location.origin).joinById(code, options);
      if (closed) {
        void joined.leave();
        return;
      }
      room = joined;
      joined.reconnection.enabled = false; // Ours carries the seat token and survives other processes.
      joined.onMessage("event", (message: EventMessage) => on.event(message));
      joined.onMessage("presence", (message: PresenceMessage) => on.presence(message));
      joined.onMessage("seat", (message: SeatMessage) => on.rematch(message));
      joined.onMessage("rematch", (message: SeatMessage | RematchMessage) => on.rematch(message));
      joined.onLeave((closeCode) => lost(joined, closeCode));
      await sync();
      attempt = 0;
      missed = 0;
      on.status("live", null);
      ping = setInterval(() => void alive(joined), PING_EVERY_MS);
    } catch (error) {
      if (closed) return;
      room = null;
      const answer = answerOf(error);
      // A server that has just started may not have found its rooms yet: "not found" is believed when it stays.
      if (
        answer === "room_closed" ||
        answer === "unauthorized" ||
        (answer === "not_found" && ++missed >= BELIEVE_NOT_FOUND)
      ) {
        on.status("closed", null);
      } else retry();
    }
  }

  /** A connection that died without a word is found by its silence. */
  async function alive(of: Room): Promise<void> {
    try {
      await of.request("ping", {}, { timeout: REQUEST_MS });
    } catch {
      if (room !== of) return;
      lost(of, 1006);
      of.connection.close();
    }
  }

  async function sync(): Promise<void> {
    if (room === null) return;
    on.synced(await room.request<unknown, SyncAnswer>("sync", { version: on.version() }, { timeout: REQUEST_MS }));
  }

  async function ask<T extends object>(type: string, payload: object): Promise<Answer<T>> {
    if (room === null) return OFFLINE;
    try {
      return await room.request<unknown, Answer<T>>(type, payload, { timeout: REQUEST_MS });
    } catch {
      return OFFLINE;
    }
  }

  on.status("connecting", null);
  void open();
  return {
    move: (turn, command) => ask("move", { turn, command }),
    resign: () => ask("resign", {}),
    rematch: () => ask("rematch", {}),
    leave: () => ask("leave", {}),
    sync,
    retryNow() {
      if (closed || room !== null) return;
      clearTimeout(timer);
      void open();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(ping);
      void room?.leave();
      room = null;
    },
  };
}

/** The code of a match-make error, which the SDK hands on as text: `not_found: There is …`. */
function answerOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /\b(not_found|room_closed|unauthorized)\b/.exec(text)?.[0] ?? "";
}
