/** What a client of the Socket.IO door may ask (PROTOCOL 7): each name with its schema and what it does. */
import { z } from "zod";
import type { Answer } from "../../shared/protocol/codes.ts";
import { createRoomSchema, joinRoomSchema, moveSchema } from "../../shared/protocol/requests.ts";
import { unreadable } from "../../shared/protocol/unreadable.ts";
import type { Caller, MatchService } from "../service/MatchService.ts";

const matchSchema = z.object({ match_id: z.string().max(64), code: z.string().max(64).optional() });
const joinSchema = joinRoomSchema.extend({ code: z.string().max(64) });
const moveOfMatchSchema = moveSchema.extend({ match_id: z.string().max(64) });

/** One who calls: in whose name, and what begins to follow a match for him. */
export interface Asker {
  readonly caller: Caller;
  readonly service: MatchService;
  watch(matchId: string, caller: Caller): Promise<Answer<object>>;
}

type Call = (asker: Asker, payload: unknown) => Promise<Answer<object>>;

/** Reads the payload as `schema`, or answers a refusal that names the field. */
function call<T>(schema: z.ZodType<T>, work: (asker: Asker, request: T) => Promise<Answer<object>>): Call {
  return async (asker, payload) => {
    const read = schema.safeParse(payload ?? {});
    return read.success ? work(asker, read.data) : unreadable(read.error, "The message");
  };
}

/** A private match is opened to spectators by its code. */
const withCode = (caller: Caller, code: string | undefined): Caller =>
  code === undefined ? caller : { ...caller, code };

export const CALLS: Readonly<Record<string, Call>> = {
  create: call(createRoomSchema, ({ service, caller }, request) => service.create(caller, request)),
  join: call(joinSchema, ({ service, caller }, { code, ...request }) => service.join(caller, code, request)),
  leave: call(matchSchema, async ({ service, caller }, { match_id }) => {
    const found = await service.state(caller, match_id);
    return found.ok ? service.leave(caller, found.state.meta.room_code) : found;
  }),
  watch: call(matchSchema, ({ watch, caller }, { match_id, code }) => watch(match_id, withCode(caller, code))),
  state: call(matchSchema, async ({ service, caller }, { match_id, code }) => {
    const found = await service.state(withCode(caller, code), match_id);
    return found.ok ? { ok: true, state: found.state } : found;
  }),
  legal: call(matchSchema, ({ service, caller }, { match_id, code }) =>
    service.legal(withCode(caller, code), match_id),
  ),
  move: call(moveOfMatchSchema, async ({ service, caller }, { match_id, ...request }) => {
    const answer = await service.move(caller, match_id, request);
    if (!answer.ok) return answer;
    const { waiting: _, ...moved } = answer;
    return moved;
  }),
  resign: call(matchSchema, ({ service, caller }, { match_id }) => service.resign(caller, match_id)),
  rematch: call(matchSchema, ({ service, caller }, { match_id }) => service.rematch(caller, match_id)),
};
