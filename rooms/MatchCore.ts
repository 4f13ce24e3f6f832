/**
 * What keeps one match: its queue, its log, its clocks and those who follow it. The commands are in MatchHolder.
 * An entry becomes state only when it is durable; only then do answers and broadcasts go out (PROTOCOL 2).
 */
import type { PlayerId, Step } from "../shared/engine/index.ts";
import { type Refusal, RefusalError, refuse } from "../shared/protocol/codes.ts";
import type { MatchId, RoomCode } from "../shared/protocol/ids.ts";
import type { LogEntry } from "../shared/protocol/log.ts";
import type { Applied, LiveMatch } from "../shared/protocol/match.ts";
import type { PresenceMessage, SyncAnswer } from "../shared/protocol/messages.ts";
import type { NativeState, Viewer } from "../shared/protocol/state.ts";
import { type Surroundings, view } from "../shared/protocol/view.ts";
import { Audience } from "./audience.ts";
import type { MatchListener } from "./contract.ts";
import { Journal, NotStored } from "./journal.ts";
import { Lifetime } from "./lifetime.ts";
import { eventMessages } from "./messages.ts";
import type { RoomPorts } from "./ports.ts";
import { Presence } from "./presence.ts";
import { CommandQueue, QueueFull } from "./queue.ts";
import { isHouseSeat } from "./seating.ts";
import { TurnClock } from "./turnClock.ts";

export interface CoreHooks {
  /** Nobody has done anything for too long. */
  idle(): void;
  /** Connections have changed. */
  presence(): void;
  /** Seats that have asked for a rematch. */
  asked(): readonly PlayerId[];
  retired(): void;
}

export class MatchCore {
  readonly #ports: RoomPorts;
  readonly #hooks: CoreHooks;
  readonly #journal: Journal;
  readonly #queue = new CommandQueue();
  readonly #audience: Audience;
  readonly #presence: Presence;
  readonly #clock: TurnClock;
  readonly #lifetime: Lifetime;
  #committing = false;
  #retired = false;

