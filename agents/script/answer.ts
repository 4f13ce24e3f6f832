/** What a script says on standard output (PROTOCOL 11). */
import { z } from "zod";
import { tokenUsageSchema } from "../../shared/protocol/requests.ts";
import type { Choice } from "../brains/brain.ts";

const answerSchema = z.object({
  command: z.string(),
  reasoning: z.string().optional(),
  token_usage: tokenUsageSchema.optional(),
});

/** Rejects text that is no `{"command", "reasoning"?}`. */
export function readAnswer(text: string): Choice {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`the script did not answer with one JSON object: ${text.trim().slice(0, 120) || "(nothing)"}`);
  }
  const read = answerSchema.safeParse(json);
  if (!read.success) throw new Error(`the script's answer has no "command": ${text.trim().slice(0, 120)}`);
  const { command, reasoning, token_usage } = read.data;
  return {
    command,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(token_usage === undefined ? {} : { usage: token_usage }),
  };
}
