/**
 * Frames that a socket is sent in one round of the event loop go out in one write: an event, the mirror's patch and the
 * answer to the mover are one call of the system instead of three, which is most of what a move costs.
 */
import type { Client } from "@colyseus/core";

/** What of a TCP socket is needed. `ws` keeps it under this name. */
interface Corkable {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
}

const held: Corkable[] = [];

/** Holds back what `client` is sent from here on until the promises that are settled now have run. */
export function sendTogether(client: Client): void {
  const socket = (client.ref as { readonly _socket?: Corkable | null })._socket;
  if (!socket || socket.writableCorked > 0) return;
  socket.cork();
  // A tick that is asked for by a promise comes after all promises that are due.
  if (held.push(socket) === 1) process.nextTick(release);
}

function release(): void {
  for (const socket of held.splice(0)) socket.uncork();
}
