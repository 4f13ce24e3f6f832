/** The language models that a server offers for house seats: `brain: "model:<name>"` (PROTOCOL 6). Keys are never here. */
import { z } from "zod";

export const MODEL_PROVIDERS = ["openai-compatible", "openai", "anthropic", "google"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** What a brain's name begins with when a language model plays. */
export const MODEL_PREFIX = "model:";

export const modelSchema = z
  .strictObject({
    provider: z.enum(MODEL_PROVIDERS),
    /** Where it is served; needed for `openai-compatible` (`http://localhost:11434/v1`), else the provider's own. */
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    /** The provider's name of the model. */
    model: z.string().min(1).max(128),
    /** The environment variable that holds the key; left out: the provider's usual one, none for `openai-compatible`. */
    key_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .optional(),
    /** How much it thinks before it answers, where it can be told. */
    reasoning: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).optional(),
    temperature: z.number().min(0).max(2).optional(),
    max_output_tokens: z.number().int().positive().optional(),
    /** Answers in pieces; what was said before a cut counts. */
    stream: z.boolean().default(true),
  })
  .refine(({ base_url }) => base_url === undefined || !/^[^/]*\/\/[^/]*@/.test(base_url), {
    error: "an address holds no user and no password; keys stand in the environment",
  })
  .refine(({ provider, base_url }) => provider !== "openai-compatible" || base_url !== undefined, {
    error: "an openai-compatible model needs a base_url",
  });
export type ModelConfig = z.infer<typeof modelSchema>;

/** By name, as seats name them. */
export const modelsSchema = z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$/), modelSchema);
export type Models = z.infer<typeof modelsSchema>;

const USUAL_KEY: Readonly<Record<ModelProvider, string | null>> = {
  "openai-compatible": null,
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
};

/** The environment variable in which a model's key is looked for; null: it needs none. */
export function keyEnvOf({ provider, key_env }: Pick<ModelConfig, "provider" | "key_env">): string | null {
  return key_env ?? USUAL_KEY[provider];
}
