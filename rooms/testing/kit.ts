/** For tests of the rooms: a clock that is moved by hand and a log in memory that can be told to fail. */
import { v7 as uuidV7 } from "uuid";
import { type Format, legalMoves, PLAYERS_OF, type PlayerId } from "../../shared/engine/index.ts";
import type { IdentityId, MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry, RoomOptions, SeatSpec } from "../../shared/protocol/log.ts";
import type { EventMessage, PresenceMessage } from "../../shared/protocol/messages.ts";
import { MatchHolder } from "../MatchHolder.ts";
import { type Clock, type MatchLog, type RoomPorts, type SeatClaim, StoreUnavailable } from "../ports.ts";
import type { RematchOpened, RematchPlan, RematchPlayer } from "../rematch.ts";

export class ManualClock implements Clock {
  #now = 1_000;
  #wallOffset = 1_800_000_000_000;
  readonly #timers = new Set<{ readonly at: number; readonly then: () => void }>();

  wallMs(): number {
    return this.#now + this.#wallOffset;
  }
  monotonicMs(): number {
    return this.#now;
  }
  after(ms: number, then: () => void): () => void {
    const timer = { at: this.#now + ms, then };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
  /** Lets time pass in order: every timer runs at its instant, and what it set off is finished first. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.then();
      await settled();
    }
    this.#now = end;
    await settled();
  }
  /** Time passes while nothing runs: the process stands still, then every timer that is due runs late. */
  async stall(ms: number): Promise<void> {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.then();
    }
    await settled();
  }
  /** Puts the clock forward without running timers: something arrives before they are looked at. */
  skip(ms: number): void {
    this.#now += ms;
  }
  get waiting(): number {
    return this.#timers.size;
  }
}

/** Resolves when everything that needs no further event is done. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

type Trouble = "none" | "refuse" | "lose-answer" | "hold";

export class MemoryLog implements MatchLog {
  readonly entries = new Map<MatchId, LogEntry[]>();
  readonly signs: { readonly match: MatchId; readonly elapsedMs: number }[] = [];
  /** `refuse`: nothing is stored and it rejects; `lose-answer`: it is stored and rejects; `hold`: waits for `letGo`. */
  trouble: Trouble = "none";
  unreadable = false;
  #held: (() => void)[] = [];

  async create(entry: CreatedEntry): Promise<void> {
    if (this.trouble === "refuse") throw new StoreUnavailable("told to fail");
    this.entries.set(entry.match_id, [entry]);
  }
  async append(matchId: MatchId, version: number, entries: readonly LogEntry[]): Promise<void> {
    if (this.trouble === "hold") await new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.trouble === "refuse") throw new StoreUnavailable("told to fail");
    const log = this.entries.get(matchId) ?? [];
    if (log.length !== version) throw new Error(`version ${version}, but there are ${log.length}`);
    log.push(...structuredClone(entries));
    if (this.trouble === "lose-answer") throw new StoreUnavailable("told to fail");
  }
  async read(matchId: MatchId): Promise<readonly LogEntry[] | null> {
    if (this.unreadable) throw new StoreUnavailable("told to fail");
    return structuredClone(this.entries.get(matchId) ?? null);
  }
  alive(match: MatchId, elapsedMs: number): void {
    this.signs.push({ match, elapsedMs });
  }
  letGo(): void {
    this.trouble = "none";
    for (const go of this.#held.splice(0)) go();
  }
}

export const plainTokens = {
  issue: (claim: SeatClaim) => JSON.stringify(claim),
  verify: (token: string) => (token.startsWith("{") ? (JSON.parse(token) as SeatClaim) : null),
};

export interface Bench {
  readonly clock: ManualClock;
  readonly log: MemoryLog;
  readonly errors: unknown[];
  readonly holder: MatchHolder;
  readonly events: EventMessage[];
  readonly presence: PresenceMessage[];
  readonly rematches: RematchPlan[];
  readonly told: RematchOpened[];
  readonly ports: RoomPorts;
  retired: boolean;
  /** Whether the match is surely still this process's. */
  sure: boolean;
  /** The first legal command of the player to move. */
  legal(index?: number): string;
}

