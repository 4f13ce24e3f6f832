/**
 * One match as this page follows it: the state, who we are in it, the connection. Changes are `advance`; whoever draws
 * hears of each with the state before and after, because animation comes from the event.
 */
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { PlayerId } from "../../shared/engine/types.ts";
import { advance, withPresence } from "../../shared/protocol/advance.ts";
import type { EventMessage, SyncAnswer } from "../../shared/protocol/messages.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import { ApiError, joinRoom, matchRecord, matchState, roomInfo } from "../net/api.ts";
import { connect, type Link, type LinkStatus, type MoveAnswer } from "../net/connection.ts";
import { forgetSeat, ownSeat, saveSeat } from "../net/storage.ts";
import { noteServerTime } from "./clock.ts";
import { type Frames, framesOfRecord, merged, withState } from "./timeline.ts";

/** A stored event with the states around it; `before` null: the whole state came anew. */
export interface Change {
  readonly before: NativeState | null;
  readonly after: NativeState;
  readonly message: EventMessage | null;
}

/** A state that failed to open, in words for people. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
}

export interface Session {
  readonly state: ReadonlySignal<NativeState | null>;
  readonly seat: ReadonlySignal<PlayerId | null>;
  readonly link: ReadonlySignal<LinkStatus>;
  readonly trouble: ReadonlySignal<Trouble | null>;
  /** The match turn by turn as far as this page knows it. */
  readonly frames: ReadonlySignal<Frames>;
  /** The code of the room in which this match goes on. */
  readonly next: ReadonlySignal<string | null>;
  onChange(listener: (change: Change) => void): () => void;
  /** Fetches what `frames` lacks: turns before this page came, reasoning. Rejects with ApiError. */
  recall(): Promise<void>;
  /** Whether `recall` has brought what became known at the end: everybody's reasoning. */
  readonly told: ReadonlySignal<boolean>;
  move(command: string): Promise<MoveAnswer>;
  resign(): Promise<{ ok: boolean; message?: string }>;
  rematch(): Promise<{ ok: boolean; message?: string }>;
  retryNow(): void;
  close(): void;
}

const NO_ANSWER = {
  ok: false,
  code: "unavailable",
  message: "There is no connection to the server right now.",
} as const;

export interface Address {
  readonly code?: string;
  readonly matchId?: string;
  /** Never take a seat. */
  readonly watch: boolean;
}

