/**
 * The baseline: a bare Colyseus room that echoes. It has no state, no rules, no log; for a move it broadcasts what the
 * server would and answers. Its patch timer is off, as ours is, so that nothing is held against it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LocalDriver, LocalPresence, matchMaker, Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { duel, moveAnswer } from "../script.ts";
import { serveParent } from "./child.ts";

const turns = duel(Number(process.env.LEVEL ?? 2));

class EchoRoom extends Room {
  override autoDispose = false;
  override patchRate = null;
  override onCreate(): void {
    this.onMessage("move", (_client, { turn }: { turn: number }) => {
      this.broadcast("event", turns[turn % turns.length]?.event);
      return moveAnswer(turn + 4);
    });
  }
}

const server = createServer();
const colyseus = new Server({
  transport: new WebSocketTransport({ server }),
  presence: new LocalPresence(),
  driver: new LocalDriver(),
  gracefullyShutdown: false,
  greet: false,
});
colyseus.define("echo", EchoRoom);
await colyseus.listen(0, "127.0.0.1");

serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
  async rooms(count) {
    const keys: string[] = [];
    for (let i = 0; i < count; i++) keys.push((await matchMaker.createRoom("echo", {})).roomId);
    return keys;
  },
  stop: () => colyseus.gracefullyShutdown(false),
});
