/** Requests of every door as zod schemas; their types are inferred. Limits are PROTOCOL 4's. */
import { z } from "zod";
import { FORMATS, INVALID_POLICIES, PLAYERS } from "../engine/index.ts";
import { KINDS, SEAT_KINDS } from "./log.ts";
import { SESSION_MODES } from "./modes.ts";
import { refineCode } from "./unreadable.ts";

export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_FRAME_BYTES = 64 * 1024;
export const MAX_REASONING = 8_000;
export const MAX_NAME = 32;
export const MAX_PROMPT = 2_222;

/** Well-formed text of at most `max` code points; longer is cut, never refused. */
const cutText = (max: number) =>
  z.string().transform((text) => {
    // A code point has one or two units: what lies beyond twice the limit cannot count.
    const near = text.slice(0, 2 * max).toWellFormed();
    return near.length <= max ? near : [...near].slice(0, max).join("");
  });

/** R4.1: more than 64 code points are `syntax`, unread; so the 66th and later ones decide nothing. */
const COMMAND_KEPT = 65;

const codePoints = (text: string) => [...text].length;

/**
 * What shows nothing, or something else than stands there: controls, formats, private use, halves of pairs, what
 * Unicode lets a font leave out (fillers of Hangul, variation selectors, joiners), and two symbols that are blank.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}]/gu;
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * One line that others are shown, in NFC: characters that show nothing taken out (before NFC, which they would part),
 * blanks folded.
 */
const clean = (text: string) => text.replace(UNSEEN, "").normalize("NFC").replace(/\s+/gu, " ").trim();

/** A name, cleaned, 1..32 code points of which one can be seen. */
export const nameSchema = z
  .string()
  .max(1_000)
  .transform(clean)
  .refine((text) => SEEN.test(text) && codePoints(text) <= MAX_NAME, {
    error: `a name has 1 to ${MAX_NAME} characters that can be seen`,
  });

/** Prompt, strategy and style texts: at most 2,222 code points, longer is `too_large`. */
export const promptSchema = z
  .string()
  .refine(
    (text) => text.length <= 2 * MAX_PROMPT && codePoints(text) <= MAX_PROMPT,
    refineCode("too_large", `a text has at most ${MAX_PROMPT} characters`),
  )
  .transform((text) => text.toWellFormed());

export const playerSchema = z.enum(PLAYERS);

export const tokenUsageSchema = z.object({
  total: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  thinking: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional(),
});

/** `move` at the Colyseus and Socket.IO doors, body of `POST /matches/:id/moves`. */
export const moveSchema = z.object({
  turn: z.number().int().nonnegative().optional(),
  command: cutText(COMMAND_KEPT),
  reasoning: cutText(MAX_REASONING).optional(),
  token_usage: tokenUsageSchema.optional(),
});
export type MoveRequest = z.infer<typeof moveSchema>;

export const syncSchema = z.object({ version: z.number().int().nonnegative() });

export const seatSpecSchema = z.object({
  kind: z.enum(SEAT_KINDS),
  brain: z.string().min(1).max(64).optional(),
  style: promptSchema.optional(),
  name: nameSchema.optional(),
});

/** What plays, as others are shown it. */
const modelNameSchema = z
  .string()
  .max(128)
  .transform((text) => clean(text) || undefined)
  .optional();

export const createRoomSchema = z.union([
  z.strictObject({
    preset: z.string().min(1).max(64),
    name: nameSchema.optional(),
    model: modelNameSchema,
    room_code: z.string().max(64).optional(),
  }),
  z.strictObject({
    format: z.enum(FORMATS),
    level: z.number().int().positive(),
    kind: z.enum(KINDS).optional(),
    /** R9.2: 5..86400; null: none (Solo only). */
    turn_seconds: z.number().int().min(5).max(86_400).nullable().optional(),
    private: z.boolean().optional(),
    invalid: z.enum(INVALID_POLICIES).optional(),
    legal_list: z.boolean().optional(),
    orb: z.boolean().optional(),
    entropy: z.boolean().optional(),
    room_code: z.string().max(64).optional(),
    seats: z.array(seatSpecSchema).max(PLAYERS.length).optional(),
    name: nameSchema.optional(),
    model: modelNameSchema,
    /** false: create without taking a seat. */
    join: z.boolean().optional(),
    /** A session of `POST /sessions`, which decides the kind and is used up. */
    session: z.string().max(64).optional(),
  }),
]);
export type CreateRoomRequest = z.infer<typeof createRoomSchema>;

/** `POST /rooms/:code/join`. */
export const joinRoomSchema = z.object({
  name: nameSchema.optional(),
  kind: z.enum(["human", "ai"]).optional(),
  seat: playerSchema.optional(),
  /** What plays, as others are shown it. */
  model: modelNameSchema,
});
export type JoinRoomRequest = z.infer<typeof joinRoomSchema>;

/** Options of `joinById` at the Colyseus door. */
export const joinOptionsSchema = z.object({
  seatToken: z.string().max(1_024).optional(),
  watch: z.boolean().optional(),
  name: nameSchema.optional(),
  kind: z.enum(["human", "ai"]).optional(),
  code: z.string().max(64).optional(),
});
export type JoinOptions = z.infer<typeof joinOptionsSchema>;

export const identitySchema = z.object({ name: nameSchema });

/** `POST /access-codes/exchange` */
export const exchangeSchema = z.object({ code: z.string().min(1).max(64) });

/** `POST /sessions`: what is declared of the agent that will play. */
export const createSessionSchema = z.strictObject({
  mode: z.enum(SESSION_MODES),
  format: z.enum(FORMATS).optional(),
  level: z.number().int().positive().optional(),
  model: modelNameSchema,
  /** SHA-256 of the prompt that the agent is given. */
  prompt_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type CreateSessionRequest = z.infer<typeof createSessionSchema>;
