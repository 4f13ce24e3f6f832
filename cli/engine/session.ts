/** The matches of one engine process and what may be asked of them (PROTOCOL 9). */
import { v7 as uuid } from "uuid";
import {
  defaultOptions,
  FORMATS,
  type Format,
  INVALID_POLICIES,
  type InvalidPolicy,
  isSeed,
  legalMoves,
  type MatchEvent,
  reseed,
  type Step,
  step,
} from "../../shared/engine/index.ts";
import { seedCommitment } from "../../shared/protocol/hash.ts";
import type { MatchId } from "../../shared/protocol/ids.ts";
import type { LiveMatch } from "../../shared/protocol/match.ts";
import { type Body, type Code, type Game, openFrame, type Position, Refused, told } from "./game.ts";
import {
  batchSchema,
  complaint,
  OPS,
  type Op,
  REQUESTS,
  type Request,
  type RequestId,
  requestIdSchema,
} from "./requests.ts";

/** Positions kept for `undo` over all matches: up to 5 kB each. */
export const MAX_POSITIONS = 200_000;
export const MAX_MATCHES = 200_000;
/** UTF-16 units of all answers to one batch; what would come after is not carried out. */
export const MAX_BATCH_ANSWER = 64 * 1024 * 1024;

export class Session {
  readonly #games = new Map<string, Game>();
  #positions = 0;

  /** The answer to one line of text: one line of JSON, without its newline. Never throws. */
  answerLine(text: string): string {
    let request: unknown;
    try {
      request = JSON.parse(text);
    } catch {
      return refusal(null, "bad_json", "a request is one JSON object on one line");
    }
    return this.#answer(request, true);
  }

