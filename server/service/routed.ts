/** The service over many processes: a call goes to the one that holds its match, taking it up where nobody living does. */
import type { Peers } from "../cluster/peers.ts";
import type { Notice } from "../follow.ts";
import type { RoomGateway } from "../gateway.ts";
import { mergedRooms, type RoomList } from "../summary.ts";
import type { MatchService, SeatRow } from "./MatchService.ts";
import { type MatchCalls, remoteService } from "./remote.ts";

/** `local` for what is here; without `peers` everything is. */
export function routedService(
  local: MatchService,
  gateway: Pick<RoomGateway, "locate">,
  peers: Pick<Peers, "ask" | "call" | "follow"> | null,
): MatchService {
  if (peers === null) return local;
  /** Calls `work` with the service of the process that holds `key` (a match id or a typed room code). */
  const at = async <T>(key: string, work: (service: MatchCalls) => Promise<T>) => {
    const found = await gateway.locate(key);
    if (!found.ok) return found;
    return work(found.address === null ? local : remoteService(peers, found.address));
  };
  return {
    create: (caller, request) => local.create(caller, request),
    async seats(caller) {
      const here = await local.seats(caller);
      if (!here.ok) return here;
      const there = await peers.ask<{ seats: SeatRow[] }>("/api/v1/seats", caller);
      const all = [...here.seats, ...there.flatMap((list) => list?.seats ?? [])];
      return { ok: true, seats: all.sort((a, b) => b.created_at_ms - a.created_at_ms) };
    },
    followSeats(caller, tell) {
      const here = local.followSeats(caller, tell);
      if (!here.ok) return here;
      const stop = peers.follow("/api/v1/stream", caller, (line) => tell(JSON.parse(line) as Notice));
      return {
        ok: true,
        stop() {
          here.stop();
          stop();
        },
      };
    },
    async rooms(status) {
      const path = `/api/v1/rooms${status === undefined ? "" : `?status=${status}`}`;
      const [here, there] = await Promise.all([local.rooms(status), peers.ask<RoomList>(path)]);
      return mergedRooms([here, ...there.filter((list) => list !== null)]);
    },
    room: (caller, code) => at(code, (service) => service.room(caller, code)),
    join: (caller, code, request) => at(code, (service) => service.join(caller, code, request)),
    leave: (caller, code) => at(code, (service) => service.leave(caller, code)),
    state: (caller, id, wait) => at(id, (service) => service.state(caller, id, wait)),
    legal: (caller, id) => at(id, (service) => service.legal(caller, id)),
    move: (caller, id, request, wait) => at(id, (service) => service.move(caller, id, request, wait)),
    resign: (caller, id) => at(id, (service) => service.resign(caller, id)),
    rematch: (caller, id) => at(id, (service) => service.rematch(caller, id)),
    record: (caller, id) => at(id, (service) => service.record(caller, id)),
    follow: (caller, id, follower) => at(id, (service) => service.follow(caller, id, follower)),
  };
}
