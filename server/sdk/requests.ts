/** Bodies of the hosted SDK's calls (PROTOCOL 6). Its client sends null for what it has not, and fields that decide nothing. */
import { z } from "zod";
import type { TokenUsage } from "../../shared/protocol/log.ts";
import { joinRoomSchema, MAX_REASONING, moveSchema, tokenUsageSchema } from "../../shared/protocol/requests.ts";

/** Looked at where the match is known: too long is `too_large`, in a benchmark they are dropped. */
const text = z.string().nullish();
const flag = z.boolean().nullish();
/** What plays, as others are shown it; without a word it is an agent all the same. */
const model = z
  .string()
  .nullish()
  .transform((name) => joinRoomSchema.shape.model.safeParse((name ?? "").slice(0, 128)).data ?? "agent");

export const playSchema = z.object({
  session_id: z.string().max(64).nullish(),
  prompt_injection: text,
  strategy: text,
  agent_description: text,
  is_local_model: flag,
  is_custom_agent: flag,
});

const tokens = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).nullish();
/** Totals over the match; numbers of the turn and times are the agent's own business. */
const sdkUsageSchema = z.object({
  total: tokens,
  total_input_tokens: tokens,
  total_output_tokens: tokens,
  total_thinking_tokens: tokens,
});

/** The running totals that a move reports; undefined where none can be read. */
export function usageOf(sent: unknown): TokenUsage | undefined {
  const read = sdkUsageSchema.safeParse(sent);
  if (!read.success) return undefined;
  const { total, total_input_tokens: input, total_output_tokens: output, total_thinking_tokens: thinking } = read.data;
  if (total == null && input == null && output == null) return undefined;
  const usage = { total: Math.round(total ?? (input ?? 0) + (output ?? 0)), thinking: Math.round(thinking ?? 0) };
  return tokenUsageSchema.safeParse(usage).data;
}

export const sdkMoveSchema = z.object({
  game_player_id: z.string().max(128),
  command: moveSchema.shape.command,
  turn: moveSchema.shape.turn.nullish(),
  reasoning: z
    .string()
    .nullish()
    .transform((said) => moveSchema.shape.reasoning.parse((said ?? "").slice(0, 2 * MAX_REASONING))),
  token_usage: z.unknown().optional(),
});
export type SdkMove = z.infer<typeof sdkMoveSchema>;

/** The modes of the Arena as the SDK names them; in `human` the other seat is for somebody at the page. */
export const ARENA_MODES = ["1v1", "2v2", "4v4", "human"] as const;
export type ArenaMode = (typeof ARENA_MODES)[number];

export const arenaCreateSchema = z.object({
  mode: z.enum(ARENA_MODES),
  level: z.coerce.number<string | number>().int().positive().default(1),
  model,
  prompt_injection: text,
  strategy: text,
  room_code: z.string().max(64).nullish(),
});

export const arenaJoinSchema = z.object({
  room_code: z.string().max(64),
  model,
  prompt_injection: text,
  strategy: text,
});
