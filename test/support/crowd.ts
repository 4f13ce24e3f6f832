/**
 * Many matches played at full pace over HTTP by clients that never give up: what has no answer is asked again, as
 * PROTOCOL 2 and 5 have it. Everything that a server acknowledged is written down here, outside of every server.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { random } from "../../agents/brains/random.ts";
import type { Format, PlayerId } from "../../shared/engine/index.ts";
import { readRefusal } from "../../shared/protocol/codes.ts";
import type { NativeState } from "../../shared/protocol/state.ts";

/** How long an answer may take until it counts as lost. */
const ANSWER_MS = 4_000;
const SEARCH_SEED = "00000000000000000000000000000007";
/** One in so many commands is one that the rules refuse. */
const WRONG_EVERY = 40;
const WRONG = "G9@P11+90";
const IDENTITIES = 40;
const FORMATS: readonly Format[] = ["solo", "1v1", "1v1", "solo", "1v1", "ffa4", "solo", "1v1", "1v1", "2v2"];

export interface Seated {
  readonly seat: PlayerId;
  readonly token: string;
  /** Name of the identity that sits here; no two have the same. */
  readonly name: string;
}

/** What a server has said yes to, or has refused in a way that counts (R8.1). */
export interface Acknowledged {
  readonly type: "turn" | "refused" | "resigned";
  readonly seat: PlayerId;
  readonly turn: number;
  readonly command: string;
  /** It had been stored before, and the answer was lost. */
  readonly repeated: boolean;
}

export interface Game {
  readonly format: Format;
  readonly code: string;
  readonly id: string;
  readonly seats: readonly Seated[];
  readonly acknowledged: Acknowledged[];
  over: boolean;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
}

export interface CrowdOptions {
  /** Matches at once; whoever ends one begins another. */
  readonly matches: number;
  /** Where clients may knock, at this moment. */
  doors(): readonly string[];
}

export class Crowd {
  readonly games: Game[] = [];
  /** Answers that no client should have got. */
  readonly surprises: string[] = [];
  readonly #options: CrowdOptions;
  readonly #agent = new Agent({ connections: 64, pipelining: 1 });
  readonly #identities: { readonly name: string; readonly token: string }[] = [];
  #acks = 0;
  #knocks = 0;
  #sent = 0;
  #stopping = false;
  #playing: Promise<unknown> = Promise.resolve();
  #players = 0;

  constructor(options: CrowdOptions) {
    this.#options = options;
  }

  /** Acknowledged commands so far. */
  get acks(): number {
    return this.#acks;
  }

