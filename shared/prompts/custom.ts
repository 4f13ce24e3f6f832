/** Texts of an agent's author: behind the identity lock in Lab and casual matches, dropped in Benchmark (PROTOCOL 6). */
import { type Answer, refuse } from "../protocol/codes.ts";
import type { Kind } from "../protocol/log.ts";
import { MAX_PROMPT } from "../protocol/requests.ts";

export type CustomPrompt = Answer<{
  readonly prompt: string;
  /** One sentence, when texts were dropped. */
  readonly moderation_notice?: string;
}>;

/** `prompt` with the texts behind it, each up to 2,222 code points (`too_large`); empty ones are none. */
export function withCustomTexts(
  prompt: string,
  texts: readonly (string | null | undefined)[],
  kind: Kind,
): CustomPrompt {
  const given = texts.flatMap((text) => (text?.trim() ? [text.toWellFormed()] : []));
  if (given.some((text) => text.length > MAX_PROMPT && [...text].length > MAX_PROMPT)) {
    return refuse("too_large", `A prompt, strategy or style text has at most ${MAX_PROMPT} characters.`);
  }
  if (given.length === 0) return { ok: true, prompt };
  if (kind === "benchmark") {
    return { ok: true, prompt, moderation_notice: "Prompt and strategy texts are left out of a benchmark match." };
  }
  return { ok: true, prompt: [prompt, ...given].join("\n\n") };
}