/** Opens a match by room code or id and follows it until `close`. */
export function openSession(address: Address): Session {
  const state = signal<NativeState | null>(null);
  const seat = signal<PlayerId | null>(null);
  const status = signal<LinkStatus>("connecting");
  const trouble = signal<Trouble | null>(null);
  const frames = signal<Frames>(new Map());
  const told = signal(false);
  const next = signal<string | null>(null);
  const listeners = new Set<(change: Change) => void>();
  let link: Link | null = null;
  let token: string | null = null;
  let recalling: Promise<void> | null = null;
  let closed = false;

  function set(change: Change): void {
    noteServerTime(change.after.meta.server_time_ms);
    batch(() => {
      state.value = change.after;
      frames.value = withState(frames.value, change.after, change.message);
    });
    for (const listener of listeners) listener(change);
  }

  // Several events within one frame are drawn once: the first at once, the others with the next frame.
  let drawn = false;
  const waiting: EventMessage[] = [];

  function hear(message: EventMessage): void {
    if (drawn) {
      waiting.push(message);
      return;
    }
    drawn = true;
    withNextFrame(() => {
      drawn = false;
      catchUp();
    });
    follow(message);
  }

  function catchUp(): void {
    if (closed || waiting.length === 0) return;
    batch(() => {
      for (const message of waiting.splice(0)) follow(message);
    });
  }

  function follow(message: EventMessage): void {
    const before = state.value;
    if (before === null || message.version < before.meta.version) return;
    const fits = message.version === before.meta.version + 1 || isEndOf(before, message);
    if (message.version === before.meta.version && !fits) return;
    if (!fits) {
      void link?.sync(); // A gap: ask for what is missing.
      return;
    }
    set({ before, after: advance(before, message, seat.value), message });
  }

  function synced(answer: SyncAnswer): void {
    catchUp();
    switch (answer.kind) {
      case "current":
        return;
      case "events":
        for (const message of answer.events) follow(message);
        if (state.value) state.value = withPresence(state.value, answer.presence);
        return;
      case "state":
        set({ before: null, after: answer.state, message: null });
        return;
    }
  }

  function start(code: string, seatToken: string | null): void {
    link = connect(code, seatToken === null ? { watch: true, code } : { seatToken }, {
      version: () => state.value?.meta.version ?? 0,
      status: (now) => {
        status.value = now;
      },
      event: hear,
      presence: (message) => {
        if (state.value) state.value = withPresence(state.value, message);
      },
      synced,
      rematch: (message) => {
        if (message.match_id === state.value?.meta.match_id) return;
        if ("seat_token" in message) saveSeat(message);
        next.value = message.code;
      },
    });
  }

  async function open(): Promise<void> {
    try {
      const found = await locate(address);
      if (closed) return;
      seat.value = found.seat;
      token = found.seatToken;
      set({ before: null, after: found.state, message: null });
      if (found.code === null) status.value = "closed";
      else start(found.code, found.seatToken);
    } catch (error) {
      if (closed) return;
      status.value = "closed";
      trouble.value =
        error instanceof ApiError
          ? { code: error.code, message: error.message }
          : { code: "internal", message: "Something went wrong on this page. Reload it to try again." };
      if (!(error instanceof ApiError)) throw error;
    }
  }

  async function recall(): Promise<void> {
    const now = state.value;
    if (now === null || now.meta.phase === "waiting") return;
    const text = await patiently(() => matchRecord(now.meta.match_id, token, now.meta.room_code));
    frames.value = merged(framesOfRecord(text, state.value ?? now), frames.value);
    told.value = now.meta.phase === "over";
  }

  void open();
  return {
    state,
    seat,
    link: status,
    trouble,
    frames,
    told,
    next,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recall() {
      recalling ??= recall().finally(() => {
        recalling = null;
      });
      return recalling;
    },
    async move(command) {
      const now = state.value;
      if (link === null || now === null) return NO_ANSWER;
      return link.move(now.meta.turn, command);
    },
    resign: async () => (await link?.resign()) ?? NO_ANSWER,
    rematch: async () => (await link?.rematch()) ?? NO_ANSWER,
    retryNow: () => link?.retryNow(),
    close() {
      closed = true;
      link?.close();
      listeners.clear();
    },
  };
}

const ATTEMPTS = 3;
const LONGEST_WAIT_S = 5;

/** Asks again when the server says that it can answer shortly: a record is sealed a little after the end. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const wait = error instanceof ApiError ? error.retryAfterS : null;
      if (wait === null || wait > LONGEST_WAIT_S || attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    }
  }
}

/** A page in the background has no frames. */
const FRAME_AT_MOST_MS = 250;

/** Calls `act` once, with the page's next frame. */
function withNextFrame(act: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    act();
  };
  const timer = setTimeout(once, FRAME_AT_MOST_MS);
  const frame = requestAnimationFrame(once);
}

/** The end is told by a message of type `over` with the version of the entry that ended it. */
function isEndOf(state: NativeState, message: EventMessage): boolean {
  return message.type === "over" && message.version === state.meta.version && message.final !== undefined;
}

interface Found {
  /** Null when no room holds the match any more. */
  readonly code: string | null;
  readonly state: NativeState;
  readonly seat: PlayerId | null;
  readonly seatToken: string | null;
}

/** Our seat when we have one; a free seat when the room waits and we may take one; else a spectator's place. */
async function locate({ code, matchId, watch }: Address): Promise<Found> {
  const own = ownSeat(code ?? matchId ?? "");
  if (own !== null) {
    try {
      const state = await matchState(own.match_id, own.seat_token, own.code);
      return { code: own.code, state, seat: own.seat, seatToken: own.seat_token };
    } catch (error) {
      // The seat was left or the server is another one: go on as a stranger.
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error;
      forgetSeat(own.match_id);
    }
  }
  if (code === undefined) {
    const state = await matchState(matchId ?? "", null);
    return { code: state.meta.phase === "over" ? null : state.meta.room_code, state, seat: null, seatToken: null };
  }
  const info = await roomInfo(code);
  const free = info.phase === "waiting" && info.seats.some((s) => !s.taken && s.kind !== "ai");
  if (free && !watch) {
    try {
      const joined = await joinRoom(code);
      return { code, state: joined.state, seat: joined.seat, seatToken: joined.seat_token };
    } catch (error) {
      if (!(error instanceof ApiError) || !["room_full", "seat_taken", "match_already_started"].includes(error.code)) {
        throw error;
      }
    }
  }
  return { code, state: await matchState(info.match_id, null, code), seat: null, seatToken: null };
}
