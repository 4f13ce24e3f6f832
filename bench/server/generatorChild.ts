/** One process of the load generator: rooms with two bots that move as fast as they are answered, and spectators. */
import type { WebSocket } from "ws";
import { duel, requestFrame, type Turn } from "./script.ts";
import { type Door, enter, post, times } from "./sockets.ts";

export interface Plan {
  readonly door: Door;
  readonly level: number;
  readonly rooms: number;
  readonly spectators: number;
  /** Of the rooms that a baseline has made. */
  readonly keys: readonly string[];
  /** Whether the players hold sockets; without them a room of the server is live all the same. */
  readonly sockets: boolean;
  /** Whether the second seat is taken, which starts the match. */
  readonly live: boolean;
  /** From where spectators come. */
  readonly localAddress: string;
}

export type ToGenerator =
  | { readonly do: "setUp"; readonly plan: Plan }
  /** Every room makes so many moves; left out: until it is told to stop. */
  | { readonly do: "play"; readonly moves?: number }
  | { readonly do: "mark" }
  | { readonly do: "freeze" }
  | { readonly do: "stop" };

export interface Figures {
  /** Answered since `mark`, until `freeze`. */
  readonly moves: number;
  readonly deliveries: number;
  readonly milliseconds: number;
  readonly latencies: readonly number[];
}

export interface Room {
  readonly match_id: string;
  readonly code: string;
  readonly seat_token: string;
}

export interface FromGenerator {
  readonly ready?: true;
  readonly rooms?: readonly Room[];
  readonly figures?: Figures;
  /** Everybody has made the moves that were asked for. `lastMs`: from the first move to the last event that came. */
  readonly played?: { readonly moves: number; readonly lastMs: number };
  /** All that was answered from the beginning, and rooms whose duel was too short. */
  readonly stopped?: { readonly moves: number; readonly exhausted: number };
  readonly failed?: string;
}

const AT_ONCE = 24;

let latencies: number[] = [];
let moves = 0;
let windowMoves = 0;
let deliveries = 0;
let exhausted = 0;
let markedMs = 0;
let lastEventMs = 0;
let frozen: Figures | null = null;
let stopping = false;
let limit = Number.POSITIVE_INFINITY;

class Bots {
  readonly #turns: readonly Turn[];
  readonly #endless: boolean;
  readonly #sockets: (WebSocket | null)[] = [null, null];
  #turn = 0;
  #until = 0;
  /** Events of turns, and when the move was sent that is not answered yet, by seat. */
  readonly #heard = [0, 0];
  readonly #sentMs = [0, 0];
  #waiting = 0;
  #idle = () => {};

  constructor(turns: readonly Turn[], endless: boolean) {
    this.#turns = turns;
    this.#endless = endless;
  }

  async enter(door: Door, key: string, seat: 0 | 1, options: object): Promise<void> {
    this.#sockets[seat] = await enter(door, key, options, {
      answered: () => this.#answered(seat),
      event: () => {
        // The two sockets hear of a turn one after the other, in any order.
        this.#heard[seat] = (this.#heard[seat] ?? 0) + 1;
        if (this.#next?.mover === seat && this.#heard[seat] === this.#turn) this.#move();
      },
    });
  }

  /** Resolves when the moves that were asked for have been answered. */
  play(): Promise<void> {
    this.#until = this.#turn + limit;
    return new Promise((resolve) => {
      this.#idle = resolve;
      this.#move();
    });
  }

  get #next(): Turn | undefined {
    return this.#turns[this.#endless ? this.#turn % this.#turns.length : this.#turn];
  }

  #move(): void {
    const turn = this.#turn;
    const next = this.#next;
    if (next === undefined) exhausted++;
    if (next === undefined || stopping || turn >= this.#until) {
      if (this.#waiting === 0) this.#idle();
      return;
    }
    this.#turn++;
    this.#waiting++;
    this.#sentMs[next.mover] = performance.now();
    this.#sockets[next.mover]?.send(requestFrame(turn, next.command));
  }

  #answered(seat: 0 | 1): void {
    const took = performance.now() - (this.#sentMs[seat] ?? 0);
    this.#waiting--;
    moves++;
    if (markedMs > 0 && frozen === null) {
      windowMoves++;
      latencies.push(took);
    }
    if (this.#waiting === 0 && (stopping || this.#turn >= this.#until)) this.#idle();
  }
}

let all: Bots[] = [];
let playing: Promise<unknown> = Promise.resolve();

async function setUp(plan: Plan): Promise<readonly Room[]> {
  const { door } = plan;
  const turns = duel(plan.level);
  const rooms: Room[] = [];
  const host = door.kind === "gearmice" ? await identity(door.url, "Host") : null;
  const guest = door.kind === "gearmice" ? await identity(door.url, "Guest") : null;
  all = await times(plan.rooms, AT_ONCE, async (i) => {
    const bots = new Bots(turns, door.kind !== "gearmice");
    let key = plan.keys[i] ?? "";
    const options: object[] = [{}, {}];
    if (host !== null && guest !== null) {
      const request = { format: "1v1", level: plan.level };
      const made = await post<Room>(`${door.url}/api/v1/rooms`, host, request);
      rooms.push({ match_id: made.match_id, code: made.code, seat_token: made.seat_token });
      options[0] = { seatToken: made.seat_token };
      key = made.code;
      if (plan.live) {
        const joined = await post<Room>(`${door.url}/api/v1/rooms/${key}/join`, guest, {});
        options[1] = { seatToken: joined.seat_token };
      }
    }
    if (plan.sockets) await bots.enter(door, key, 0, options[0] as object);
    if (plan.sockets && plan.live) await bots.enter(door, key, 1, options[1] as object);
    await times(plan.spectators, AT_ONCE, () => enter(door, key, { watch: true }, spectator, plan.localAddress));
    return bots;
  });
  return rooms;
}

const spectator = {
  event: () => {
    if (markedMs > 0 && frozen === null) deliveries++;
    lastEventMs = performance.now();
  },
};

async function identity(url: string, name: string): Promise<string> {
  return (await post<{ token: string }>(`${url}/api/v1/identities`, null, { name })).token;
}

function tell(message: FromGenerator): void {
  process.send?.(message);
}

async function act(message: ToGenerator): Promise<void> {
  switch (message.do) {
    case "setUp":
      return tell({ ready: true, rooms: await setUp(message.plan) });
    case "play": {
      limit = message.moves ?? Number.POSITIVE_INFINITY;
      const [before, fromMs] = [moves, performance.now()];
      playing = Promise.all(all.map((bots) => bots.play()));
      if (message.moves === undefined) return;
      await playing;
      // Spectators hear of the last move after the mover has been answered.
      for (let heard = -1; heard !== lastEventMs; ) {
        heard = lastEventMs;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      return tell({ played: { moves: moves - before, lastMs: lastEventMs - fromMs } });
    }
    case "mark":
      [windowMoves, deliveries, latencies, frozen, markedMs] = [0, 0, [], null, performance.now()];
      return;
    case "freeze":
      frozen = { moves: windowMoves, deliveries, milliseconds: performance.now() - markedMs, latencies };
      return tell({ figures: frozen });
    case "stop":
      stopping = true;
      await playing;
      return tell({ stopped: { moves, exhausted } });
  }
}

if (import.meta.main) {
  process.on("message", (message: ToGenerator) => {
    act(message).catch((error: unknown) => tell({ failed: String(error) }));
  });
  process.on("disconnect", () => process.exit());
}
