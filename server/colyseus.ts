/** Colyseus in this process: its rooms, its sockets, and the only matchmaking there is, `joinById`. */
import type { Server as HttpServer, IncomingMessage } from "node:http";
import { CloseCode, LocalDriver, LocalPresence, matchMaker, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { v7 as uuidV7 } from "uuid";
import type { FloodLimits } from "../rooms/frames.ts";
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import { ArenaRoom, type MatchRoomOptions, SoloRoom } from "../rooms/MatchRoom.ts";
import type { Clock } from "../rooms/ports.ts";
import { RefusalError, refuse } from "../shared/protocol/codes.ts";
import type { IdentityId } from "../shared/protocol/ids.ts";
import { MAX_BODY_BYTES } from "../shared/protocol/requests.ts";
import { consoleLike, type Logs } from "./reporter.ts";
import type { CommandTimer } from "./service/doors.ts";

/** What the client's SDK takes to open its socket. */
export type SeatReservation = Awaited<ReturnType<typeof matchMaker.joinById>>;

export interface Colyseus {
  /** Reserves a connection (never a seat) in the room of a match. Rejects when the match is let go of. */
  reserve(holder: MatchHolder, options: object): Promise<SeatReservation>;
  /** Closes all sockets with 4001, which clients answer by coming back (PROTOCOL 5), and all rooms. */
  shutdown(): Promise<void>;
}

/** A socket's path: `/<process>/<room code>`. */
const SOCKET_PATH = /^\/[\w-]{1,64}\/IXENT-[A-Z2-9]{6}(\?|$)/;

export function isRoomSocket(req: IncomingMessage): boolean {
  return SOCKET_PATH.test(req.url ?? "");
}

/**
 * Boots Colyseus on `sockets`, a server that never listens itself and is handed the upgrades of the public one.
 * Colyseus' own HTTP routes are not mounted: they would let anybody create rooms.
 */
export async function bootColyseus(options: {
  readonly sockets: HttpServer;
  readonly clock: Clock;
  readonly logs: Logs;
  readonly flood: FloodLimits;
  readonly timed: CommandTimer;
}): Promise<Colyseus> {
  const { sockets, clock, logs, flood } = options;
  const timed = () => options.timed("colyseus");
  // Frames above the protocol's own limit are answered (rooms/frames.ts); only what no answer is worth is cut here.
  const transport = new WebSocketTransport({ noServer: true, maxPayload: MAX_BODY_BYTES });
  transport.attachToServer(sockets, { filter: isRoomSocket });
  const server = new Server({
    transport,
    presence: new LocalPresence(),
    driver: new LocalDriver(),
    gracefullyShutdown: false,
    greet: false,
    logger: consoleLike(logs.logger),
  });
  server.define("solo", SoloRoom);
  server.define("arena", ArenaRoom);
  await matchMaker.accept();

  const rooms = new WeakMap<MatchHolder, Promise<void>>();
  async function open(holder: MatchHolder): Promise<void> {
    const { code, match } = holder;
    const room: MatchRoomOptions = {
      ...{ holder, clock, report: logs, flood, timed },
      newGuest: () => uuidV7() as IdentityId,
    };
    if (matchMaker.getLocalRoomById(code)) throw new Error(`the room ${code} is here already`);
    // A process that died may have left a listing under this code; joining it would hang.
    await matchMaker.driver.remove(code);
    const name = match.engine.format === "solo" ? "solo" : "arena";
    const listing = await matchMaker.handleCreateRoom(name, room, undefined, code);
    if (listing.roomId !== code || listing.processId !== matchMaker.processId) {
      throw new Error(`the room ${code} exists already`);
    }
    if (holder.retired) {
      await matchMaker.getLocalRoomById(code)?.disconnect(CloseCode.SERVER_SHUTDOWN);
      throw new RefusalError(refuse("unavailable", "This match is being handed over; try again.", 1));
    }
  }

  return {
    async reserve(holder, joinOptions) {
      // A room takes as much memory as its match, and most doors need none: it opens for its first socket.
      let room = rooms.get(holder);
      if (room === undefined) {
        room = open(holder);
        rooms.set(holder, room);
        room.catch(() => rooms.delete(holder));
      }
      await room;
      return matchMaker.joinById(holder.code, joinOptions);
    },
    async shutdown() {
      await Promise.all(matchMaker.disconnectAll(CloseCode.SERVER_SHUTDOWN));
      await server.gracefullyShutdown(false);
    },
  };
}
