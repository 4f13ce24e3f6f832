/** Bodies of the classic door's calls (PROTOCOL 6). */
import { z } from "zod";
import { moveSchema } from "../../shared/protocol/requests.ts";

const agentIdSchema = z.string().min(1).max(256);

export const startSchema = z.object({
  agent_id: agentIdSchema.optional(),
  level_id: z.coerce.number<string | number>().int().positive().default(1),
});

export const submitSchema = moveSchema.omit({ token_usage: true }).extend({
  agent_id: agentIdSchema.optional(),
  game_id: z.string().max(64).optional(),
  /** What an agent says of itself; token numbers are read off it where they have our form. */
  meta: z.unknown().optional(),
});
