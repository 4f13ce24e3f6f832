/**
 * `game_player_id`: which seat of which match, and whose. It is public and opens nothing; the bearer must be the
 * identity that it was made for (PROTOCOL 6). Nothing is stored for it.
 */
import { createHash } from "node:crypto";
import type { PlayerId } from "../../shared/engine/index.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { type IdentityId, type MatchId, parseMatchId } from "../../shared/protocol/ids.ts";
import { playerSchema } from "../../shared/protocol/requests.ts";

export interface GamePlayer {
  readonly matchId: MatchId;
  readonly seat: PlayerId;
}

const SHAPE = /^([0-9a-f-]{36})-(P[1-4])-([0-9a-f]{16})$/;

export function gamePlayerId({ matchId, seat }: GamePlayer, identity: IdentityId): string {
  return `${matchId}-${seat}-${mark({ matchId, seat }, identity)}`;
}

/** Throws `not_found` when it is none, `forbidden` when it is another's. */
export function readGamePlayerId(text: string, identity: IdentityId): GamePlayer {
  const [, id = "", seat, given] = SHAPE.exec(text) ?? [];
  const matchId = parseMatchId(id);
  const player = playerSchema.safeParse(seat);
  if (matchId === null || !player.success)
    throw new RefusalError(refuse("not_found", "There is no such game_player_id."));
  const read = { matchId, seat: player.data };
  if (given !== mark(read, identity)) throw new RefusalError(refuse("forbidden", "This game_player_id is another's."));
  return read;
}

function mark({ matchId, seat }: GamePlayer, identity: IdentityId): string {
  return createHash("sha256").update(`${matchId} ${seat} ${identity}`).digest("hex").slice(0, 16);
}
