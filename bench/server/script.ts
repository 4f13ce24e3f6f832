/** One duel that every room of every benchmark plays: the same commands, and the same messages for the baselines. */
import { getMessageBytes, Protocol, ResponseStatus } from "@colyseus/core";
import { eventMessages } from "../../rooms/messages.ts";
import { createRng, decodeMove, makeCommand, positionOf, randomMove, step } from "../../shared/engine/index.ts";
import { applyEntry, type LiveMatch, openMatch } from "../../shared/protocol/match.ts";
import type { EventMessage } from "../../shared/protocol/messages.ts";
import { createdEntry, lobbyEntries, SEED } from "../../test/support/logs.ts";

export interface Turn {
  readonly command: string;
  /** 0: P1, 1: P2. */
  readonly mover: 0 | 1;
  /** What the room broadcasts of it. */
  readonly event: EventMessage;
}

/** Numbers of the size of real ones: an average game is told in as many bytes by the baselines as by the server. */
const NOW = 1_764_504_000_000;

/** A random duel of a level without its last turn, so that it never ends. Arena has no chance in it (R7.3). */
export function duel(level: number): readonly Turn[] {
  const created = createdEntry({ format: "1v1", level, seed: SEED });
  let match: LiveMatch = openMatch(created);
  for (const entry of lobbyEntries(created)) match = applyEntry(match, entry).match;
  const rng = createRng(SEED);
  const turns: Turn[] = [];
  while (match.engine.currentPlayer !== null) {
    const player = match.engine.currentPlayer;
    const position = positionOf(match.engine, SEED);
    const command = makeCommand(decodeMove(position, randomMove(position, rng)));
    const checked = step(match.engine, { type: "command", player, command });
    if (!checked.ok) throw new Error(checked.message);
    const before = match;
    const applied = applyEntry(before, { type: "turn", player, command, at_ms: NOW, elapsed_ms: 10 });
    match = applied.match;
    const around = { now: NOW, deadline: NOW + 600_000, connected: new Set(["P1", "P2"] as const), spectators: 0 };
    const [event] = eventMessages(before, applied, around);
    if (event === undefined) throw new Error("a turn without an event");
    turns.push({ command, mover: player === "P1" ? 0 : 1, event });
  }
  turns.pop();
  return turns;
}

/** The frame that asks for a move, as Colyseus' client makes it. Requests are numbered by their turn, below 128. */
export function requestFrame(turn: number, command: string): Buffer {
  const message = getMessageBytes.raw(Protocol.ROOM_DATA, "move", { turn, command });
  return Buffer.concat([Buffer.from([Protocol.ROOM_REQUEST, turn & 0x7f]), message.subarray(1)]);
}

export function eventFrame(event: EventMessage): Buffer {
  return getMessageBytes.raw(Protocol.ROOM_DATA, "event", event);
}

/** What the server answers to an accepted move. */
export function moveAnswer(version: number) {
  return { version, ok: true };
}

export function answerFrame(turn: number): Buffer {
  return getMessageBytes[Protocol.ROOM_RESPONSE](turn & 0x7f, ResponseStatus.OK, moveAnswer(turn + 4));
}
