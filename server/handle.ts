/** A match as the doors see it: held here, or long over and read from its log. */

import type { MatchListener, MoveAnswer, RematchAnswer, VersionAnswer } from "../rooms/contract.ts";
import { type LegalList, legalList } from "../rooms/legal.ts";
import type { MatchHolder } from "../rooms/MatchHolder.ts";
import type { SeatTokens } from "../rooms/ports.ts";
import { claimSeat } from "../rooms/seating.ts";
import { makeCommand, type PlayerId, parseCommand, step } from "../shared/engine/index.ts";
import { type Answer, refuse } from "../shared/protocol/codes.ts";
import type { LiveMatch } from "../shared/protocol/match.ts";
import type { MoveRequest } from "../shared/protocol/requests.ts";
import type { NativeState, Viewer } from "../shared/protocol/state.ts";
import { view } from "../shared/protocol/view.ts";

export interface MatchHandle {
  readonly match: LiveMatch;
  view(viewer: Viewer): NativeState;
  claim(token: string): Answer<{ readonly seat: PlayerId }>;
  called(seat: PlayerId): void;
  /** Something stays open for a seat (null: for a spectator); the returned function is to be called when it closes. */
  connect(viewer: Viewer): () => void;
  legal(viewer: Viewer): Answer<LegalList>;
  move(seat: PlayerId, request: MoveRequest): Promise<MoveAnswer>;
  resign(seat: PlayerId): Promise<VersionAnswer>;
  rematch(seat: PlayerId): Promise<RematchAnswer>;
  /** Null when nothing can happen any more. */
  listen(listener: MatchListener): (() => void) | null;
}

/** A match that is held in this process. */
export function heldHandle(holder: MatchHolder): MatchHandle {
  return {
    get match() {
      return holder.match;
    },
    view: (viewer) => holder.view(viewer),
    claim: (token) => holder.claim(token),
    called: (seat) => holder.called(seat),
    connect: (viewer) => holder.connect(viewer),
    legal: (viewer) => legalList(holder.match, viewer),
    move: (seat, request) => holder.move(seat, request),
    resign: (seat) => holder.resign(seat),
    rematch: (seat) => holder.rematch(seat),
    listen: (listener) => holder.listen(listener),
  };
}

/** A match that is over and has no room any more; it keeps answering (PROTOCOL 2). */
export function archivedHandle(match: LiveMatch, tokens: SeatTokens, now: () => number): MatchHandle {
  const over = refuse("match_over", "This match is over and its room is gone.");
  return {
    match,
    view: (viewer) => view(match, viewer, { now: now(), deadline: null, connected: new Set(), spectators: 0 }),
    claim: (token) => claimSeat(match, tokens, token),
    called: () => {},
    connect: () => () => {},
    legal: (viewer) => legalList(match, viewer),
    async move(seat, { command, turn }) {
      const { version, engine } = match;
      const last = match.last_moves[seat];
      const parsed = parseCommand(command, engine);
      if (last && turn === last.turn && parsed.ok && makeCommand(parsed.value) === last.command) {
        return { ok: true, version, repeated: true, events: [] };
      }
      const result = step(engine, { type: "command", player: seat, command, ...(turn === undefined ? {} : { turn }) });
      return { version, ...(result.ok ? over : refuse(result.code, result.message)) };
    },
    resign: async () => over,
    rematch: async () => over,
    listen: () => null,
  };
}
