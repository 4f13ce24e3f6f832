/**
 * The room of a rematch (PROTOCOL 2): opened with the players of the match before in it. When a process died between
 * opening it and telling of it, the next one finds it: of one match there is one rematch.
 */
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { SeatTokens } from "../rooms/ports.ts";
import type { RematchOpened, RematchPlan, RematchPlayer } from "../rooms/rematch.ts";
import type { PlayerId } from "../shared/engine/index.ts";
import { type Answer, RefusalError } from "../shared/protocol/codes.ts";
import type { MatchId } from "../shared/protocol/ids.ts";
import { foldLog, type LiveMatch, seatOf } from "../shared/protocol/match.ts";
import type { SeatMessage } from "../shared/protocol/messages.ts";
import type { MatchPlan } from "./create.ts";
import type { RoomGateway } from "./gateway.ts";
import type { Limits } from "./limits.ts";
import type { MatchStore } from "./store/MatchStore.ts";

/** Throws RefusalError when it cannot be opened, or too many were in this row. */
export async function openRematch(
  { of, seats, players }: RematchPlan,
  gateway: Pick<RoomGateway, "open" | "rematchOf">,
  limits: Pick<Limits, "take">,
): Promise<RematchOpened> {
  const earlier = await gateway.rematchOf(of.id);
  if (earlier !== null) return joinEarlier(earlier, players);
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

/** A rematch that is there already. */
export interface EarlierRematch {
  readonly match: LiveMatch;
  /** Null when another process holds it: then only those who sit there already have a seat in it. */
  readonly holder: MatchHolder | null;
  tokenFor(seat: PlayerId): string;
}

/** Null when there is none that is still open. Rejects with StoreUnavailable. */
export async function earlierRematch(
  of: MatchId,
  held: readonly MatchHolder[],
  { log, tokens }: { readonly log: Pick<MatchStore, "read" | "rematchOf">; readonly tokens: SeatTokens },
): Promise<EarlierRematch | null> {
  const here = held.find(({ match }) => match.rematch_of === of && !match.closed);
  if (here !== undefined) return { match: here.match, holder: here, tokenFor: (seat) => here.tokenFor(seat) };
  const id = await log.rematchOf(of);
  const entries = id === null ? null : await log.read(id);
  if (entries === null) return null;
  const match = foldLog(entries);
  if (match.closed) return null;
  const tokenFor = (seat: PlayerId) =>
    tokens.issue({ match_id: match.id, seat, generation: seatOf(match, seat).generation });
  return { match, holder: null, tokenFor };
}

async function joinEarlier(earlier: EarlierRematch, players: readonly RematchPlayer[]): Promise<RematchOpened> {
  const { match, holder, tokenFor } = earlier;
  const { code, id: match_id } = match;
  const seatLate = async (player: RematchPlayer): Promise<SeatMessage | null> => {
    const own = match.seats.find(({ taken, identity }) => taken && identity === player.identity);
    if (own !== undefined) return { code, match_id, seat: own.seat, seat_token: tokenFor(own.seat) };
    const seated = holder === null ? null : await seatPlayer(holder, player);
    return seated?.ok ? seated.message : null;
  };
  const seats = new Map<PlayerId, SeatMessage>();
  for (const player of players) {
    const told = await seatLate(player);
    if (told !== null) seats.set(player.was, told);
  }
  return { code, match_id, seats, seatLate };
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
