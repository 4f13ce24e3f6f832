/** The floor: bare `ws` that sends ready-made bytes, of the same sizes, to the sockets of a room. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { answerFrame, duel, eventFrame } from "../script.ts";
import { serveParent } from "./child.ts";

const turns = duel(Number(process.env.LEVEL ?? 2));
const frames = turns.map(({ event }, turn) => ({ event: eventFrame(event), answer: answerFrame(turn) }));

class EchoRoom {
  readonly sockets = new Set<WebSocket>();
  #turn = 0;
  move(from: WebSocket): void {
    const frame = frames[this.#turn++ % frames.length];
    if (frame === undefined) return;
    for (const socket of this.sockets) socket.send(frame.event, BINARY);
    from.send(frame.answer, BINARY);
  }
}

const BINARY = { binary: true };
const rooms = new Map<string, EchoRoom>();
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket, request) => {
  const room = rooms.get((request.url ?? "/").slice(1));
  if (room === undefined) return socket.close();
  room.sockets.add(socket);
  socket.on("message", () => room.move(socket));
  socket.on("close", () => room.sockets.delete(socket));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
  async rooms(count) {
    const keys = Array.from({ length: count }, () => `room-${rooms.size}-${Math.random().toString(36).slice(2)}`);
    for (const key of keys) rooms.set(key, new EchoRoom());
    return keys;
  },
  stop: async () => sockets.close(),
});
