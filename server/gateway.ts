/**
 * The way from every door to every match: create, join, leave, find, list. It adds no rules.
 * Matches held by this process are reached directly; those that are over are read from the store.
 */
import { MatchHolder } from "../rooms/MatchHolder.ts";
import type { RoomPorts } from "../rooms/ports.ts";
import type { RematchPlan } from "../rooms/rematch.ts";
import type { PlayerId } from "../shared/engine/index.ts";
import { type Answer, type Refusal, refuse } from "../shared/protocol/codes.ts";
import { type IdentityId, type MatchId, parseMatchId, parseRoomCode, type RoomCode } from "../shared/protocol/ids.ts";
import type { LogEntry, SessionTag } from "../shared/protocol/log.ts";
import type { CreateRoomRequest, JoinRoomRequest } from "../shared/protocol/requests.ts";
import type { NativeState } from "../shared/protocol/state.ts";
import { Archive } from "./archive.ts";
import type { CodeKeeper, HandedOut } from "./codes.ts";
import { createdEntry, type MatchPlan, planMatch } from "./create.ts";
import { heldHandle, type MatchHandle } from "./handle.ts";
import { driveHouse, type Paces } from "./house.ts";
import type { Limits } from "./limits.ts";
import { type EarlierRematch, earlierRematch, openRematch } from "./openRematch.ts";
import { Reopening } from "./reopen.ts";
import type { MatchStore, UnfinishedMatch } from "./store/MatchStore.ts";
import type { Identity, Tokens } from "./tokens.ts";

export interface GatewayPorts extends RoomPorts {
  readonly log: MatchStore;
  readonly tokens: Tokens;
  readonly codes: CodeKeeper;
  readonly limits: Pick<Limits, "take">;
}

export interface GatewaySettings extends Paces {
  readonly maxRooms: number;
  readonly turnSeconds: number;
}

export interface Bearer {
  /** A seat token or an identity token. */
  readonly token: string | null;
  /** The room code, which opens a private match to spectators. */
  readonly code: string | null;
}

export interface Entrance {
  readonly handle: MatchHandle;
  readonly seat: PlayerId | null;
}

export interface Seated {
  readonly code: RoomCode;
  readonly match_id: MatchId;
  readonly seat: PlayerId | null;
  readonly seat_token: string | null;
  readonly state: NativeState;
}

const ADOPTED_AT_ONCE = 100;

export class RoomGateway {
  readonly #ports: GatewayPorts;
  readonly #settings: GatewaySettings;
  readonly #byId = new Map<MatchId, MatchHolder>();
  readonly #byCode = new Map<RoomCode, MatchHolder>();
  readonly #archive: Archive;
  readonly #reopening: Reopening;
  /** Being created: nobody else may take them up meanwhile. */
  readonly #opening = new Set<RoomCode>();
  readonly #adopting = new Map<MatchId, Promise<boolean>>();
  readonly #heldListeners = new Set<(holder: MatchHolder) => void>();
  #closing = false;
  #recovered = false;

