/**
 * Holds one match: the only place where it changes (PROTOCOL 2). Doors and rooms call it; it knows none of them.
 * All commands pass one queue; the next is looked at when the entry of the one before is stored.
 */
import { type MatchEvent, makeCommand, type PlayerId, parseCommand, step } from "../shared/engine/index.ts";
import { type Answer, type Refusal, RefusalError, refuse } from "../shared/protocol/codes.ts";
import type { IdentityId, MatchId, RoomCode } from "../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../shared/protocol/log.ts";
import { type Applied, type LiveMatch, openMatch, type Seat, seatOf } from "../shared/protocol/match.ts";
import type { EventMessage, PresenceMessage, SyncAnswer } from "../shared/protocol/messages.ts";
import type { MoveRequest } from "../shared/protocol/requests.ts";
import type { NativeState, Viewer } from "../shared/protocol/state.ts";
import { type Surroundings, view } from "../shared/protocol/view.ts";
import { EventRing } from "./eventRing.ts";
import { Journal, NotStored, resumeFrom } from "./journal.ts";
import { Lifetime } from "./lifetime.ts";
import { eventMessages } from "./messages.ts";
import type { RoomPorts } from "./ports.ts";
import { Presence } from "./presence.ts";
import { CommandQueue, QueueFull } from "./queue.ts";
import { type OpenedSeat, Rematch, type RematchOpened, type RematchPlan } from "./rematch.ts";
import { allTaken, claimSeat, findSeat, HOUSE, isDeserted, isHouseSeat, type Newcomer } from "./seating.ts";
import { TurnClock } from "./turnClock.ts";

/** What follows a match. Called after the entry is durable; never throws back into the match. */
export interface MatchListener {
  event?(message: EventMessage): void;
  presence?(message: PresenceMessage): void;
  rematch?(opened: RematchOpened): void;
  /** The holder lets go of the match: its room closes. */
  retired?(): void;
}

/** What the holder asks of whoever keeps the rooms. */
export interface HolderHooks {
  /** Opens the room of a rematch and seats its players. */
  openRematch(plan: RematchPlan): Promise<RematchOpened>;
  /** The match needs no room any more (closed, or long over). */
  retired(holder: MatchHolder): void;
}

export type MoveAnswer = { readonly version: number } & Answer<{
  readonly repeated?: true;
  readonly events: readonly MatchEvent[];
}>;
export type VersionAnswer = Answer<{ readonly version: number }>;
export type JoinAnswer = Answer<{ readonly seat: PlayerId; readonly seat_token: string; readonly version: number }>;
export type RematchAnswer = Answer<{
  /** Seats that have asked, while others still have to. */
  readonly asked: readonly PlayerId[];
  readonly opened: OpenedSeat | null;
}>;

export interface Guest extends Newcomer {
  readonly name: string;
  readonly model?: string | undefined;
}

export class MatchHolder {
  readonly #ports: RoomPorts;
  readonly #journal: Journal;
  readonly #queue = new CommandQueue();
  readonly #ring = new EventRing();
  readonly #listeners = new Set<MatchListener>();
  readonly #presence: Presence;
  readonly #clock: TurnClock;
  readonly #lifetime: Lifetime;
  readonly #rematch: Rematch;
  readonly #hooks: HolderHooks;
  #committing = false;
  #retired = false;
  #presenceDue = false;

