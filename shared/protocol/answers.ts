/**
 * What the HTTP door answers (PROTOCOL 3 and 6) as zod schemas, from which the OpenAPI file is made. A test
 * holds each of them to what the server sends, no more and no less.
 */
import { z } from "zod";
import {
  FORMATS,
  GEAR_TYPES,
  INVALID_POLICIES,
  MOUSE_STATUSES,
  PHASES,
  PLAYER_STATUSES,
  PLAYERS,
  RESULTS,
} from "../engine/index.ts";
import { certificateSchema } from "./certificate.ts";
import { KINDS, SEAT_KINDS } from "./log.ts";
import { EVENT_TYPES } from "./messages.ts";
import { SESSION_MODES } from "./modes.ts";
import { PRESET_GROUPS } from "./presets.ts";

/** Schemas that have a name of their own in the OpenAPI file. */
export const ANSWERS = z.registry<{ id: string }>();
export const named = <S extends z.ZodType>(id: string, schema: S): S => {
  ANSWERS.add(schema, { id });
  return schema;
};

const count = z.number().int().nonnegative();
const millis = z.number().describe("Unix milliseconds");
const player = z.enum(PLAYERS);
const perPlayer = <S extends z.ZodType>(value: S) => z.partialRecord(player, value);
const quarter = z.number().int().min(0).max(3);
const tile = z.string().describe("P<x><y> (R1.1)");
const stock = z.record(z.enum(GEAR_TYPES), count);

const mouse = named(
  "Mouse",
  z.strictObject({
    owner: player.nullable().describe("null: the Orb (R7.2)"),
    pos: z.string().describe("the tile, the place outside, or OUT (R3.4)"),
    x: z.number().int().nullable(),
    y: z.number().int().nullable(),
    on_base: quarter.nullable().describe("the gear's base, which turns with it (R3.5)"),
    facing: quarter.nullable().describe("0 N, 1 W, 2 S, 3 E (R1.3)"),
    status: z.enum(MOUSE_STATUSES),
    is_decoy: z.literal(true).optional(),
    is_locked: z.boolean().optional(),
  }),
);

const playerInfo = named(
  "Player",
  z.strictObject({
    kind: z.enum(SEAT_KINDS),
    name: z.string().nullable(),
    brain: z.string().nullable(),
    model: z.string().nullable(),
    status: z.enum(PLAYER_STATUSES),
    connected: z.boolean(),
    taken: z.boolean(),
  }),
);

const meta = z.strictObject({
  match_id: z.string(),
  room_code: z.string(),
  rules: z.literal(1),
  format: z.enum(FORMATS),
  kind: z.enum(KINDS),
  level_id: z.string(),
  dimensions: z.string().describe("4x4"),
  turn: count.describe("turns played so far (R5.7)"),
  max_moves: count,
  turns_left: count,
  ideal_moves: count.optional().describe("Solo only"),
  current_player: player.nullable(),
  phase: z.enum(PHASES),
  deadline_ms: millis.nullable(),
  server_time_ms: millis,
  seed_commitment: z.string().describe("SHA-256 of the seed (R11.2)"),
  seed: z.string().optional().describe("when the match is over"),
  live_game_id: z.string(),
  version: count.describe("stored events so far"),
  options: z.strictObject({
    invalid: z.enum(INVALID_POLICIES),
    orb: z.boolean(),
    entropy: z.boolean(),
    turn_seconds: z.number().nullable(),
    legal_list: z.boolean(),
    private: z.boolean(),
  }),
});

const status = z.strictObject({
  game_over: z.boolean(),
  result: z.enum(RESULTS).nullable(),
  players: perPlayer(playerInfo),
  mice_rescued: perPlayer(count),
  total_mice_per_player: count,
  completion_percent: perPlayer(z.number()),
  places: perPlayer(count),
  winner: z.array(player),
  spectators: count,
});

const scoring = z.strictObject({
  scores: perPlayer(count),
  raw_points: perPlayer(count),
  benchmark_score: perPlayer(z.number()).describe("efficiency (R10.3, R10.4); 0 until the match is over"),
  team_efficiency: z.strictObject({ A: z.number(), B: z.number() }).optional(),
  tokens_used: perPlayer(count),
  thinking_tokens: perPlayer(count),
});

const data = z.strictObject({
  inventory: stock.describe("your own stock, else the mover's"),
  inventories: perPlayer(stock),
  mice: z.record(z.string(), mouse),
  board_encoding: z.record(tile, z.string().describe("R13.1")),
  gear_owners: z.record(tile, player),
  history: z.array(z.string()),
  last_reasoning: z.string(),
  refusals_this_turn: count,
  lost_turns: perPlayer(count),
});

export const stateSchema = named("State", z.strictObject({ meta, status, scoring, data }));

