/**
 * Holds one match: the only place where it changes (PROTOCOL 2). Doors and rooms call it; it knows none of them.
 * All commands pass one queue; the next is looked at when the entry of the one before is stored.
 */
import { makeCommand, type PlayerId, parseCommand, step } from "../shared/engine/index.ts";
import { type Answer, type Refusal, refuse } from "../shared/protocol/codes.ts";
import type { MatchId, RoomCode } from "../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../shared/protocol/log.ts";
import { type LiveMatch, openMatch, seatOf } from "../shared/protocol/match.ts";
import type { PresenceMessage, SyncAnswer } from "../shared/protocol/messages.ts";
import type { MoveRequest } from "../shared/protocol/requests.ts";
import type { NativeState, Viewer } from "../shared/protocol/state.ts";
import type {
  Guest,
  HolderHooks,
  JoinAnswer,
  MatchListener,
  MoveAnswer,
  RematchAnswer,
  VersionAnswer,
} from "./contract.ts";
import { resumeFrom } from "./journal.ts";
import { MatchCore } from "./MatchCore.ts";
import type { RoomPorts } from "./ports.ts";
import { Rematch, type RematchOpened } from "./rematch.ts";
import { allTaken, claimSeat, findSeat, HOUSE, houseName, isDeserted, seatWhileHeld } from "./seating.ts";

/** What would be appended is checked by the store; what is refused by what is in memory has nothing else to check it. */
const UNSURE = refuse("unavailable", "Another process may have taken this match up; try again.", 1);

export class MatchHolder {
  readonly #ports: RoomPorts;
  readonly #core: MatchCore;
  readonly #rematch: Rematch;
  readonly #sure: () => boolean;

  private constructor(ports: RoomPorts, hooks: HolderHooks<MatchHolder>, match: LiveMatch, idleForMs: number) {
    this.#ports = ports;
    this.#sure = () => hooks.sure?.() ?? true;
    this.#rematch = new Rematch((plan) => hooks.openRematch(plan));
    const core = {
      idle: () => void this.#endIdle(),
      presence: () => void this.#rematchWithoutTheGone(),
      asked: () => this.#rematch.asked(),
      retired: () => hooks.retired(this),
    };
    this.#core = new MatchCore(ports, core, match, idleForMs);
  }

  /** Stores a new match and holds it. Rejects with StoreUnavailable when it cannot be stored. */
  static async open(ports: RoomPorts, hooks: HolderHooks<MatchHolder>, entry: CreatedEntry): Promise<MatchHolder> {
    const match = openMatch(entry);
    await ports.log.create(entry);
    return new MatchHolder(ports, hooks, match, 0);
  }

  /** Takes up a match from its log after a time in which nobody held it (R9.4). Throws LogError. */
  static resume(
    ports: RoomPorts,
    hooks: HolderHooks<MatchHolder>,
    entries: readonly LogEntry[],
    aliveElapsedMs: number | null,
  ): MatchHolder {
    const { match, elapsedMs } = resumeFrom(entries, aliveElapsedMs);
    const idleForMs = Math.max(0, ports.clock.wallMs() - (entries.at(-1)?.at_ms ?? 0));
    const holder = new MatchHolder(ports, hooks, match, idleForMs);
    if (match.engine.phase === "playing") holder.#core.resumeClock(elapsedMs);
    return holder;
  }

  get id(): MatchId {
    return this.#core.id;
  }
  get code(): RoomCode {
    return this.#core.code;
  }
  get match(): LiveMatch {
    return this.#core.match;
  }
  /** It has let go of the match, or the process ends. */
  get retired(): boolean {
    return this.#core.retired;
  }
  get spectators(): number {
    return this.#core.connections.spectators;
  }
  connected(): ReadonlySet<PlayerId> {
    return this.#core.connections.connected();
  }

  /** What `viewer` may see, now. */
  view(viewer: Viewer): NativeState {
    return this.#core.view(viewer);
  }

  presence(): PresenceMessage {
    return this.#core.presence();
  }

  /** Nothing new, the events since `version`, or everything. */
  sync(version: number, viewer: Viewer): SyncAnswer {
    return this.#core.sync(version, viewer);
  }

  /** Follows the match until the returned function is called. */
  listen(listener: MatchListener): () => void {
    return this.#core.listen(listener);
  }