  constructor(ports: GatewayPorts, settings: GatewaySettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#archive = new Archive(ports);
    const { clock, report, log } = ports;
    this.#reopening = new Reopening({
      claims: log.claims,
      clock,
      report,
      hold: (_id, entries) => this.#holdOver(entries),
    });
    // The clients of these come again, and reach whoever holds them now.
    ports.log.claims.lost((ids) => {
      for (const id of ids) this.#byId.get(id)?.retire(true);
    });
  }

  /** Every match that is held, in the order in which they were taken up. */
  holders(): MatchHolder[] {
    return [...this.#byId.values()];
  }

  /** Calls `listener` with every match that is held from now on, until the returned function is called. */
  onHeld(listener: (holder: MatchHolder) => void): () => void {
    this.#heldListeners.add(listener);
    return () => this.#heldListeners.delete(listener);
  }

  /** A code for a room to be created with it. Rejects with StoreUnavailable. */
  async handOutCode(): Promise<HandedOut> {
    return this.#ports.codes.handOut();
  }

  /** Creates a room as asked and seats its creator on the first free seat that fits. */
  async create(identity: Identity, request: CreateRoomRequest, session?: SessionTag): Promise<Answer<Seated>> {
    const planned = planMatch(request, {
      turnSeconds: this.#settings.turnSeconds,
      knowsBrain: (brain) => this.#ports.bots.knows(brain),
    });
    if (!planned.ok) return planned;
    const wantsSeat = !("join" in request) || request.join !== false;
    let seated = null as { readonly seat: PlayerId; readonly seat_token: string } | null;
    const plan = session === undefined ? planned.plan : { ...planned.plan, session };
    const opened = await this.open(plan, {
      host: identity.id,
      typedCode: request.room_code,
      seat: async (holder) => {
        if (!wantsSeat) return null;
        const model = request.model ?? session?.model ?? undefined;
        const guest = { identity: identity.id, name: request.name ?? identity.name };
        const joined = await holder.join(model === undefined ? guest : { ...guest, model, kind: "ai" });
        if (joined.ok) seated = joined;
        // A room of house bots alone has no seat for its creator, who watches.
        return joined.ok || joined.code === "room_full" ? null : joined;
      },
    });
    if (!opened.ok) return opened;
    const { holder } = opened;
    const { seat, seat_token } = seated ?? { seat: null, seat_token: null };
    return { ok: true, code: holder.code, match_id: holder.id, seat, seat_token, state: holder.view(seat) };
  }

  /**
   * Opens the room of a plan and starts its house bots: all of it, or nothing and a refusal. `seat` seats those the
   * room is made for, before anybody else can find it in a list and be quicker.
   */
  async open(
    plan: MatchPlan,
    by: {
      readonly host: IdentityId | null;
      readonly typedCode?: string | undefined;
      readonly seat?: (holder: MatchHolder) => Promise<Refusal | null>;
    },
  ): Promise<Answer<{ readonly holder: MatchHolder }>> {
    const { codes, clock, report } = this.#ports;
    if (this.#closing) return refuse("unavailable", "This server is going down; try again.", 5);
    if (this.#byId.size >= this.#settings.maxRooms) return refuse("unavailable", "This server is full.", 60);
    const unstored = refuse("unavailable", "The room could not be stored; try again.", 1);
    let code: RoomCode;
    try {
      const reserved = by.typedCode === undefined ? null : await codes.redeem(by.typedCode);
      if (reserved && !reserved.ok) return reserved;
      code = reserved?.code ?? (await codes.reserve());
    } catch (error) {
      report.error(error, { at: "gateway.open" });
      return unstored;
    }
    this.#opening.add(code);
    const entry = createdEntry(plan, code, by.host, clock.wallMs());
    try {
      let holder: MatchHolder;
      try {
        holder = await MatchHolder.open(this.#ports, this.#hooks(), entry);
      } catch (error) {
        this.#later(codes.release(code), code, entry.match_id);
        report.error(error, { match_id: entry.match_id, code, at: "gateway.open" });
        return unstored;
      }
      const failed = (await by.seat?.(holder)) ?? (await this.#house(holder));
      if (failed === null) return { ok: true, holder };
      await holder.abandon();
      holder.retire();
      return failed;
    } finally {
      this.#opening.delete(code);
    }
  }

  /** Takes up the matches that were not over when the process before ended. */
  async recover(unfinished: readonly UnfinishedMatch[]): Promise<number> {
    let taken = 0;
    for (const match of unfinished) if (await this.#resume(match)) taken++;
    this.#recovered = true;
    return taken;
  }

  /** Takes up matches whose process has gone, of those that several processes share. Returns how many. */
  async adoptOrphans(): Promise<number> {
    let taken = 0;
    for (;;) {
      if (this.#closing) return taken;
      const ids = await this.#ports.log.claims.orphans(ADOPTED_AT_ONCE);
      const adopted = await Promise.all(ids.map((id) => this.#adopt(id)));
      const more = adopted.filter(Boolean).length;
      taken += more;
      if (more > 0) continue;
      this.#recovered = true;
      return taken;
    }
  }

  /**
   * Which process answers calls for this match id or room code: this one (null), or the one at an address. What
   * nobody living holds is taken up first.
   */
  async locate(key: string): Promise<Answer<{ readonly address: string | null }>> {
    const here = { ok: true, address: null } as const;
    const elsewhere = refuse("unavailable", "This match is being handed over; try again.", 1);
    const id = parseMatchId(key);
    const code = parseRoomCode(key);
    const { claims } = this.#ports.log;
    if (id === null && code === null) return here;
    if (claims.sure() && (id !== null ? this.#byId.has(id) : this.#byCode.has(code as RoomCode))) return here;
    try {
      const found = await claims.ownerOf(id ?? (code as RoomCode));
      if (found === null) return here;
      const { matchId, over, processId, address } = found;
      if (processId !== null && processId !== claims.processId) {
        return address === null ? elsewhere : { ok: true, address };
      }
      // What is over is read from its log.
      if (over || this.#byId.has(matchId)) return here;
      if (this.#closing || (code !== null && this.#opening.has(code))) return elsewhere;
      return (await this.#adopt(matchId)) ? here : elsewhere;
    } catch (error) {
      const asked = { ...(id === null ? {} : { match_id: id }), ...(code === null ? {} : { code }) };
      this.#ports.report.error(error, { ...asked, at: "gateway.locate" });
      return elsewhere;
    }
  }

  /** The room under a typed code: held, gone (`room_closed`) or never there. */
  async room(typed: string): Promise<Answer<{ readonly holder: MatchHolder }>> {
    const code = parseRoomCode(typed);
    const holder = code === null ? undefined : this.#byCode.get(code);
    if (holder) return { ok: true, holder };
    const reopened = code === null ? null : await this.#reopening.byCode(code);
    if (reopened !== null) return reopened;
    if (code !== null && (await this.#archive.isPast(code).catch(() => false))) {
      return refuse("room_closed", "This room is closed.");
    }
    if (!this.#recovered) return refuse("unavailable", "Rooms are being taken up again; try again.", 1);
    return refuse("not_found", "There is no room with this code.");
  }

  /** The room that has been opened as the rematch of a match, by this process or one before it. */
  rematchOf(id: MatchId): Promise<EarlierRematch | null> {
    return earlierRematch(id, this.holders(), this.#ports);
  }

  async join(typed: string, identity: Identity, request: JoinRoomRequest): Promise<Answer<Seated>> {
    const room = await this.room(typed);
    if (!room.ok) return room;
    const { holder } = room;
    const { kind, seat, model } = request;
    const joined = await holder.join({
      identity: identity.id,
      name: request.name ?? identity.name,
      kind,
      seat,
      model,
    });
    if (!joined.ok) return joined;
    holder.called(joined.seat);
    return {
      ok: true,
      code: holder.code,
      match_id: holder.id,
      seat: joined.seat,
      seat_token: joined.seat_token,
      state: holder.view(joined.seat),
    };
  }

  async leave(typed: string, caller: Bearer): Promise<Answer<{ readonly version: number }>> {
    const room = await this.room(typed);
    if (!room.ok) return room;
    const entered = this.#enter(heldHandle(room.holder), { ...caller, code: typed });
    if (!entered.ok) return entered;
    if (entered.seat === null) return refuse("unauthorized", "You have no seat in this room.");
    return room.holder.leave(entered.seat);
  }

  /** The match and the caller's seat in it. A private match is not found by those who have no business there. */
  async enter(id: string, caller: Bearer): Promise<Answer<Entrance>> {
    const found = await this.#find(id);
    return found.ok ? this.#enter(found.handle, caller) : found;
  }

  /** No new rooms; every match stops where it is, with its clock noted. */
  async suspend(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.holders().map((holder) => holder.suspend()));
  }

  #enter(handle: MatchHandle, { token, code }: Bearer): Answer<Entrance> {
    const { match } = handle;
    const seated = token === null ? { ok: true as const, seat: null } : this.#seatOf(handle, token);
    const admitted = !match.options.private || (code !== null && parseRoomCode(code) === match.code);
    if (!seated.ok) return admitted ? seated : refuse("not_found", "There is no such match.");
    if (seated.seat !== null) handle.called(seated.seat);
    else if (!admitted) return refuse("not_found", "There is no such match.");
    return { ok: true, handle, seat: seated.seat };
  }

  #seatOf(handle: MatchHandle, token: string): Answer<{ readonly seat: PlayerId | null }> {
    const identity = this.#ports.tokens.verifyIdentity(token);
    if (identity === null) return handle.claim(token);
    const seat = handle.match.seats.find((s) => s.taken && s.identity === identity.id);
    return { ok: true, seat: seat?.seat ?? null };
  }

  async #find(text: string): Promise<Answer<{ readonly handle: MatchHandle }>> {
    const id = parseMatchId(text);
    if (id === null) return refuse("not_found", "There is no such match.");
    const holder = this.#byId.get(id);
    if (holder) return { ok: true, handle: heldHandle(holder) };
    const found = await this.#archive.find(id);
    if (!found.ok || found.handle.match.ended_at_ms === null) return found;
    const reopened = await this.#reopening.byId(id, found.handle.match.ended_at_ms);
    if (reopened === null) return found;
    return reopened.ok ? { ok: true, handle: heldHandle(reopened.holder) } : reopened;
  }

  /** The room of a match that is over; its bots are not needed any more. Null when there is no place for it. */
  async #holdOver(entries: readonly LogEntry[]): Promise<MatchHolder | null> {
    if (this.#closing || this.#byId.size >= this.#settings.maxRooms) return null;
    const holder = MatchHolder.resume(this.#ports, this.#hooks(), entries, null);
    // Over all processes its code is past already; here it is taken back from being anybody's.
    await this.#ports.codes.take(holder.code);
    this.#hold(holder);
    return holder;
  }

  /** Takes a match up when nobody living holds it; false when another has it. Rejects with StoreUnavailable. */
  #adopt(id: MatchId): Promise<boolean> {
    const adopting = this.#adopting.get(id) ?? this.#takeOver(id).finally(() => this.#adopting.delete(id));
    this.#adopting.set(id, adopting);
    return adopting;
  }

  async #takeOver(id: MatchId): Promise<boolean> {
    if (this.#byId.has(id)) return true;
    const match = await this.#ports.log.claims.adopt(id);
    return match !== null && (await this.#resume(match));
  }

  async #resume({ matchId, entries, aliveElapsedMs }: UnfinishedMatch): Promise<boolean> {
    const { codes, report } = this.#ports;
    try {
      const holder = MatchHolder.resume(this.#ports, this.#hooks(), entries, aliveElapsedMs);
      if (!(await codes.take(holder.code))) throw new Error("two unfinished matches have this room code");
      const failed = await this.#house(holder);
      // A match goes on without its bots: their clocks decide (DESIGN 3).
      if (failed) report.error(new Error(failed.message), { match_id: matchId, at: "gateway.recover" });
      if (this.#byId.get(matchId) === holder) return true;
      holder.retire(true);
    } catch (error) {
      report.error(error, { match_id: matchId, at: "gateway.recover" });
    }
    return false;
  }

  /** Nobody waits for it; what goes wrong is reported. */
  #later(work: void | Promise<void>, code: RoomCode, match_id: MatchId): void {
    work?.catch((error: unknown) => this.#ports.report.error(error, { match_id, code, at: "gateway.codes" }));
  }

  /** From here on the match is found. */
  #hold(holder: MatchHolder): void {
    this.#byId.set(holder.id, holder);
    this.#byCode.set(holder.code, holder);
    for (const listener of this.#heldListeners) listener(holder);
  }

  /** Holds a match and starts the bots of its house seats. Null when all went well. */
  async #house(holder: MatchHolder): Promise<Refusal | null> {
    this.#hold(holder);
    try {
      await driveHouse(holder, this.#ports, this.#settings);
      return null;
    } catch (error) {
      this.#ports.report.error(error, { match_id: holder.id, code: holder.code, at: "gateway.bots" });
      return refuse("bot_unavailable", "A house bot could not be started; try again.", 5);
    }
  }

  #hooks() {
    return {
      sure: () => this.#ports.log.claims.sure(),
      openRematch: (plan: RematchPlan) => openRematch(plan, this, this.#ports.limits),
      retired: (holder: MatchHolder) => {
        const { bots, codes, log } = this.#ports;
        if (this.#byId.get(holder.id) === holder) this.#byId.delete(holder.id);
        if (this.#byCode.get(holder.code) === holder) this.#byCode.delete(holder.code);
        this.#later(codes.retire(holder.code), holder.code, holder.id);
        this.#later(log.claims.release(holder.id), holder.code, holder.id);
        bots.release(holder.id);
      },
    };
  }
}
