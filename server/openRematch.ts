/** The room of a rematch (PROTOCOL 2): opened with the players of the match before in it. */
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { RematchOpened, RematchPlan, RematchPlayer } from "../rooms/rematch.ts";
import type { PlayerId } from "../shared/engine/index.ts";
import { type Answer, RefusalError } from "../shared/protocol/codes.ts";
import type { SeatMessage } from "../shared/protocol/messages.ts";
import type { MatchPlan } from "./create.ts";
import type { RoomGateway } from "./gateway.ts";
import type { Limits } from "./limits.ts";

/** Throws RefusalError when it cannot be opened, or too many were in this row. */
export async function openRematch(
  { of, seats, players }: RematchPlan,
  gateway: Pick<RoomGateway, "open">,
  limits: Pick<Limits, "take">,
): Promise<RematchOpened> {
  const { kind, options, preset, engine } = of;
  const { format, level } = engine;
  const tooMany = await limits.take("rematch", "", of.host ?? of.id);
  if (tooMany) throw new RefusalError(tooMany);
  const plan: MatchPlan = { format, level, kind, options, seats, preset, rematch_of: of.id };
  const told = new Map<PlayerId, SeatMessage>();
  const opened = await gateway.open(plan, {
    host: of.host,
    seat: async (room) => {
      for (const player of players) {
        const seated = await seatPlayer(room, player);
        if (!seated.ok) return seated;
        told.set(player.was, seated.message);
      }
      return null;
    },
  });
  if (!opened.ok) throw new RefusalError(opened);
  const { holder } = opened;
  const seatLate = async (player: RematchPlayer) => {
    const seated = await seatPlayer(holder, player);
    return seated.ok ? seated.message : null;
  };
  return { code: holder.code, match_id: holder.id, seats: told, seatLate };
}

/** Seats a player of the match before. */
async function seatPlayer(
  room: MatchHolder,
  { was: _, ...player }: RematchPlayer,
): Promise<Answer<{ readonly message: SeatMessage }>> {
  const joined = await room.join({ ...player, model: player.model ?? undefined });
  if (!joined.ok) return joined;
  const { seat, seat_token } = joined;
  return { ok: true, message: { code: room.code, match_id: room.id, seat, seat_token } };
}