/** The classic dialect (PROTOCOL 3): Solo with plain numbers. */
export const classicStateSchema = named(
  "ClassicState",
  z.strictObject({
    meta: meta.extend({ agent_id: z.string(), available_levels: z.array(z.string()) }),
    status: status
      .omit({ total_mice_per_player: true })
      .extend({ mice_rescued: count, total_mice: count, completion_percent: z.number() }),
    scoring: scoring.extend({ raw_points: count, benchmark_score: z.number() }),
    data: data.describe("mice are M1, M2 and so on"),
  }),
);
const waiting = z.literal(true).optional().describe("with wait=turn: it is not your turn yet; ask again");
export const waitedStateSchema = named("WaitedState", stateSchema.extend({ waiting }));

const place = z.strictObject({ tile, base: quarter });
export const gameEventSchema = named(
  "GameEvent",
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("started"), current_player: player }),
    z.strictObject({ type: z.literal("placed"), player, gear: z.enum(GEAR_TYPES), tile, b: quarter }),
    z.strictObject({ type: z.literal("premoved"), tile, from: quarter, to: quarter }),
    z.strictObject({
      type: z.literal("turned"),
      tile,
      turn: z.union([z.literal(90), z.literal(-90)]),
      gears: z.array(z.strictObject({ tile, from: quarter, to: quarter })),
    }),
    z.strictObject({ type: z.literal("entered"), mouse: z.string(), tile, base: quarter }),
    z.strictObject({ type: z.literal("jumped"), mouse: z.string(), from: place, to: place, points: z.number() }),
    z.strictObject({ type: z.literal("escaped"), mouse: z.string(), from: place, points: z.number() }),
    z.strictObject({
      type: z.literal("entropy"),
      moves: z.array(z.strictObject({ from: tile, to: tile, b: quarter })),
    }),
    z.strictObject({ type: z.literal("orb"), mouse: z.string(), tile, base: quarter, facing: quarter }),
    z.strictObject({ type: z.literal("locked"), mouse: z.string() }),
    z.strictObject({ type: z.literal("refused"), player, code: z.string(), refusals_this_turn: count }),
    z.strictObject({ type: z.literal("turn_lost"), player, text: z.string() }),
    z.strictObject({ type: z.literal("out"), player, reason: z.enum(PLAYER_STATUSES).exclude(["ACTIVE"]) }),
    z.strictObject({ type: z.literal("over"), result: z.enum(RESULTS) }),
  ]),
);

const ok = z.literal(true);
const version = count;
export const movedSchema = named(
  "Moved",
  z.strictObject({
    ok,
    version,
    repeated: z.literal(true).optional().describe("the seat's last accepted command, said again"),
    events: z.array(gameEventSchema),
    state: stateSchema,
    waiting,
  }),
);
export const versionSchema = named("Version", z.strictObject({ ok, version }));

const opened = z.strictObject({ code: z.string(), match_id: z.string(), seat: player, seat_token: z.string() });
export const rematchSchema = named(
  "Rematch",
  z.strictObject({
    ok,
    asked: z.array(player).describe("the seats that have asked so far"),
    opened: opened.nullable().describe("the new room and your seat in it, once all have"),
  }),
);

export const seatedSchema = named(
  "Seated",
  z.strictObject({
    code: z.string(),
    match_id: z.string(),
    seat: player.nullable(),
    seat_token: z.string().nullable(),
    state: stateSchema,
  }),
);

export const legalSchema = named(
  "LegalMoves",
  z.strictObject({
    ok: ok.optional(),
    stage: z.enum(["placement", "rotation"]),
    count: count.describe("of all legal commands"),
    tiles: z.array(tile),
    types: z.array(z.enum(GEAR_TYPES)).optional().describe("placement only"),
    commands: z.array(z.string()),
    truncated: z.boolean().describe("above 5,000 only the simple rotations are listed; R4.6 has the rest"),
  }),
);

const roomFields = {
  code: z.string(),
  match_id: z.string(),
  format: z.enum(FORMATS),
  level: z.number().int().positive(),
  kind: z.enum(KINDS),
  preset: z.string().nullable(),
  phase: z.enum(PHASES),
  private: z.boolean(),
  host: player.nullable(),
  seats: z.array(
    z.strictObject({
      seat: player,
      kind: z.enum(SEAT_KINDS),
      name: z.string().nullable(),
      brain: z.string().nullable(),
      taken: z.boolean(),
      connected: z.boolean(),
    }),
  ),
  spectators: count,
  created_at_ms: millis,
  started_at_ms: millis.nullable(),
  ended_at_ms: millis.nullable(),
};
export const roomSchema = named("Room", z.strictObject(roomFields));
const roomRow = named(
  "RoomRow",
  z.strictObject({
    ...roomFields,
    turn: count,
    max_moves: count,
    current_player: player.nullable(),
    result: z.enum(RESULTS).nullable(),
    scores: perPlayer(count),
    mice_rescued: perPlayer(count),
    thumbnail: z.strictObject({
      dimensions: z.string(),
      board: z.string().describe("R13.1, in the order y, x, joined by blanks"),
      gear_owners: z.record(tile, player),
    }),
  }),
);
export const roomsSchema = named("Rooms", z.strictObject({ rooms: z.array(roomRow), total: count }));