export interface BenchOptions {
  readonly format?: Format;
  readonly level?: number;
  readonly seats?: readonly SeatSpec[];
  readonly options?: Partial<RoomOptions>;
  readonly seed?: string;
}

export const SEED = "5f3bedef890f10583eb6bfc54e50c924";
const FREE: SeatSpec = { kind: "any", brain: null, style: null, name: null };

export function createdEntry(options: BenchOptions = {}): CreatedEntry {
  const { format = "1v1", level = 1 } = options;
  return {
    type: "created",
    at_ms: 1_800_000_000_000,
    match_id: uuidV7() as MatchId,
    room_code: "IXENT-ABC234" as RoomCode,
    rules: 1,
    format,
    level,
    kind: "casual",
    seed: options.seed ?? SEED,
    options: {
      invalid: format === "solo" ? "lose_turn" : "retry",
      orb: true,
      entropy: true,
      turn_seconds: 60,
      legal_list: true,
      private: false,
      ...options.options,
    },
    seats: options.seats ?? Array.from({ length: PLAYERS_OF[format].length }, () => FREE),
    host: null,
    preset: null,
    rematch_of: null,
  };
}

/** A holder on a manual clock, with everything it tells written down. */
export async function bench(options: BenchOptions = {}): Promise<Bench> {
  const clock = new ManualClock();
  const log = new MemoryLog();
  return follow(clock, log, (ports, hooks) => MatchHolder.open(ports, hooks, createdEntry(options)));
}

/** A second holder of the same log, as after a restart. */
export async function again(before: Bench, aliveElapsedMs: number | null): Promise<Bench> {
  const entries = await before.log.read(before.holder.id);
  return follow(before.clock, before.log, async (ports, hooks) =>
    MatchHolder.resume(ports, hooks, entries ?? [], aliveElapsedMs),
  );
}

type Hooks = Parameters<typeof MatchHolder.open>[1];

async function follow(
  clock: ManualClock,
  log: MemoryLog,
  open: (ports: RoomPorts, hooks: Hooks) => Promise<MatchHolder>,
): Promise<Bench> {
  const errors: unknown[] = [];
  const events: EventMessage[] = [];
  const presence: PresenceMessage[] = [];
  const rematches: RematchPlan[] = [];
  const told: RematchOpened[] = [];
  const ports: RoomPorts = {
    log,
    clock,
    tokens: plainTokens,
    bots: { knows: () => true, offered: () => [], drive: async () => {}, release: () => {} },
    report: { error: (error) => void errors.push(error), info: () => {} },
  };
  const self = { retired: false, sure: true };
  const hooks: Hooks = {
    sure: () => self.sure,
    async openRematch(plan) {
      rematches.push(plan);
      const code = "IXENT-ZZZ999" as RoomCode;
      const match_id = uuidV7() as MatchId;
      const told = ({ seat }: RematchPlayer) => ({ code, match_id, seat, seat_token: `token ${seat}` });
      return {
        code,
        match_id,
        seats: new Map(plan.players.map((p) => [p.was, told(p)])),
        seatLate: async (player) => told(player),
      };
    },
    retired: () => {
      self.retired = true;
    },
  };
  const holder = await open(ports, hooks);
  holder.listen({
    event: (message) => void events.push(message),
    presence: (message) => void presence.push(message),
    rematch: (opened) => void told.push(opened),
  });
  return Object.assign(self, {
    clock,
    log,
    errors,
    holder,
    events,
    presence,
    rematches,
    told,
    ports,
    legal: (index = 0) => {
      const all = legalMoves(holder.match.engine);
      return all[index % all.length] ?? "";
    },
  });
}

export function identity(name: string): IdentityId {
  return `id-${name}` as IdentityId;
}

/** Seats one guest a seat until the match starts. */
export async function seatAll({ holder }: Bench, kind: "human" | "ai" = "human"): Promise<PlayerId[]> {
  const seats: PlayerId[] = [];
  for (const seat of holder.match.seats) {
    const joined = await holder.join({ identity: identity(seat.seat), name: seat.seat, kind });
    if (joined.ok) seats.push(joined.seat);
  }
  return seats;
}
