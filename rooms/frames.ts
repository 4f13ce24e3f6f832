/**
 * What a socket may send into a room, before Colyseus reads it: not too large, not too much, and never a reason to
 * throw a player out (PROTOCOL 5). Left to itself Colyseus closes a socket for one malformed or unknown message, and
 * an exception while it reads a frame would end the process.
 */
import { type Client, CloseCode, getMessageBytes, Protocol, ResponseStatus } from "@colyseus/core";
import { decode } from "@colyseus/schema";
import { type Refusal, refuse } from "../shared/protocol/codes.ts";
import { MAX_FRAME_BYTES } from "../shared/protocol/requests.ts";
import type { Clock } from "./ports.ts";

export interface FloodLimits {
  /** Messages a second that are worked off; above, they are refused. */
  readonly perSecond: number;
  /** Messages a second at which the socket is closed. */
  readonly kickPerSecond: number;
}

type Verdict = "pass" | "refuse" | "kick";

/** Counts the messages of one socket, second by second. */
export class FloodGate {
  readonly #clock: Clock;
  readonly #limits: FloodLimits;
  #windowMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(clock: Clock, limits: FloodLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  next(): Verdict {
    const now = this.#clock.monotonicMs();
    if (now - this.#windowMs >= 1_000) {
      this.#windowMs = now;
      this.#count = 0;
    }
    this.#count++;
    if (this.#count > this.#limits.kickPerSecond) return "kick";
    return this.#count > this.#limits.perSecond ? "refuse" : "pass";
  }
}

/** Unread bytes at which a socket is cut: who asks and does not read would fill this process' memory. */
const MAX_BEHIND_BYTES = 4 * 1024 * 1024;

/** Cuts the socket of a client that is too far behind with reading. A close frame would wait behind the rest. */
export function cutWhenBehind(client: Client): boolean {
  const socket = client.ref as { readonly bufferedAmount?: number; terminate?(): void };
  if ((socket.bufferedAmount ?? 0) <= MAX_BEHIND_BYTES) return false;
  socket.terminate?.();
  return true;
}

export interface Gatekeeper {
  gateOf(client: Client): FloodGate;
  failed(error: unknown): void;
}

type OnMessage = (client: Client, buffer: Buffer) => void;

/** Wraps a room's frame handler (private in Colyseus' types) with the rules of this file. */
export function guardFrames(room: object, keeper: Gatekeeper): void {
  const inner = room as { _onMessage: OnMessage };
  const original = inner._onMessage.bind(room);
  inner._onMessage = (client, buffer) => {
    try {
      if (admits(client, buffer, keeper.gateOf(client))) original(client, buffer);
    } catch (error) {
      keeper.failed(error);
      answer(client, buffer, refuse("bad_request", "This message cannot be read."));
    }
  };
}

function admits(client: Client, buffer: Buffer, gate: FloodGate): boolean {
  if (cutWhenBehind(client)) return false;
  const code = codeOf(buffer);
  if (code !== Protocol.ROOM_REQUEST && code !== Protocol.ROOM_DATA && code !== Protocol.ROOM_DATA_BYTES) {
    // Joining, pinging and leaving are Colyseus' own; what it does not know it drops. They count all the same.
    if (gate.next() !== "kick") return true;
    client.leave(CloseCode.WITH_ERROR, "flood");
    return false;
  }
  switch (gate.next()) {
    case "kick":
      client.leave(CloseCode.WITH_ERROR, "flood");
      return false;
    case "refuse":
      answer(client, buffer, refuse("rate_limited", "Too many messages; slow down.", 1));
      return false;
    case "pass":
  }
  if (buffer.byteLength > MAX_FRAME_BYTES) {
    answer(client, buffer, refuse("too_large", `A message has at most ${MAX_FRAME_BYTES} bytes.`));
    return false;
  }
  if (code !== Protocol.ROOM_REQUEST) {
    answer(client, buffer, refuse("bad_request", "Ask with request(); a message that is only sent has no answer."));
    return false;
  }
  return true;
}

/** Answers a request by its number, anything else with a message `refused`. */
function answer(client: Client, buffer: Buffer, refusal: Refusal): void {
  if (codeOf(buffer) === Protocol.ROOM_REQUEST) {
    const id = decode.number(buffer, { offset: 1 });
    if (Number.isFinite(id)) {
      client.enqueueRaw(getMessageBytes[Protocol.ROOM_RESPONSE](id, ResponseStatus.OK, refusal));
      return;
    }
  }
  client.send("refused", refusal);
}

/** The low five bits are the code, the others modify it. */
function codeOf(buffer: Buffer): number {
  return (buffer[0] ?? 0) & 0x1f;
}