export const identityAnswerSchema = named(
  "Identity",
  z.strictObject({ token: z.string(), id: z.string(), name: z.string() }),
);
export const exchangedSchema = named("Exchanged", identityAnswerSchema.extend({ expires_at: z.number() }));
export const codeSchema = named("Code", z.strictObject({ code: z.string(), expires_at: millis }));
export const sessionAnswerSchema = named(
  "Session",
  z.strictObject({
    session_id: z.string(),
    mode: z.enum(SESSION_MODES),
    format: z.enum(FORMATS),
    level: z.number().int().positive(),
    command: z.string().describe("what to run"),
    expires_at: millis,
  }),
);
export const seatsSchema = named(
  "Seats",
  z.strictObject({
    seats: z.array(
      z.strictObject({
        match_id: z.string(),
        code: z.string(),
        seat: player,
        name: z.string(),
        format: z.enum(FORMATS),
        kind: z.enum(KINDS),
        phase: z.enum(PHASES),
        created_at_ms: millis,
      }),
    ),
  }),
);
export const presetsSchema = named(
  "Presets",
  z.strictObject({
    presets: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        group: z.enum(PRESET_GROUPS),
        format: z.enum(FORMATS),
        level: z.number().int().positive(),
        seats: z.array(
          z.strictObject({
            kind: z.enum(SEAT_KINDS),
            brain: z.string().nullable(),
            style: z.string().nullable(),
            name: z.string().nullable(),
          }),
        ),
      }),
    ),
    levels: z.array(z.strictObject({ format: z.enum(FORMATS), level: z.number(), dimensions: z.string() })),
  }),
);
export const leaderboardSchema = named(
  "Leaderboard",
  z.strictObject({
    kind: z.enum(["casual", "benchmark"]),
    format: z.enum(FORMATS),
    level: z.number().int().positive(),
    rows: z.array(
      z.strictObject({
        rank: z.number().int().positive(),
        player_id: z.string(),
        name: z.string(),
        player_kind: z.enum(["human", "ai"]),
        model: z.string().nullable(),
        matches: count,
        wins: count,
        efficiency: z.number(),
        score: count,
        turns: count,
        match_id: z.string(),
        certificate: z.string(),
        ended_at_ms: millis,
      }),
    ),
  }),
);
ANSWERS.add(certificateSchema, { id: "Certificate" });

const shortState = named(
  "ShortState",
  stateSchema.extend({
    data: data.omit({ history: true }).extend({ history_tail: z.array(z.string()), history_length: count }),
  }),
);
const eventMessage = named(
  "Event",
  z.strictObject({
    version,
    type: z.enum(EVENT_TYPES),
    player: player.optional(),
    command: z.string().optional(),
    events: z.array(gameEventSchema),
    turn: count,
    phase: z.enum(PHASES),
    current_player: player.nullable(),
    scores: perPlayer(count),
    deadline_ms: millis.nullable(),
    server_time_ms: millis,
    refusals_this_turn: count,
    lost_turns: perPlayer(count),
    history: z.array(z.string()).describe("lines added to the history"),
    tokens_used: perPlayer(count).optional(),
    thinking_tokens: perPlayer(count).optional(),
    players: perPlayer(playerInfo).optional(),
    final: z
      .strictObject({
        result: z.enum(RESULTS),
        places: perPlayer(count),
        winner: z.array(player),
        benchmark_score: perPlayer(z.number()),
        team_efficiency: z.strictObject({ A: z.number(), B: z.number() }).optional(),
        seed: z.string(),
      })
      .optional()
      .describe("when the match is over"),
  }),
);
export const matchLineSchema = named(
  "MatchLine",
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("state"), state: stateSchema }),
    z.strictObject({ type: z.literal("event"), event: eventMessage, state: shortState }),
    z.strictObject({
      type: z.literal("presence"),
      presence: z.strictObject({
        connected: z.array(player),
        spectators: count,
        deadline_ms: millis.nullable(),
        server_time_ms: millis,
        rematch: z.array(player),
      }),
    }),
  ]),
);
export const noticeSchema = named(
  "Notice",
  z.strictObject({
    type: z.enum(["match_start", "your_turn", "match_over"]),
    match_id: z.string(),
    code: z.string(),
    seat: player,
    state: stateSchema,
  }),
);
