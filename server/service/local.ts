/** The service for matches that are held in this process, or over. */
import { seatWhileHeld } from "../../rooms/seating.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import { advance, withPresence } from "../../shared/protocol/advance.ts";
import { type Answer, RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { IdentityId } from "../../shared/protocol/ids.ts";
import type { LiveMatch } from "../../shared/protocol/match.ts";
import type { CreateRoomRequest, MoveRequest } from "../../shared/protocol/requests.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Sessions } from "../accounts/sessions.ts";
import { followIdentity } from "../follow.ts";
import type { RoomGateway } from "../gateway.ts";
import type { MatchHandle } from "../handle.ts";
import type { Limits } from "../limits.ts";
import { partialRecords } from "../partialRecords.ts";
import type { MatchStore } from "../store/MatchStore.ts";
import { publicRooms, roomInfo } from "../summary.ts";
import type { Identity, Tokens } from "../tokens.ts";
import { type CommandTimer, untimed } from "./doors.ts";
import type { Caller, Follower, MatchService, SeatRow, ShortState } from "./MatchService.ts";
import { untilTurn } from "./wait.ts";

const HISTORY_TAIL = 5;

export interface LocalPorts {
  readonly gateway: RoomGateway;
  readonly tokens: Pick<Tokens, "verifyIdentity">;
  readonly limits: Pick<Limits, "take">;
  readonly sessions: Pick<Sessions, "redeem">;
  readonly store: Pick<MatchStore, "read" | "record">;
  /** Left out: nobody counts. */
  readonly timed?: CommandTimer;
}

export function localService(ports: LocalPorts): MatchService {
  const { gateway, tokens, limits, sessions, store, timed = untimed } = ports;
  const partial = partialRecords(store);
  const identified = (caller: Caller): Answer<{ readonly identity: Identity }> => {
    const identity = caller.token === null ? null : tokens.verifyIdentity(caller.token);
    if (identity !== null) return { ok: true, identity };
    return refuse("unauthorized", "This needs an identity token: POST /api/v1/identities {name} gives one.");
  };

  const seated = async (
    caller: Caller,
    matchId: string,
  ): Promise<Answer<{ readonly handle: MatchHandle; readonly seat: PlayerId }>> => {
    const entered = await enter(caller, matchId);
    if (!entered.ok) return entered;
    const { handle, seat } = entered;
    if (seat !== null) return { ok: true, handle, seat };
    if (caller.token === null) return refuse("unauthorized", "This needs the token of a seat in this match.");
    return refuse("forbidden", "You have no seat in this match.");
  };

  /** A code that is not there counts as a guess. */
  const roomOf = async (caller: Caller, code: string) => {
    const room = await gateway.room(code);
    if (room.ok || room.code !== "not_found") return room;
    return (await limits.take("miss", caller.address)) ?? room;
  };

  /** So does a code that does not open a private match. */
  const enter = async (caller: Caller, matchId: string) => {
    const entered = await gateway.enter(matchId, caller);
    if (entered.ok || entered.code !== "not_found" || caller.code === null) return entered;
    return (await limits.take("miss", caller.address)) ?? entered;
  };

  const createWithSession = async (identity: Identity, request: CreateRoomRequest, id: string) => {
    const redeemed = await sessions.redeem(id);
    if (!redeemed.ok) return redeemed;
    const { session, played, release } = redeemed;
    const { mode, format, level, model, prompt_hash } = session;
    if (!("format" in request) || request.format !== format || request.level !== level) {
      await release();
      return refuse("bad_options", `This session is for ${format}, level ${level}.`);
    }
    const created = await gateway.create(identity, { ...request, kind: mode }, { id, mode, model, prompt_hash });
    if (!created.ok) await release();
    // Whoever has lost the answer finds the match by it. The match is there whether this can be noted or not.
    else await played({ match_id: created.match_id, identity: identity.id }).catch(() => {});
    return created;
  };

  const submit = async (caller: Caller, matchId: string, request: MoveRequest) => {
    const entered = await seated(caller, matchId);
    if (!entered.ok) return entered;
    const { handle, seat } = entered;
    const tooMany = await limits.take("move", caller.address, `${handle.match.id} ${seat}`);
    if (tooMany) return tooMany;
    return { ok: true as const, handle, seat, answer: await handle.move(seat, request) };
  };

  return {
    async create(caller, request) {
      const tooMany = await limits.take("create", caller.address);
      if (tooMany) return tooMany;
      const who = identified(caller);
      if (!who.ok) return who;
      const tooOften = await limits.take("create", caller.address, who.identity.id);
      if (tooOften) return tooOften;
      if (!("session" in request) || request.session === undefined) {
        const created = await gateway.create(who.identity, request);
        const guessed = !created.ok && created.code === "not_found" && request.room_code !== undefined;
        return (guessed ? await limits.take("miss", caller.address) : null) ?? created;
      }
      return createWithSession(who.identity, request, request.session);
    },

    rooms: async (status) => publicRooms(gateway.holders(), status),

    async room(caller, code) {
      const tooMany = await limits.take("join", caller.address);
      if (tooMany) return tooMany;
      const room = await roomOf(caller, code);
      return room.ok ? { ok: true, room: roomInfo(room.holder) } : room;
    },

    async join(caller, code, request) {
      const tooMany = await limits.take("join", caller.address);
      if (tooMany) return tooMany;
      const who = identified(caller);
      if (!who.ok) return who;
      const room = await roomOf(caller, code);
      if (!room.ok) return room;
      const crowd = await limits.take("joinRoom", caller.address, room.holder.code);
      return crowd ?? gateway.join(code, who.identity, request);
    },

    async leave(caller, code) {
      const room = await roomOf(caller, code);
      return room.ok ? gateway.leave(code, caller) : room;
    },

    async state(caller, matchId, wait) {
      const entered = wait ? await seated(caller, matchId) : await enter(caller, matchId);
      if (!entered.ok) return entered;
      const { handle, seat } = entered;
      const held = seatWhileHeld(handle.match, seat);
      const waited = wait && seat ? await untilTurn(handle, seat, wait) : { waiting: false };
      if (held(handle.match) !== seat) return refuse("unauthorized", "This seat has been given up.");
      return { ok: true, state: handle.view(seat), ...waited };
    },

    async legal(caller, matchId) {
      const entered = await enter(caller, matchId);
      return entered.ok ? entered.handle.legal(entered.seat) : entered;
    },

    async move(caller, matchId, request, wait) {
      // Without the wait for the next turn: that is the other players' time.
      const done = timed(caller.door ?? "http");
      const moved = await submit(caller, matchId, request);
      done(moved.ok ? (moved.answer.ok ? "ok" : moved.answer.code) : moved.code);
      if (!moved.ok) return moved;
      const { answer, handle, seat } = moved;
      if (!answer.ok) return { ...answer, state: handle.view(seat) };
      const waited = wait ? await untilTurn(handle, seat, wait) : { waiting: false };
      return { ...answer, state: handle.view(seat), ...waited };
    },

    async resign(caller, matchId) {
      const entered = await seated(caller, matchId);
      return entered.ok ? entered.handle.resign(entered.seat) : entered;
    },

    async rematch(caller, matchId) {
      const entered = await seated(caller, matchId);
      return entered.ok ? entered.handle.rematch(entered.seat) : entered;
    },

    async record(caller, matchId) {
      const entered = await enter(caller, matchId);
      if (!entered.ok) return entered;
      const { handle, seat } = entered;
      const { id, engine } = handle.match;
      if (engine.phase === "waiting") return refuse("match_not_started", "Nothing has been played yet.");
      const tooMany = engine.phase === "playing" && (await limits.take("partial", caller.address));
      if (tooMany) return tooMany;
      try {
        const record = await (engine.phase === "over" ? store.record(id) : partial(handle.match, seat));
        if (record !== null) return { ok: true, record };
        if (engine.phase === "over") return refuse("not_found", "The record of this match is kept no longer.");
      } catch (error) {
        if (error instanceof RefusalError) return error.refusal;
      }
      return refuse("unavailable", "The record cannot be read just now.", 2);
    },

    async seats(caller) {
      const who = identified(caller);
      if (!who.ok) return who;
      const rows = gateway.holders().flatMap(({ match }) => seatRows(match, who.identity.id));
      return { ok: true, seats: rows.reverse() };
    },

    followSeats(caller, tell) {
      const who = identified(caller);
      return who.ok ? { ok: true, stop: followIdentity(gateway, who.identity.id, tell) } : who;
    },

    async follow(caller, matchId, follower) {
      const entered = await enter(caller, matchId);
      return entered.ok ? { ok: true, stop: followHandle(entered.handle, entered.seat, follower) } : entered;
    },
  };
}

function seatRows({ id, code, kind, seats, engine, created_at_ms }: LiveMatch, identity: IdentityId): SeatRow[] {
  const { format, phase } = engine;
  return seats
    .filter((seat) => seat.taken && seat.identity === identity)
    .map(({ seat, name }) => ({ match_id: id, code, seat, name: name ?? "", format, kind, phase, created_at_ms }));
}

/** Tells of a match from its whole state on; returns what ends it. */
function followHandle(handle: MatchHandle, seat: PlayerId | null, { line, end }: Follower): () => void {
  // Each line carries the state as its own event left it, also where several were stored at once.
  let state = handle.view(seat);
  line({ type: "state", state });
  const held = seatWhileHeld(handle.match, seat);
  let viewer = seat;
  let disconnect = () => {};
  const stop = handle.listen({
    event(event) {
      if (viewer !== held(handle.match)) {
        viewer = null;
        disconnect();
        disconnect = handle.connect(null);
      }
      state = advance(state, event, viewer);
      const last_reasoning = viewer === null ? "" : (handle.match.reasoning[viewer] ?? "");
      line({ type: "event", event, state: shortened({ ...state, data: { ...state.data, last_reasoning } }) });
      // The last thing there is to say.
      if (event.type === "over" || event.type === "closed") end();
    },
    presence(presence) {
      state = withPresence(state, presence);
      line({ type: "presence", presence });
    },
    retired: end,
  });
  if (stop === null || handle.match.engine.phase === "over") {
    stop?.();
    end();
    return () => {};
  }
  disconnect = handle.connect(seat);
  return () => {
    disconnect();
    stop();
  };
}

function shortened({ data, ...state }: NativeState): ShortState {
  const { history, ...rest } = data;
  return {
    ...state,
    data: { ...rest, history_tail: history.slice(-HISTORY_TAIL), history_length: history.length },
  };
}