  /** A socket has been opened (null: by a spectator). The returned function is to be called when it closes. */
  connect(seat: PlayerId | null): () => void {
    return this.#core.connections.open(seat);
  }

  /** A call with the seat's token has come: the seat counts as connected for a while. */
  called(seat: PlayerId): void {
    this.#core.connections.called(seat);
  }

  /** The seat a token opens, or why it opens none. */
  claim(token: string): Answer<{ readonly seat: PlayerId }> {
    return claimSeat(this.match, this.#ports.tokens, token);
  }

  tokenFor(seat: PlayerId): string {
    const { generation } = seatOf(this.match, seat);
    return this.#ports.tokens.issue({ match_id: this.id, seat, generation });
  }

  /** Seats a guest in one step, and starts the match when that was the last free seat (PROTOCOL 2). */
  join(guest: Guest): Promise<JoinAnswer> {
    return this.#core.work("join", async () => {
      if (!this.#sure()) return UNSURE;
      const found = findSeat(this.match, guest);
      if (!found.ok) return found;
      if (!found.again) await this.#take(found.seat, { ...guest, kind: found.kind });
      return { ok: true, seat: found.seat, seat_token: this.tokenFor(found.seat), version: this.match.version };
    });
  }

  /** The house's bot is there: its seat is taken (PROTOCOL 1). Does nothing when it is already. */
  houseArrived(seat: PlayerId): Promise<VersionAnswer> {
    return this.#core.work("house", async () => {
      const { brain, name, taken } = seatOf(this.match, seat);
      if (brain !== null && !taken && !this.match.closed) {
        const model = this.#ports.bots.offered().find((one) => one.name === brain)?.model ?? undefined;
        await this.#take(seat, { identity: HOUSE, name: name ?? houseName(brain), kind: "ai", model });
      }
      return { ok: true, version: this.match.version };
    });
  }

  /** Gives up a seat of a waiting room; the room closes when nobody is left who could host it. */
  leave(seat: PlayerId): Promise<VersionAnswer> {
    return this.#ofSeat(seat, "leave", async () => {
      const { match } = this;
      if (match.closed) return refuse("room_closed", "This room is closed.");
      if (match.engine.phase === "over") return refuse("match_over", "The match is over.");
      if (match.engine.phase === "playing") {
        return refuse("match_already_started", "The match has started; you can resign.");
      }
      const { occupant } = seatOf(match, seat);
      if (occupant === null) return refuse("unauthorized", "This seat has been given up.");
      const at_ms = this.#ports.clock.wallMs();
      await this.#core.commit([{ type: "seat_left", seat, at_ms }]);
      this.#core.connections.forget(seat);
      if (isDeserted(this.match, occupant)) await this.#core.commit([{ type: "closed", at_ms }]);
      return { ok: true, version: this.match.version };
    });
  }

  /** A command of a seat; it counts as received now (R9.2), however long the queue is. */
  async move(seat: PlayerId, request: MoveRequest): Promise<MoveAnswer> {
    const answer = await this.#ofSeat(seat, "move", async (arrivedMs): Promise<MoveAnswer | Refusal> => {
      if (this.#repeats(seat, request)) return { ok: true, version: this.match.version, repeated: true, events: [] };
      await this.#core.timeOutIfDue(arrivedMs);
      const { command, turn } = request;
      const { engine } = this.match;
      const result = step(engine, { type: "command", player: seat, command, ...(turn === undefined ? {} : { turn }) });
      if (!result.ok && !result.counted) return refuse(result.code, result.message);
      const told = {
        at_ms: this.#ports.clock.wallMs(),
        player: seat,
        elapsed_ms: this.#core.elapsedAt(arrivedMs),
        ...(request.reasoning === undefined ? {} : { reasoning: request.reasoning }),
        ...(request.token_usage === undefined ? {} : { token_usage: request.token_usage }),
      };
      const entry: LogEntry = result.ok
        ? { type: "turn", ...told, command: result.command ?? command }
        : { type: "refused", ...told, command, code: result.code };
      const [applied] = await this.#core.commit([entry], result);
      if (!result.ok) return refuse(result.code, result.message);
      return { ok: true, version: this.match.version, events: applied?.events ?? [] };
    });
    return { version: this.match.version, ...answer };
  }

  /** R9.2: at any moment between start and end, on turn or not. */
  resign(seat: PlayerId): Promise<VersionAnswer> {
    return this.#ofSeat(seat, "resign", async (arrivedMs) => {
      await this.#core.timeOutIfDue(arrivedMs);
      const { engine } = this.match;
      if (engine.phase === "waiting") return refuse("match_not_started", "The match has not started; you can leave.");
      if (engine.phase === "over") return refuse("match_over", "The match is over.");
      if (engine.statuses[seat] !== "ACTIVE") return refuse("player_out", `${seat} is out.`);
      const elapsed_ms = engine.currentPlayer === seat ? this.#core.elapsedAt(arrivedMs) : 0;
      const at_ms = this.#ports.clock.wallMs();
      await this.#core.commit([{ type: "out", player: seat, reason: "RESIGNED", elapsed_ms, at_ms }]);
      return { ok: true, version: this.match.version };
    });
  }

  /** R9.5, or an operator closes the match. A waiting room is closed instead. */
  abandon(): Promise<VersionAnswer> {
    return this.#core.work("abandon", async () => {
      const at_ms = this.#ports.clock.wallMs();
      const { phase } = this.match.engine;
      if (phase === "over" || this.match.closed) return refuse("match_over", "The match is over.");
      await this.#core.commit([{ type: phase === "waiting" ? "closed" : "abandoned", at_ms }]);
      return { ok: true, version: this.match.version };
    });
  }

  /** Asks for a rematch; it opens when every connected seat that the house does not drive has asked (PROTOCOL 2). */
  rematch(seat: PlayerId): Promise<RematchAnswer> {
    return this.#ofSeat(seat, "rematch", async () => {
      if (this.match.engine.phase !== "over") return refuse("match_not_over", "The match is not over.");
      if (this.#rematch.ask(seat)) this.#core.presenceChanged();
      const opened = await this.#openRematch();
      return { ok: true, asked: this.#rematch.asked(), opened: opened?.seats.get(seat) ?? null };
    });
  }

  /** Lets go of the match: clocks stop, followers are told. `moved`: another process goes on with it. */
  retire(moved = false): void {
    this.#core.retire(moved);
  }

  /** Stops without letting go, for the end of the process: notes how far the clock ran and waits for the queue. */
  suspend(): Promise<void> {
    return this.#core.suspend();
  }

  /** A command of whoever holds `seat` now: it is none any more when the seat is given up before its turn comes. */
  #ofSeat<T extends object>(
    seat: PlayerId,
    at: string,
    work: (arrivedMs: number) => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    const held = seatWhileHeld(this.match, seat);
    return this.#core.work<T | Refusal>(at, async (arrivedMs) => {
      if (!this.#sure()) return UNSURE;
      if (held(this.match) === null) return refuse("unauthorized", "This seat has been given up; join again.");
      return work(arrivedMs);
    });
  }

  async #take(seat: PlayerId, guest: Guest & { readonly kind: "human" | "ai" }): Promise<void> {
    const at_ms = this.#ports.clock.wallMs();
    const { identity, name, kind, model = null } = guest;
    const { match } = this;
    const last = allTaken({ ...match, seats: match.seats.map((s) => (s.seat === seat ? { ...s, taken: true } : s)) });
    await this.#core.commit([
      { type: "seat_taken", seat, identity, name, kind, model, at_ms },
      ...(last ? [{ type: "start", at_ms } as const] : []),
    ]);
  }

  /** PROTOCOL 2: the seat's last accepted command once more, named by its turn. */
  #repeats(seat: PlayerId, request: MoveRequest): boolean {
    const last = this.match.last_moves[seat];
    if (last === undefined || request.turn === undefined || request.turn !== last.turn) return false;
    const parsed = parseCommand(request.command, this.match.engine);
    return parsed.ok && makeCommand(parsed.value) === last.command;
  }

  async #openRematch(): Promise<RematchOpened | null> {
    const opened = await this.#rematch.openIfAllAsked(this.match, this.#core.guests());
    if (opened?.fresh) this.#core.tellRematch(opened.room);
    return opened?.room ?? null;
  }

  /** Whoever has not asked may just have gone. */
  async #rematchWithoutTheGone(): Promise<void> {
    if (this.#rematch.waiting) await this.#core.work("rematch", async () => (await this.#openRematch()) ?? {});
  }

  /** Nobody has done anything for too long. When that cannot be stored now, the wait begins again. */
  async #endIdle(): Promise<void> {
    const ended = await this.abandon();
    if (!ended.ok && ended.code !== "match_over") this.#core.idleAgain();
  }
}