  private constructor(ports: RoomPorts, hooks: HolderHooks, match: LiveMatch, idleForMs: number) {
    this.#ports = ports;
    this.#hooks = hooks;
    this.#journal = new Journal(ports.log, match);
    const seconds = match.options.turn_seconds;
    this.#clock = new TurnClock(ports.clock, seconds === null ? null : seconds * 1_000, {
      expired: () => void this.#work("clock", (at) => this.#timeOutIfDue(at)),
      // While an entry is on its way the turn it belongs to may end: the sign would be taken for the next one's.
      alive: (elapsedMs) => void (this.#committing || ports.log.alive(match.id, elapsedMs)),
      shifted: () => this.#presenceChanged(),
    });
    this.#presence = new Presence(ports.clock, () => this.#presenceChanged());
    this.#lifetime = new Lifetime(
      ports.clock,
      {
        close: () => void this.#endIdle(),
        abandon: () => void this.#endIdle(),
        retire: () => this.retire(),
      },
      idleForMs,
    );
    this.#rematch = new Rematch((plan) => hooks.openRematch(plan));
    this.#lifetime.update(match, this.#guests());
  }

  /** Stores a new match and holds it. Rejects with StoreUnavailable when it cannot be stored. */
  static async open(ports: RoomPorts, hooks: HolderHooks, entry: CreatedEntry): Promise<MatchHolder> {
    const match = openMatch(entry);
    await ports.log.create(entry);
    return new MatchHolder(ports, hooks, match, 0);
  }

  /** Takes up a match from its log after a time in which nobody held it (R9.4). Throws LogError. */
  static resume(
    ports: RoomPorts,
    hooks: HolderHooks,
    entries: readonly LogEntry[],
    aliveElapsedMs: number | null,
  ): MatchHolder {
    const { match, elapsedMs } = resumeFrom(entries, aliveElapsedMs);
    const idleForMs = Math.max(0, ports.clock.wallMs() - (entries.at(-1)?.at_ms ?? 0));
    const holder = new MatchHolder(ports, hooks, match, idleForMs);
    if (match.engine.phase === "playing") holder.#clock.resume(elapsedMs);
    return holder;
  }

  get id(): MatchId {
    return this.#journal.match.id;
  }
  get code(): RoomCode {
    return this.#journal.match.code;
  }
  get match(): LiveMatch {
    return this.#journal.match;
  }
  get spectators(): number {
    return this.#presence.spectators;
  }
  connected(): ReadonlySet<PlayerId> {
    return this.#presence.connected();
  }

  /** What `viewer` may see, now. */
  view(viewer: Viewer): NativeState {
    return view(this.match, viewer, this.#around());
  }

  presence(): PresenceMessage {
    return {
      connected: [...this.connected()].sort(),
      spectators: this.spectators,
      deadline_ms: this.#clock.deadlineWallMs(),
      server_time_ms: this.#ports.clock.wallMs(),
      rematch: this.#rematch.asked(),
    };
  }

  /** Nothing new, the events since `version`, or everything. */
  sync(version: number, viewer: Viewer): SyncAnswer {
    const now = this.match.version;
    if (version === now) return { kind: "current" };
    const events = version > 0 ? this.#ring.since(version, now) : null;
    if (events !== null) return { kind: "events", events, presence: this.presence() };
    return { kind: "state", state: this.view(viewer), seat: viewer };
  }

  /** Follows the match until the returned function is called. */
  listen(listener: MatchListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A socket has been opened (null: by a spectator). The returned function is to be called when it closes. */
  connect(seat: PlayerId | null): () => void {
    return this.#presence.open(seat);
  }

  /** A call with the seat's token has come: the seat counts as connected for a while. */
  called(seat: PlayerId): void {
    this.#presence.called(seat);
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
    return this.#work("join", async () => {
      const found = findSeat(this.match, guest);
      if (!found.ok) return found;
      if (!found.again) {
        await this.#take(found.seat, { ...guest, kind: found.kind, model: guest.model ?? null });
      }
      return { ok: true, seat: found.seat, seat_token: this.tokenFor(found.seat), version: this.match.version };
    });
  }

  /** The house's bot is there: its seat is taken (PROTOCOL 1). Does nothing when it is already. */
  houseArrived(seat: PlayerId): Promise<VersionAnswer> {
    return this.#work("house", async () => {
      const spec = seatOf(this.match, seat);
      if (spec.brain !== null && !spec.taken && !this.match.closed) {
        const name = spec.name ?? `${spec.brain.charAt(0).toUpperCase()}${spec.brain.slice(1)} (house)`;
        await this.#take(seat, { identity: HOUSE, name, kind: "ai", model: null });
      }
      return { ok: true, version: this.match.version };
    });
  }

  /** Gives up a seat of a waiting room; the room closes when nobody is left who could host it. */
  leave(seat: PlayerId): Promise<VersionAnswer> {
    return this.#work("leave", async () => {
      const { match } = this;
      if (match.closed) return refuse("room_closed", "This room is closed.");
      if (match.engine.phase !== "waiting") {
        return refuse("match_already_started", "The match has started; you can resign.");
      }
      const { occupant } = seatOf(match, seat);
      if (occupant === null) return refuse("unauthorized", "This seat has been given up.");
      const at_ms = this.#ports.clock.wallMs();
      await this.#commit([{ type: "seat_left", seat, at_ms }]);
      this.#presence.forget(seat);
      if (isDeserted(this.match, occupant)) await this.#commit([{ type: "closed", at_ms }]);
      return { ok: true, version: this.match.version };
    });
  }

  /** A command of a seat; it counts as received now (R9.2), however long the queue is. */
  async move(seat: PlayerId, request: MoveRequest): Promise<MoveAnswer> {
    const answer = await this.#work("move", async (arrivedMs): Promise<MoveAnswer | Refusal> => {
      if (this.#repeats(seat, request)) return { ok: true, version: this.match.version, repeated: true, events: [] };
      await this.#timeOutIfDue(arrivedMs);
      const { command, turn } = request;
      const { engine } = this.match;
      const result = step(engine, { type: "command", player: seat, command, ...(turn === undefined ? {} : { turn }) });
      if (!result.ok && !result.counted) return refuse(result.code, result.message);
      const told = {
        at_ms: this.#ports.clock.wallMs(),
        player: seat,
        elapsed_ms: this.#clock.elapsedAt(arrivedMs),
        ...(request.reasoning === undefined ? {} : { reasoning: request.reasoning }),
        ...(request.token_usage === undefined ? {} : { token_usage: request.token_usage }),
      };
      const [applied] = await this.#commit([
        result.ok
          ? { type: "turn", ...told, command: result.command ?? command }
          : { type: "refused", ...told, command, code: result.code },
      ]);
      const { version } = this.match;
      return result.ok
        ? { ok: true, version, events: applied?.events ?? [] }
        : { ...refuse(result.code, result.message), version };
    });
    return { version: this.match.version, ...answer };
  }

  /** R9.2: at any moment between start and end, on turn or not. */
  resign(seat: PlayerId): Promise<VersionAnswer> {
    return this.#work("resign", async (arrivedMs) => {
      await this.#timeOutIfDue(arrivedMs);
      const { engine } = this.match;
      if (engine.phase === "waiting") return refuse("match_not_started", "The match has not started; you can leave.");
      if (engine.phase === "over") return refuse("match_over", "The match is over.");
      if (engine.statuses[seat] !== "ACTIVE") return refuse("player_out", `${seat} is out.`);
      const elapsed_ms = engine.currentPlayer === seat ? this.#clock.elapsedAt(arrivedMs) : 0;
      const at_ms = this.#ports.clock.wallMs();
      await this.#commit([{ type: "out", player: seat, reason: "RESIGNED", elapsed_ms, at_ms }]);
      return { ok: true, version: this.match.version };
    });
  }

  /** R9.5, or an operator closes the match. A waiting room is closed instead. */
  abandon(): Promise<VersionAnswer> {
    return this.#work("abandon", async () => {
      const at_ms = this.#ports.clock.wallMs();
      const { phase } = this.match.engine;
      if (phase === "over" || this.match.closed) return refuse("match_over", "The match is over.");
      await this.#commit([{ type: phase === "waiting" ? "closed" : "abandoned", at_ms }]);
      return { ok: true, version: this.match.version };
    });
  }

  /** Nobody has done anything for too long. When it cannot be stored now, the wait begins again. */
  async #endIdle(): Promise<void> {
    const ended = await this.abandon();
    if (!ended.ok && ended.code !== "match_over") this.#lifetime.again(this.match, this.#guests());
  }

  /** Asks for a rematch; it opens when every connected seat that the house does not drive has asked (PROTOCOL 2). */
  rematch(seat: PlayerId): Promise<RematchAnswer> {
    return this.#work("rematch", async () => {
      if (this.match.engine.phase !== "over") return refuse("match_not_over", "The match is not over.");
      if (this.#rematch.ask(seat)) this.#presenceChanged();
      const opened = await this.#openRematchIfAllAsked();
      return { ok: true, asked: this.#rematch.asked(), opened: opened?.seats.get(seat) ?? null };
    });
  }

  /** Lets go of the match: clocks stop, listeners are told. What is on its way to the log is finished. */
  retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#stopClocks();
    for (const listener of this.#listeners) this.#tell("retired", () => listener.retired?.());
    this.#listeners.clear();
    this.#hooks.retired(this);
  }

  /** Stops without letting go, for the end of the process: notes how far the clock ran and waits for the queue. */
  async suspend(): Promise<void> {
    this.#retired = true;
    await this.#queue.idle();
    if (this.#clock.running && this.match.options.turn_seconds !== null) {
      this.#ports.log.alive(this.id, this.#clock.elapsedAt(this.#clock.look()));
    }
    this.#stopClocks();
  }

  #stopClocks(): void {
    this.#clock.stop();
    this.#lifetime.stop();
    this.#presence.stop();
  }

  /**
   * Runs one command of the queue. It arrived at the instant at which this is called. Whatever goes wrong becomes a
   * refusal: an exception ends neither the match nor the process.
   */
  async #work<T extends object>(at: string, work: (arrivedMs: number) => Promise<T>): Promise<T | Refusal> {
    const arrivedMs = this.#clock.look();
    if (this.#retired) return refuse("unavailable", "This match is being handed over; try again.", 1);
    try {
      return await this.#queue.run(() => work(arrivedMs));
    } catch (error) {
      if (error instanceof QueueFull) return refuse("rate_limited", "Too many commands are waiting.", 1);
      if (error instanceof RefusalError) return error.refusal;
      const context = { match_id: this.id, code: this.code, at: `match.${at}` };
      this.#ports.report.error(error, context);
      if (!(error instanceof NotStored)) return refuse("internal", "Something went wrong here; nothing has changed.");
      // The player could not help it: the clock goes on from where it was when the command came (as in R9.4).
      if (this.#clock.running) this.#clock.resume(this.#clock.elapsedAt(arrivedMs));
      return refuse("unavailable", "The move could not be stored; ask again.", 1);
    }
  }

  async #commit(entries: readonly LogEntry[]): Promise<readonly Applied[]> {
    const before = this.match;
    this.#committing = true;
    try {
      const applied = await this.#journal.commit(entries);
      this.#publish(before, applied);
      return applied;
    } catch (error) {
      if (error instanceof NotStored) this.#publish(before, error.found);
      throw error;
    } finally {
      this.#committing = false;
    }
  }

  async #take(
    seat: PlayerId,
    who: {
      readonly identity: IdentityId;
      readonly name: string;
      readonly kind: "human" | "ai";
      readonly model: string | null;
    },
  ): Promise<void> {
    const at_ms = this.#ports.clock.wallMs();
    const { identity, name, kind, model } = who;
    const last = allTaken({ ...this.match, seats: this.match.seats.map((s) => (s.seat === seat ? taken(s) : s)) });
    await this.#commit([
      { type: "seat_taken", seat, identity, name, kind, model, at_ms },
      ...(last ? [{ type: "start", at_ms } as const] : []),
    ]);
  }

  /** R9.2: the mover is out when the limit had passed at `instant`. */
  async #timeOutIfDue(instant: number): Promise<object> {
    const player = this.match.engine.currentPlayer;
    if (player !== null && this.#clock.expiredAt(instant)) {
      const elapsed_ms = this.#clock.elapsedAt(instant);
      await this.#commit([{ type: "out", player, reason: "TIMEOUT", elapsed_ms, at_ms: this.#ports.clock.wallMs() }]);
    }
    return {};
  }

  /** PROTOCOL 2: the seat's last accepted command once more, named by its turn. */
  #repeats(seat: PlayerId, request: MoveRequest): boolean {
    const last = this.match.last_moves[seat];
    if (last === undefined || request.turn === undefined || request.turn !== last.turn) return false;
    const parsed = parseCommand(request.command, this.match.engine);
    return parsed.ok && makeCommand(parsed.value) === last.command;
  }

  #publish(from: LiveMatch, applied: readonly Applied[]): void {
    let before = from;
    for (const done of applied) {
      this.#runClock(before, done.match);
      for (const message of eventMessages(before, done, this.#around())) {
        this.#ring.add(message);
        for (const listener of this.#listeners) this.#tell("event", () => listener.event?.(message));
      }
      before = done.match;
    }
    if (applied.length > 0) this.#lifetime.update(this.match, this.#guests());
    if (this.match.closed) this.retire();
  }

  /** R9.3: a full limit for whoever is newly to move; a refusal or somebody else's going out leaves the clock alone. */
  #runClock(before: LiveMatch, after: LiveMatch): void {
    const mover = after.engine.currentPlayer;
    if (mover === null) this.#clock.stop();
    else if (before.engine.turn !== after.engine.turn || before.engine.currentPlayer !== mover) this.#clock.start();
  }

  async #openRematchIfAllAsked(): Promise<RematchOpened | null> {
    const opened = await this.#rematch.openIfAllAsked(this.match, this.#guests());
    if (opened?.fresh) {
      for (const listener of this.#listeners) this.#tell("rematch", () => listener.rematch?.(opened.room));
      this.#lifetime.rematched();
    }
    return opened?.room ?? null;
  }

  /** Connected seats that the house does not drive. */
  #guests(): Set<PlayerId> {
    const connected = this.#presence.connected();
    return new Set(this.match.seats.filter((s) => !isHouseSeat(s) && connected.has(s.seat)).map((s) => s.seat));
  }

  /** Many people may come at once: they are told together, a moment later. */
  #presenceChanged(): void {
    if (this.#retired) return;
    this.#lifetime.update(this.match, this.#guests());
    if (this.#presenceDue) return;
    this.#presenceDue = true;
    this.#ports.clock.after(PRESENCE_WAIT_MS, () => {
      this.#presenceDue = false;
      if (this.#retired) return;
      const message = this.presence();
      for (const listener of this.#listeners) this.#tell("presence", () => listener.presence?.(message));
      // Somebody who has not asked may just have gone.
      if (this.#rematch.waiting) void this.#work("rematch", async () => (await this.#openRematchIfAllAsked()) ?? {});
    });
  }

  #around(): Surroundings {
    return {
      now: this.#ports.clock.wallMs(),
      deadline: this.#clock.deadlineWallMs(),
      connected: this.#presence.connected(),
      spectators: this.#presence.spectators,
    };
  }

  #tell(at: string, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#ports.report.error(error, { match_id: this.id, code: this.code, at: `match.${at}` });
    }
  }
}

const PRESENCE_WAIT_MS = 100;

function taken(seat: Seat): Seat {
  return { ...seat, taken: true };
}