  /** Resolves when every match has begun; they go on from here on. */
  async start(): Promise<void> {
    const { matches } = this.#options;
    for (let i = 0; i < IDENTITIES; i++) {
      const { body } = await this.insist("POST", "/identities", null, { name: `Player ${i}` });
      this.#identities.push(body);
    }
    let begun = 0;
    const all = Promise.withResolvers<void>();
    const slots = Array.from({ length: matches }, (_, slot) =>
      this.#slot(slot, () => ++begun === matches && all.resolve()),
    );
    this.#playing = Promise.all(slots);
    await Promise.race([all.promise, this.#playing]);
  }

  /** Resolves when there are `count` more acknowledgements; rejects when players have given up. */
  async played(count: number): Promise<void> {
    const goal = this.#acks + count;
    while (this.#acks < goal) {
      if (this.#players === 0) throw new Error(`nobody plays any more: ${this.surprises[0] ?? ""}`);
      await sleep(5);
    }
  }

  /** Everybody waits for the answer that is due, and then stops where they are. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#playing;
  }

  /** Resigns what is not over, seat by seat, so that every match has a record. */
  async finish(): Promise<void> {
    await this.stop();
    const left = this.games.filter(({ over }) => !over);
    await inTurn(left, 32, async (game) => {
      for (const { seat, token } of game.seats) {
        if (game.over) break;
        await this.#resign(game, seat, token);
      }
    });
  }

  async close(): Promise<void> {
    this.#stopping = true;
    await this.#agent.destroy();
    await this.#playing.catch(() => {});
  }

  /** One call; null when it got no answer, whatever the reason. */
  async call(method: "GET" | "POST", path: string, token: string | null, body?: object): Promise<Answer | null> {
    const doors = this.#options.doors();
    const door = doors[this.#knocks++ % Math.max(1, doors.length)];
    if (door === undefined) return null;
    try {
      const answer = await request(`${door}/api/v1${path}`, {
        dispatcher: this.#agent,
        method,
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {
          "content-type": "application/json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await answer.body.text();
      const isJson = String(answer.headers["content-type"]).startsWith("application/json");
      return { status: answer.statusCode, body: isJson ? JSON.parse(text) : text };
    } catch {
      return null;
    }
  }

  /** Calls until there is an answer other than "not now". */
  async insist(
    method: "GET" | "POST",
    path: string,
    token: string | null,
    body?: object,
    withinMs = 60_000,
  ): Promise<Answer> {
    const until = Date.now() + withinMs;
    for (let tries = 0; ; tries++) {
      const answer = await this.call(method, path, token, body);
      const later = answer === null || answer.status === 503 || answer.status === 429;
      if (!later) return answer;
      if (Date.now() > until)
        throw new Error(`${method} ${path}: no answer in ${withinMs} ms (last: ${answer?.status})`);
      await sleep(Math.min(200, 10 * 2 ** tries) * (0.5 + Math.random() / 2));
    }
  }

  async #slot(slot: number, begun: () => void): Promise<void> {
    this.#players++;
    let first = true;
    try {
      for (let round = 0; !this.#stopping; round++) {
        const game = await this.#open(FORMATS[(slot + round) % FORMATS.length] as Format, slot);
        if (game === null) continue;
        if (first) begun();
        first = false;
        await this.#play(game);
      }
    } catch (error) {
      if (!this.#stopping) this.surprises.push(`slot ${slot}: ${String(error)}`);
    } finally {
      this.#players--;
    }
  }

  /** Null when the crowd stops before everybody is seated. */
  async #open(format: Format, slot: number): Promise<Game | null> {
    const identity = (n: number) =>
      this.#identities[(slot + n) % this.#identities.length] as { name: string; token: string };
    const host = identity(0);
    const made = await this.insist("POST", "/rooms", host.token, { format, level: 1, turn_seconds: 600 });
    if (made.status !== 201) throw new Error(`creating: ${describe(made)}`);
    const { code, match_id: id, seat, seat_token } = made.body;
    const seats: Seated[] = [{ seat, token: seat_token, name: host.name }];
    const count = { solo: 1, "1v1": 2, "2v2": 4, ffa4: 4 }[format];
    for (let n = 1; n < count; n++) {
      const guest = identity(n);
      const joined = await this.insist("POST", `/rooms/${code}/join`, guest.token, {});
      if (joined.status !== 200) throw new Error(`joining ${code}: ${describe(joined)}`);
      seats.push({ seat: joined.body.seat, token: joined.body.seat_token, name: guest.name });
    }
    const game: Game = { format, code, id, seats, acknowledged: [], over: false };
    this.games.push(game);
    return game;
  }

  async #play(game: Game): Promise<void> {
    const brain = random.create(SEARCH_SEED);
    const first = await this.insist("GET", `/matches/${game.id}/state`, game.seats[0]?.token ?? null);
    let state: NativeState = first.body;
    /** Ten in one turn would lose it (R8.3). */
    let wrongIn = -1;
    while (state.meta.phase === "playing" && !this.#stopping) {
      const mover = state.meta.current_player as PlayerId;
      const token = game.seats.find(({ seat }) => seat === mover)?.token ?? null;
      const wrong = ++this.#sent % WRONG_EVERY === 0 && state.meta.turn !== wrongIn;
      if (wrong) wrongIn = state.meta.turn;
      const command = wrong ? WRONG : (await brain.choose(state, mover, { remainingMs: 1_000 })).command;
      const { turn } = state.meta;
      const answer = await this.insist("POST", `/matches/${game.id}/moves`, token, { turn, command });
      const repeated = answer.body.repeated === true;
      const refusal = readRefusal(answer.body);
      if (answer.status === 200) this.#acknowledge(game, { type: "turn", seat: mover, turn, command, repeated });
      else if (wrong && refusal?.code === "syntax") {
        this.#acknowledge(game, { type: "refused", seat: mover, turn, command, repeated });
      } else if (!(wrong && isLate(refusal?.code))) {
        this.surprises.push(`${game.format} ${game.id} ${mover} turn ${turn} ${command}: ${describe(answer)}`);
        return;
      }
      state = answer.body.state;
    }
    game.over = state.meta.phase === "over";
  }

  async #resign(game: Game, seat: PlayerId, token: string): Promise<void> {
    const answer = await this.insist("POST", `/matches/${game.id}/resign`, token, {});
    const code = readRefusal(answer.body)?.code;
    // An answer that was lost: it counted, and is not said twice.
    if (answer.status !== 200 && code !== "match_over" && code !== "player_out") {
      this.surprises.push(`resigning ${game.id} ${seat}: ${describe(answer)}`);
    }
    this.#acknowledge(game, { type: "resigned", seat, turn: -1, command: "", repeated: answer.status !== 200 });
    const state = await this.insist("GET", `/matches/${game.id}/state`, token);
    game.over = state.body.meta?.phase === "over";
  }

  #acknowledge(game: Game, acknowledged: Acknowledged): void {
    game.acknowledged.push(acknowledged);
    this.#acks++;
  }
}

/** A refused command costs a Solo turn (R8.2); asked again after a lost answer, it names a turn that is past. */
function isLate(code: string | undefined): boolean {
  return code === "stale_turn" || code === "not_your_turn" || code === "match_over";
}

export function describe({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body?.error ?? body).slice(0, 200)}`;
}

/** Runs `work` over all items, so many at once. */
export async function inTurn<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
