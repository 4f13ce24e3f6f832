/** The requests of PROTOCOL 9 as schemas, one an op. What is wrong in a field is `bad_request`. */
import { z } from "zod";
import { playerSchema } from "../../shared/protocol/requests.ts";

/** A line holds this much, a batch included. */
export const MAX_LINE_BYTES = 1024 * 1024;

const match = z.string().max(64);
const reply = z.enum(["state", "brief"]).optional();

export const REQUESTS = {
  /** Unknown formats, levels and policies are the engine's `bad_options`, whatever is no seed its `bad_seed`. */
  new: z.object({
    format: z.string().max(64),
    level: z.number(),
    seed: z.unknown().optional(),
    invalid: z.string().max(64).optional(),
    orb: z.boolean().optional(),
    entropy: z.boolean().optional(),
    reply,
  }),
  play: z.object({
    match,
    player: playerSchema,
    command: z.string(),
    turn: z.number().int().nonnegative().optional(),
    reply,
  }),
  legal: z.object({ match }),
  state: z.object({ match, reply }),
  clone: z.object({ match, seed: z.unknown().optional() }),
  undo: z.object({ match, reply }),
  expire: z.object({ match, player: playerSchema, reply }),
  resign: z.object({ match, player: playerSchema, reply }),
  abandon: z.object({ match, reply }),
  close: z.object({ match }),
} as const;

export type Op = keyof typeof REQUESTS;
export type Request<O extends Op> = z.infer<(typeof REQUESTS)[O]>;

/** What a caller names its request by; it comes back with the answer. */
export type RequestId = string | number | null;
export const requestIdSchema = z.union([z.string().max(1_024), z.number(), z.null()]).optional();

export const batchSchema = z.object({ requests: z.array(z.unknown()) });

export const OPS: readonly string[] = [...Object.keys(REQUESTS), "batch"];

/** One sentence about the first thing that is wrong. */
export function complaint(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "the request is not well formed";
  const where = issue.path.join(".");
  return where === "" ? issue.message : `${where}: ${issue.message}`;
}
