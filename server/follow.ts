/** All seats of an identity at once: what has started, where it is to move, what is over (PROTOCOL 6 and 7). */
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { PlayerId } from "../shared/engine/index.ts";
import type { IdentityId } from "../shared/protocol/ids.ts";
import type { NativeState } from "../shared/protocol/state.ts";
import type { RoomGateway } from "./gateway.ts";

export interface Notice {
  readonly type: "match_start" | "your_turn" | "match_over";
  readonly match_id: string;
  readonly code: string;
  readonly seat: PlayerId;
  readonly state: NativeState;
}

/** Tells what is current, then what happens, until the returned function is called. */
export function followIdentity(
  gateway: Pick<RoomGateway, "holders" | "onHeld">,
  identity: IdentityId,
  tell: (notice: Notice) => void,
): () => void {
  const stops = new Map<MatchHolder, () => void>();
  const follow = (holder: MatchHolder) => {
    if (stops.has(holder)) return;
    let started = false;
    let toldTurn = "";
    const look = () => {
      const { engine, id, code, seats } = holder.match;
      const seat = seats.find((s) => s.taken && s.identity === identity)?.seat;
      if (seat === undefined || engine.phase === "waiting") return;
      const say = (type: Notice["type"]) => tell({ type, match_id: id, code, seat, state: holder.view(seat) });
      if (!started && engine.phase === "playing") say("match_start");
      started = true;
      const turn = `${engine.turn} ${engine.currentPlayer}`;
      if (engine.currentPlayer === seat && turn !== toldTurn) say("your_turn");
      if (engine.phase === "over" && toldTurn !== "over") say("match_over");
      toldTurn = engine.phase === "over" ? "over" : turn;
    };
    const stop = holder.listen({ event: look, retired: () => void stops.delete(holder) });
    stops.set(holder, stop);
    look();
  };
  for (const holder of gateway.holders()) follow(holder);
  const stopHeld = gateway.onHeld(follow);
  return () => {
    stopHeld();
    for (const stop of stops.values()) stop();
    stops.clear();
  };
}