  /** `idleForMs`: how long ago the last entry was stored. */
  constructor(ports: RoomPorts, hooks: CoreHooks, match: LiveMatch, idleForMs: number) {
    this.#ports = ports;
    this.#hooks = hooks;
    this.#journal = new Journal(ports.log, match);
    const seconds = match.options.turn_seconds;
    this.#clock = new TurnClock(ports.clock, seconds === null ? null : seconds * 1_000, {
      expired: () => void this.work("clock", (at) => this.timeOutIfDue(at)),
      // While an entry is on its way the turn it belongs to may end: the sign would be taken for the next one's.
      alive: (elapsedMs) => void (this.#committing || ports.log.alive(match.id, elapsedMs)),
      shifted: () => this.presenceChanged(),
    });
    this.#audience = new Audience(ports.clock, (error, at) => this.#report(error, at));
    this.#presence = new Presence(ports.clock, () => this.presenceChanged());
    const lifetime = { close: () => hooks.idle(), abandon: () => hooks.idle(), retire: () => this.retire() };
    this.#lifetime = new Lifetime(ports.clock, lifetime, idleForMs);
    this.#lifetime.update(match, this.guests());
  }

  get id(): MatchId {
    return this.match.id;
  }
  get code(): RoomCode {
    return this.match.code;
  }
  get match(): LiveMatch {
    return this.#journal.match;
  }
  get retired(): boolean {
    return this.#retired;
  }
  get connections(): Pick<Presence, "open" | "called" | "forget" | "connected" | "spectators"> {
    return this.#presence;
  }

  view(viewer: Viewer): NativeState {
    return view(this.match, viewer, this.#around());
  }

  presence(): PresenceMessage {
    return {
      connected: [...this.#presence.connected()].sort(),
      spectators: this.#presence.spectators,
      deadline_ms: this.#clock.deadlineWallMs(),
      server_time_ms: this.#ports.clock.wallMs(),
      rematch: this.#hooks.asked(),
    };
  }

  sync(version: number, viewer: Viewer): SyncAnswer {
    const now = this.match.version;
    if (version === now) return { kind: "current" };
    const events = version > 0 ? this.#audience.since(version, now) : null;
    if (events !== null) return { kind: "events", events, presence: this.presence() };
    return { kind: "state", state: this.view(viewer), seat: viewer };
  }

  listen(listener: MatchListener): () => void {
    return this.#audience.listen(listener);
  }

  tellRematch(opened: Parameters<Audience["rematch"]>[0]): void {
    this.#audience.rematch(opened);
    this.#lifetime.rematched();
  }

  /** Connected seats that the house does not drive. */
  guests(): Set<PlayerId> {
    const connected = this.#presence.connected();
    return new Set(this.match.seats.filter((s) => !isHouseSeat(s) && connected.has(s.seat)).map((s) => s.seat));
  }

  presenceChanged(): void {
    if (this.#retired) return;
    this.#lifetime.update(this.match, this.guests());
    this.#audience.presenceSoon(() => this.presence());
    this.#hooks.presence();
  }

  /** Waits for idleness once more. */
  idleAgain(): void {
    this.#lifetime.again(this.match, this.guests());
  }

  /**
   * Lets go of the match: clocks stop, followers are told. What is on its way to the log is finished.
   * `moved`: another process goes on with it, so whoever follows shall come again.
   */
  retire(moved = false): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#stop();
    this.#audience.retire(moved);
    this.#hooks.retired();
  }

  /** Stops without letting go, for the end of the process: notes how far the clock ran and waits for the queue. */
  async suspend(): Promise<void> {
    this.#retired = true;
    await this.#queue.idle();
    if (this.#clock.running && this.match.options.turn_seconds !== null) {
      this.#ports.log.alive(this.id, this.#clock.elapsedAt(this.#clock.look()));
    }
    this.#stop();
  }

  /** Runs the mover's clock on from `elapsedMs`, after a time in which nobody held the match (R9.4). */
  resumeClock(elapsedMs: number): void {
    this.#clock.resume(elapsedMs);
  }

  elapsedAt(instant: number): number {
    return this.#clock.elapsedAt(instant);
  }

  /**
   * Runs one command of the queue; it arrived at the instant at which this is called (R9.2), which it is given.
   * Whatever goes wrong becomes a refusal: an exception ends neither the match nor the process.
   */
  async work<T extends object>(at: string, work: (arrivedMs: number) => Promise<T>): Promise<T | Refusal> {
    const arrivedMs = this.#clock.look();
    if (this.#retired) return refuse("unavailable", "This match is being handed over; try again.", 1);
    try {
      return await this.#queue.run(async () => {
        await this.#refresh();
        return work(arrivedMs);
      });
    } catch (error) {
      if (error instanceof QueueFull) return refuse("rate_limited", "Too many commands are waiting.", 1);
      if (error instanceof RefusalError) return error.refusal;
      this.#report(error, at);
      if (!(error instanceof NotStored)) return refuse("internal", "Something went wrong here; nothing has changed.");
      // The player could not help it: the clock goes on from where it was when the command came (as in R9.4).
      if (this.#clock.running) this.#clock.resume(this.#clock.elapsedAt(arrivedMs));
      return refuse("unavailable", "It could not be stored; ask again.", 1);
    }
  }

  /** What a failed append left open is settled before the next command is looked at. */
  async #refresh(): Promise<void> {
    const before = this.match;
    this.#publish(before, await this.#journal.refresh());
  }

  /** Stores entries, all or none; then they are state and are told. Throws NotStored. `done` as in `Journal.commit`. */
  async commit(entries: readonly LogEntry[], done?: Step): Promise<readonly Applied[]> {
    const before = this.match;
    this.#committing = true;
    try {
      const applied = await this.#journal.commit(entries, done);
      this.#publish(before, applied);
      return applied;
    } catch (error) {
      if (error instanceof NotStored) this.#publish(before, error.found);
      throw error;
    } finally {
      this.#committing = false;
    }
  }

  /** R9.2: the mover is out when the limit had passed at `instant`. To be called from the queue. */
  async timeOutIfDue(instant: number): Promise<object> {
    const player = this.match.engine.currentPlayer;
    if (player !== null && this.#clock.expiredAt(instant)) {
      const elapsed_ms = this.#clock.elapsedAt(instant);
      await this.commit([{ type: "out", player, reason: "TIMEOUT", elapsed_ms, at_ms: this.#ports.clock.wallMs() }]);
    }
    return {};
  }

  #publish(from: LiveMatch, applied: readonly Applied[]): void {
    let before = from;
    for (const done of applied) {
      this.#runClock(before, done.match);
      for (const message of eventMessages(before, done, this.#around())) this.#audience.event(message);
      before = done.match;
    }
    if (applied.length > 0) this.#lifetime.update(this.match, this.guests());
    if (this.match.closed) this.retire();
  }

  /** R9.3: a full limit for whoever is newly to move; a refusal or somebody else's going out leaves the clock alone. */
  #runClock(before: LiveMatch, after: LiveMatch): void {
    const mover = after.engine.currentPlayer;
    if (mover === null) this.#clock.stop();
    else if (before.engine.turn !== after.engine.turn || before.engine.currentPlayer !== mover) this.#clock.start();
  }

  #around(): Surroundings {
    return {
      now: this.#ports.clock.wallMs(),
      deadline: this.#clock.deadlineWallMs(),
      connected: this.#presence.connected(),
      spectators: this.#presence.spectators,
    };
  }

  #stop(): void {
    this.#clock.stop();
    this.#lifetime.stop();
    this.#presence.stop();
    this.#audience.stop();
  }

  #report(error: unknown, at: string): void {
    this.#ports.report.error(error, { match_id: this.id, code: this.code, at: `match.${at}` });
  }
}
