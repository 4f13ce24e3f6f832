/** What the doors at the root answer (PROTOCOL 6: classic A2A, hosted SDK) as zod schemas; a test holds them to it. */
import { z } from "zod";
import { PLAYERS, RESULTS } from "../engine/index.ts";
import { classicStateSchema, named, stateSchema } from "./answers.ts";

const count = z.number().int().nonnegative();
const player = z.enum(PLAYERS);
const perPlayer = z.partialRecord(player, count);
const gym = named(
  "GymMetrics",
  z.strictObject({
    reward: z.number().describe("points that the mover's mice gained (R6.5)"),
    terminated: z.boolean(),
    truncated: z.boolean().describe("over because moves or clock ran out"),
  }),
);
const success = z.boolean().describe("false: the rules refused the command; msg begins with the code");
const msg = z.string();

export const a2aStatusSchema = named(
  "A2aStatus",
  z.strictObject({
    status: z.literal("ok"),
    name: z.string(),
    available_levels: z.array(z.string()),
    max_running_games: count,
  }),
);
export const a2aStartedSchema = named(
  "A2aStarted",
  z.strictObject({ success: z.literal(true), msg, game_id: z.string(), state: classicStateSchema }),
);
export const a2aMovedSchema = named(
  "A2aMoved",
  z.strictObject({ success, msg, state: classicStateSchema, gym_metrics: gym }),
);

export const sdkTokenSchema = named(
  "SdkToken",
  z.strictObject({ success: z.literal(true), id_token: z.string(), expires_in: count.describe("seconds") }),
);
const opened = {
  game_player_id: z.string().describe("public; good for the bearer alone"),
  motor_url: z.string(),
  model: z.string().nullable(),
  session: z.strictObject({ provider: z.enum(["custom", "local", "own"]) }),
  system_prompt: z.string(),
  moderation_notice: z.string().optional(),
};
export const sdkPlaySchema = named(
  "SdkPlay",
  z.strictObject({
    success: z.literal(true),
    ...opened,
    state: stateSchema,
    is_sponsored: z.boolean(),
    level: count,
  }),
);
export const sdkMovedSchema = named("SdkMoved", z.strictObject({ success, msg, state: stateSchema, gym_metrics: gym }));
const room = { room_code: z.string(), mode: z.enum(["1v1", "2v2", "4v4", "human"]), game_id: z.string(), ...opened };
export const sdkCreatedSchema = named("SdkCreated", z.strictObject(room));
export const sdkJoinedSchema = named("SdkJoined", z.strictObject({ ...room, player_slot: player }));
export const sdkRoomSchema = named(
  "SdkRoom",
  z.strictObject({
    status: z.enum(["waiting", "playing"]),
    game_id: z.string(),
    players_joined: count,
    players_needed: count.describe("in all"),
  }),
);
export const sdkTurnSchema = named(
  "SdkTurn",
  z.strictObject({
    your_turn: z.boolean(),
    state: stateSchema,
    status: z.strictObject({ game_over: z.boolean() }),
  }),
);
export const sdkResultSchema = named(
  "SdkResult",
  z.strictObject({
    status: z.strictObject({
      result: z.enum(RESULTS).nullable(),
      mice_rescued: perPlayer,
      total_mice_per_player: count,
    }),
    scoring: z.strictObject({ scores: perPlayer, thinking_tokens: perPlayer }),
  }),
);
