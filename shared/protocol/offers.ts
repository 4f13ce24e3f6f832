/** What a server offers to those who make agents: brains and styles for its seats, and system prompts. */
import { z } from "zod";

/** `GET /brains` */
export const brainsSchema = z.strictObject({
  /** `model`: the provider's name of a language model; null: a brain of the house. */
  brains: z.array(z.strictObject({ name: z.string(), model: z.string().nullable() })),
  styles: z.array(z.strictObject({ name: z.string(), title: z.string(), text: z.string() })),
});

/** `GET /prompts` */
export const promptModesSchema = z.strictObject({ modes: z.array(z.string()) });

/** `GET /prompts/:mode/:player` */
export const promptAnswerSchema = z.strictObject({
  mode: z.string(),
  player: z.string(),
  ally: z.string().nullable(),
  prompt: z.string(),
  /** SHA-256 of the prompt. */
  prompt_hash: z.string().regex(/^[0-9a-f]{64}$/),
  fragments: z.array(z.strictObject({ module: z.string(), text: z.string() })),
});
