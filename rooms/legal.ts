/** The list of legal commands a player is given (PROTOCOL 6), made of the factors of R4.6. */
import { type LegalFactors, legalFactors, legalFactorsFor, type PlayerId } from "../shared/engine/index.ts";
import { type Answer, refuse } from "../shared/protocol/codes.ts";
import type { LiveMatch } from "../shared/protocol/match.ts";

/** Above this many commands only the simple ones are listed. */
export const MAX_LISTED = 5_000;

export type LegalList = LegalFactors & { readonly commands: readonly string[]; readonly truncated: boolean };

/** The legal commands of `viewer` as if it were their turn; for a spectator (null) those of the player to move. */
export function legalList(match: LiveMatch, viewer: PlayerId | null): Answer<LegalList> {
  const { engine } = match;
  if (!match.options.legal_list) return refuse("legal_off", "This room gives no list of legal moves.");
  if (engine.phase === "waiting") return refuse("match_not_started", "The match has not started.");
  if (engine.phase === "over") return refuse("match_over", "The match is over.");
  const factors = viewer === null ? legalFactors(engine) : legalFactorsFor(engine, viewer);
  if (factors === null) return refuse("player_out", `${viewer} is out.`);
  return { ok: true, ...factors, ...listed(factors) };
}

function listed(factors: LegalFactors): { commands: string[]; truncated: boolean } {
  const commands: string[] = [];
  if (factors.stage === "placement") {
    for (const tile of factors.tiles) {
      for (const type of factors.types) {
        for (const b of [0, 1, 2, 3]) commands.push(`${type}@${tile}(b=${b})+90`, `${type}@${tile}(b=${b})-90`);
      }
    }
    return { commands, truncated: false };
  }
  const simple = factors.tiles.flatMap((tile) => [`G@${tile}+90`, `G@${tile}-90`]);
  if (factors.count > MAX_LISTED) return { commands: simple, truncated: true };
  commands.push(...simple);
  for (const tile of factors.tiles) {
    for (const b of [0, 1, 2, 3]) for (const turn of simple) commands.push(`G@${tile}:b=${b} ; ${turn}`);
  }
  return { commands, truncated: false };
}
