/** The lines of a record (PROTOCOL 10) as zod schemas; unknown keys are refused, since every byte is signed for. */
import { z } from "zod";
import { FORMATS, INVALID_POLICIES, PLAYER_STATUSES, PLAYERS, REFUSAL_CODES, RESULTS } from "../engine/index.ts";
import { KINDS } from "./log.ts";

export const RECORD_FORMAT = "gearmice-record/1";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const player = z.enum(PLAYERS);
const text = z.string();
/** Compared as a whole with what the replay gives, so its inside needs no schema. */
const replayed = z.unknown();

const tokenUsage = z.strictObject({ total: count, thinking: count.optional() });

const seat = z.strictObject({
  seat: player,
  /** Who sat here; of a seat never taken, who could have. */
  kind: z.enum(["human", "ai", "any"]),
  name: text.nullable(),
  brain: text.nullable(),
  model: text.nullable(),
  /** Declared settings of a house seat. */
  style: text.nullable(),
});

export const headerLine = z.strictObject({
  type: z.literal("header"),
  record: z.literal(RECORD_FORMAT),
  rules: z.literal(1),
  match_id: text,
  room_code: text,
  format: z.enum(FORMATS),
  level: z.number().int().positive(),
  kind: z.enum(KINDS),
  preset: text.nullable(),
  rematch_of: text.nullable(),
  /** The Lab or Benchmark session the match was made with. */
  session: z
    .strictObject({
      id: text,
      mode: z.enum(["lab", "benchmark"]),
      model: text.nullable(),
      prompt_hash: hash.nullable(),
    })
    .optional(),
  created_at_ms: count,
  seats: z.array(seat),
  options: z.strictObject({
    invalid: z.enum(INVALID_POLICIES),
    orb: z.boolean(),
    entropy: z.boolean(),
    turn_seconds: z.number().positive().nullable(),
    legal_list: z.boolean(),
    private: z.boolean(),
  }),
  seed_commitment: hash,
  /** The core of the state before the start (PROTOCOL 3). */
  state: replayed,
});

const event = {
  /** 1, 2, 3 … */
  n: z.number().int().positive(),
  /** Stored entries up to and with this one. */
  version: z.number().int().positive(),
  at_ms: count,
  /** Milliseconds the player's clock had run in this turn; 0 where no clock is concerned. */
  elapsed_ms: count,
  events: replayed,
  state_hash: hash,
  prev: hash,
};
const told = { player, command: text, reasoning: text.optional(), token_usage: tokenUsage.optional() };

export const eventLine = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("start"), ...event }),
  z.strictObject({ type: z.literal("turn"), ...event, ...told }),
  z.strictObject({ type: z.literal("refused"), ...event, ...told, code: z.enum(REFUSAL_CODES) }),
  z.strictObject({ type: z.literal("out"), ...event, player, reason: z.enum(["TIMEOUT", "RESIGNED"]) }),
  z.strictObject({ type: z.literal("abandoned"), ...event }),
]);

const numbers = z.strictObject({
  status: z.enum(PLAYER_STATUSES),
  score: count,
  escaped: count,
  /** Percent (R10.2). */
  rescued: z.number(),
  /** R10.3, R10.4 */
  efficiency: z.number(),
  lost_turns: count,
  tokens: count,
  thinking_tokens: count,
});

export const resultLine = z.strictObject({
  type: z.literal("result"),
  result: z.enum(RESULTS),
  turns: count,
  players: z.partialRecord(player, numbers),
  team_efficiency: z.strictObject({ A: z.number(), B: z.number() }).optional(),
  places: z.partialRecord(player, count),
  winner: z.array(player),
  seed: z.string().regex(/^[0-9a-f]{32}$/),
  /** The signer's Ed25519 public key, 64 hex digits: it names the key, and whoever trusts it needs nothing else. */
  key_id: hash,
  prev: hash,
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});

export type HeaderLine = z.infer<typeof headerLine>;
export type EventLine = z.infer<typeof eventLine>;
export type ResultLine = z.infer<typeof resultLine>;