  #answer(request: unknown, batchAllowed: boolean): string {
    let id: RequestId = null;
    try {
      if (typeof request !== "object" || request === null || Array.isArray(request)) {
        throw new Refused("bad_request", "a request is a JSON object");
      }
      const { op } = request as { op?: unknown };
      const named = requestIdSchema.safeParse((request as { id?: unknown }).id);
      if (!named.success) throw new Refused("bad_request", "id is a text of at most 1024 characters or a number");
      id = named.data ?? null;
      if (op === "batch" && batchAllowed) return this.#batch(id, request);
      if (op === "batch") throw new Refused("bad_request", "a batch holds no batch");
      if (typeof op !== "string" || !Object.hasOwn(REQUESTS, op)) {
        throw new Refused("unknown_op", `op is one of: ${OPS.join(", ")}`);
      }
      const parsed = REQUESTS[op as Op].safeParse(request);
      if (!parsed.success) throw new Refused("bad_request", complaint(parsed.error));
      const body = this.#run(op as Op, parsed.data as never);
      return JSON.stringify({ id, ok: true, ...body });
    } catch (error) {
      if (error instanceof Refused) return refusal(id, error.code, error.message);
      return refusal(id, "internal", error instanceof Error ? error.message : "unknown");
    }
  }

  #batch(id: RequestId, request: unknown): string {
    const parsed = batchSchema.safeParse(request);
    if (!parsed.success) return refusal(id, "bad_request", complaint(parsed.error));
    const answers: string[] = [];
    let size = 0;
    for (const each of parsed.data.requests) {
      const answer: string =
        size < MAX_BATCH_ANSWER
          ? this.#answer(each, false)
          : refusal(idOf(each), "too_large", "not carried out: the answers of this batch are too large already");
      size += answer.length;
      answers.push(answer);
    }
    return `{"id":${JSON.stringify(id)},"ok":true,"answers":[${answers.join(",")}]}`;
  }

  #run<O extends Op>(op: O, request: Request<O>): Body;
  #run(op: Op, request: never): Body {
    switch (op) {
      case "new":
        return this.#open(request);
      case "play":
        return this.#play(request);
      case "legal":
        return { commands: legalMoves(this.#game(request).now.engine) };
      case "state":
        return told(this.#game(request), request);
      case "clone":
        return this.#clone(request);
      case "undo":
        return this.#undo(request);
      case "expire":
        return this.#expire(request);
      case "resign":
        return this.#out(request, "RESIGNED");
      case "abandon": {
        const game = this.#game(request);
        return this.#taken(game, step(game.now.engine, { type: "abandon" }), request);
      }
      case "close": {
        const game = this.#game(request);
        this.#games.delete(game.frame.id);
        this.#drop(game.now);
        return {};
      }
    }
  }

  #open(request: Request<"new">): Body {
    const seed = checkedSeed(request.seed);
    if (!(FORMATS as readonly string[]).includes(request.format)) {
      throw new Refused("bad_options", `format is one of: ${FORMATS.join(", ")}`);
    }
    const format = request.format as Format;
    if (request.invalid !== undefined && !(INVALID_POLICIES as readonly string[]).includes(request.invalid)) {
      throw new Refused("bad_options", `invalid is one of: ${INVALID_POLICIES.join(", ")}`);
    }
    const defaults = defaultOptions(format);
    const frame = openFrame(format, request.level, seed, {
      invalid: (request.invalid as InvalidPolicy | undefined) ?? defaults.invalid,
      orb: request.orb ?? defaults.orb,
      entropy: request.entropy ?? defaults.entropy,
    });
    const started = step(frame.engine, { type: "start" });
    if (!started.ok) throw new Refused(started.code, started.message);
    const now = this.#keep({ engine: started.match, version: frame.version + 1, before: null });
    return { match: frame.id, ...told(this.#add(frame, now), request) };
  }

  #play(request: Request<"play">): Body {
    const game = this.#game(request);
    checkPlayer(game, request.player);
    const { player, command, turn } = request;
    const action = { type: "command", player, command, ...(turn === undefined ? {} : { turn }) } as const;
    return this.#taken(game, step(game.now.engine, action), request);
  }

  #expire(request: Request<"expire">): Body {
    const { engine } = this.#game(request).now;
    if (engine.currentPlayer !== null && engine.statuses[request.player] === "ACTIVE") {
      if (engine.currentPlayer !== request.player) {
        throw new Refused("not_your_turn", `only the clock of the player to move runs: ${engine.currentPlayer}`);
      }
    }
    return this.#out(request, "TIMEOUT");
  }

  #out(request: Request<"expire" | "resign">, reason: "TIMEOUT" | "RESIGNED"): Body {
    const game = this.#game(request);
    checkPlayer(game, request.player);
    return this.#taken(game, step(game.now.engine, { type: "out", player: request.player, reason }), request);
  }

  /** Takes what a step made of a game and tells it; a refusal comes with the state too. */
  #taken(game: Game, result: Step, request: { reply?: "state" | "brief" | undefined }): Body {
    if (result.ok || result.counted) {
      const before = game.now;
      game.now = this.#keep({ engine: result.match, version: before.version + 1, before });
      game.now.holders = 1;
    }
    const events: readonly MatchEvent[] = result.events;
    const refused = result.ok ? {} : { ok: false, code: result.code, message: result.message };
    return { ...refused, ...told(game, request), events };
  }

  #clone(request: Request<"clone">): Body {
    const { frame, now } = this.#game(request);
    const id = uuid() as MatchId;
    if (request.seed === undefined) return { match: this.#add({ ...frame, id }, now).frame.id };
    // R11.4: the copy draws from a generator of its own; what was drawn before is not its past.
    const reseeded = reseed(now.engine, checkedSeed(request.seed));
    if (!reseeded.ok) throw new Refused(reseeded.code, reseeded.message);
    const start = this.#keep({ engine: reseeded.value, version: now.version, before: null });
    return { match: this.#add({ ...frame, id, commitment: seedCommitment(reseeded.value.seed) }, start).frame.id };
  }

  #undo(request: Request<"undo">): Body {
    const game = this.#game(request);
    const { before } = game.now;
    if (before === null) throw new Refused("nothing_to_undo", "this match is at its first position");
    before.holders += 1;
    this.#drop(game.now);
    game.now = before;
    return told(game, request);
  }

  #game(request: { match: string }): Game {
    const game = this.#games.get(request.match);
    if (game === undefined) throw new Refused("no_such_match", "no match of that name is open");
    return game;
  }

  #add(frame: LiveMatch, now: Position): Game {
    if (this.#games.size >= MAX_MATCHES) {
      throw new Refused("too_large", `${MAX_MATCHES} matches are open already: close those that are not needed`);
    }
    const game = { frame, now };
    this.#games.set(frame.id, game);
    now.holders += 1;
    return game;
  }

  /** Memory is the caller's to spend, up to a limit that is an answer and not an end of the process. */
  #keep(position: Omit<Position, "holders">): Position {
    if (this.#positions >= MAX_POSITIONS) {
      throw new Refused("too_large", `${MAX_POSITIONS} positions are kept already: close matches that are not needed`);
    }
    this.#positions += 1;
    return { ...position, holders: 0 };
  }

  /** One holder lets go of a position, and of those before it that nobody else holds. */
  #drop(position: Position): void {
    for (let at: Position | null = position; at !== null; at = at.before) {
      at.holders -= 1;
      if (at.holders > 0) return;
      this.#positions -= 1;
    }
  }
}

/** The answer to a line that cannot be read at all. */
export function refusal(id: RequestId, code: Code, message: string): string {
  return JSON.stringify({ id, ok: false, code, message });
}

function idOf(request: unknown): RequestId {
  const id = typeof request === "object" && request !== null ? (request as { id?: unknown }).id : null;
  return requestIdSchema.safeParse(id).data ?? null;
}

function checkedSeed(seed: unknown): string {
  if (typeof seed === "string" && isSeed(seed)) return seed;
  throw new Refused("bad_seed", "a seed is 32 lower-case hex digits, not all zero");
}

function checkPlayer(game: Game, player: string): void {
  const { players } = game.now.engine;
  if (!(players as readonly string[]).includes(player)) {
    throw new Refused("bad_request", `player is one of: ${players.join(", ")}`);
  }
}
