/** From a request to the first entry of a match: defaults filled in, options that do not fit refused. */
import { randomBytes } from "node:crypto";
import { v7 as uuidV7 } from "uuid";
import { createMatch, defaultOptions, type Format, levelOf, PLAYERS_OF } from "../shared/engine/index.ts";
import { STYLE_NAMES, styleOf } from "../shared/prompts/styles.ts";
import { type Answer, type Refusal, refuse } from "../shared/protocol/codes.ts";
import type { IdentityId, MatchId, RoomCode } from "../shared/protocol/ids.ts";
import type { CreatedEntry, Kind, RoomOptions, SeatSpec, SessionTag } from "../shared/protocol/log.ts";
import { MODEL_PREFIX } from "../shared/protocol/models.ts";
import { presetById } from "../shared/protocol/presets.ts";
import type { CreateRoomRequest } from "../shared/protocol/requests.ts";

/** What a match is made of, apart from ids, seed and instant. */
export interface MatchPlan {
  readonly format: Format;
  readonly level: number;
  readonly kind: Kind;
  readonly options: RoomOptions;
  readonly seats: readonly SeatSpec[];
  readonly preset: string | null;
  readonly rematch_of: MatchId | null;
  readonly session?: SessionTag;
}

export interface PlanContext {
  readonly turnSeconds: number;
  knowsBrain(brain: string): boolean;
}

const FREE: SeatSpec = { kind: "any", brain: null, style: null, name: null };

export function planMatch(request: CreateRoomRequest, context: PlanContext): Answer<{ readonly plan: MatchPlan }> {
  if ("preset" in request) {
    const preset = presetById(request.preset);
    if (preset === null) return bad("There is no such preset.");
    const { format, level, seats, id } = preset;
    const options = { ...defaultOptions(format), turn_seconds: context.turnSeconds, legal_list: true, private: false };
    return checked({ format, level, kind: "casual", options, seats, preset: id, rematch_of: null }, context);
  }
  const { format, level } = request;
  const kind = request.kind ?? "casual";
  const defaults = defaultOptions(format);
  const seats = request.seats?.map(
    (seat): SeatSpec => ({
      kind: seat.kind,
      brain: seat.brain ?? null,
      style: seat.style ?? null,
      name: seat.name ?? null,
    }),
  );
  const options: RoomOptions = {
    invalid: request.invalid ?? defaults.invalid,
    orb: request.orb ?? defaults.orb,
    entropy: request.entropy ?? defaults.entropy,
    turn_seconds: request.turn_seconds === undefined ? context.turnSeconds : request.turn_seconds,
    // A benchmark is played without help.
    legal_list: request.legal_list ?? kind !== "benchmark",
    private: request.private ?? kind === "lab",
  };
  const players = PLAYERS_OF[format].length;
  return checked(
    {
      format,
      level,
      kind,
      options,
      seats: seats ?? Array.from({ length: players }, () => FREE),
      preset: null,
      rematch_of: null,
    },
    context,
  );
}

function checked(plan: MatchPlan, context: PlanContext): Answer<{ readonly plan: MatchPlan }> {
  const wrong = fault(plan, context);
  return wrong ?? { ok: true, plan };
}

function fault({ format, level, kind, options, seats }: MatchPlan, context: PlanContext): Refusal | null {
  if (levelOf(format, level) === null) return bad(`${format} has no level ${level}.`);
  const players = PLAYERS_OF[format].length;
  if (seats.length !== players) return bad(`${format} has ${players} seat${players === 1 ? "" : "s"}.`);
  if (format !== "solo" && !(options.orb && options.entropy)) return bad("Orb and entropy are Solo's (R7.3).");
  const house = seats.filter((seat) => seat.brain !== null);
  for (const seat of seats) {
    if (seat.brain !== null && seat.kind !== "ai") return bad("A seat with a brain is of kind ai.");
    if (seat.brain === null && seat.style !== null) return bad("A style belongs to a seat with a brain.");
    if (seat.style !== null && !seat.brain?.startsWith(MODEL_PREFIX) && styleOf(seat.style) === null) {
      return bad(`The style of a house brain is one of ${STYLE_NAMES.join(", ")}; texts are for models.`);
    }
    if (seat.brain === null && seat.name !== null) return bad("The name of an open seat is its player's.");
    if (seat.brain !== null && !context.knowsBrain(seat.brain)) {
      return refuse("no_bots", `The house has no brain ${JSON.stringify(seat.brain)}.`);
    }
  }
  // DESIGN 3: a bot that dies is started again at most three times; then its clock decides.
  if (options.turn_seconds === null && (format !== "solo" || house.length > 0)) {
    return bad("Only a Solo match without a house seat may go without a clock (R9.2).");
  }
  if (kind === "lab" && !options.private) return bad("A lab match is private.");
  if (kind === "benchmark") {
    const defaults = defaultOptions(format);
    const asRuled =
      options.invalid === defaults.invalid && options.orb && options.entropy && options.turn_seconds !== null;
    if (!asRuled) return bad("A benchmark match has the rules' own options.");
    if (options.legal_list) return bad("A benchmark match has no list of legal moves.");
    if (seats.some((seat) => seat.style !== null)) return bad("A benchmark match takes no style texts.");
  }
  return null;
}

function bad(message: string): Refusal {
  return refuse("bad_options", message);
}

/** The `created` entry of a plan, with a new id and a new seed from the system's generator (R11.2). */
export function createdEntry(plan: MatchPlan, code: RoomCode, host: IdentityId | null, atMs: number): CreatedEntry {
  return {
    type: "created",
    at_ms: atMs,
    match_id: uuidV7() as MatchId,
    room_code: code,
    rules: 1,
    ...plan,
    seed: newSeed(),
    host,
  };
}

function newSeed(): string {
  for (;;) {
    const seed = randomBytes(16).toString("hex");
    // All zero is no seed (R11.2).
    if (createMatch({ format: "solo", level: 1, seed }).ok) return seed;
  }
}
