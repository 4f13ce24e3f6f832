/** Which game a call of the classic door means (PROTOCOL 6): the one it names, or the agent's one running game. */
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { MatchService, SeatRow } from "../service/MatchService.ts";
import type { Agent } from "./agent.ts";

/** Games that one agent may have running. */
export const MAX_RUNNING = 4;

/** The agent's Solo games, the newest first. */
export async function gamesOf(service: MatchService, { caller, name }: Agent): Promise<readonly SeatRow[]> {
  const found = await service.seats(caller);
  if (!found.ok) throw new RefusalError(found);
  return found.seats.filter((row) => row.format === "solo" && (name === null || row.name === name));
}

/** The match id of the game that is meant. Throws `ambiguous_game` when it may be two, `not_found` when there is none. */
export async function gameMeant(service: MatchService, agent: Agent, gameId: string | undefined): Promise<string> {
  if (gameId !== undefined) return gameId;
  const games = await gamesOf(service, agent);
  const running = games.filter(({ phase }) => phase !== "over");
  if (running.length > 1) {
    throw new RefusalError(refuse("ambiguous_game", "You have several games running: name one by game_id."));
  }
  const meant = running[0] ?? games[0];
  if (meant) return meant.match_id;
  throw new RefusalError(refuse("not_found", "You have no game; POST /start_game opens one."));
}
