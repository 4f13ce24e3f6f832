/**
 * Lab and Benchmark sessions: made on the page or by the command line, redeemed by the one match that is created with
 * it. The match carries what the session says of its agent, so that its record and certificate do.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { FORMATS } from "../../shared/engine/index.ts";
import { type Answer, refuse } from "../../shared/protocol/codes.ts";
import type { IdentityId } from "../../shared/protocol/ids.ts";
import { SESSION_MODES } from "../../shared/protocol/modes.ts";
import type { CreateSessionRequest } from "../../shared/protocol/requests.ts";
import type { SmallStore } from "./smallStore.ts";

const SESSION_FOR_MS = 24 * 60 * 60 * 1_000;

const sessionSchema = z.object({
  id: z.string(),
  mode: z.enum(SESSION_MODES),
  identity: z.string(),
  format: z.enum(FORMATS),
  level: z.number(),
  model: z.string().nullable(),
  prompt_hash: z.string().nullable(),
  expires_at: z.number(),
  used: z.boolean(),
  /** The match that was made with it, and whose it is. */
  played: z.object({ match_id: z.string(), identity: z.string() }).nullable().default(null),
});
export type Session = z.infer<typeof sessionSchema>;

/** What the session is of; the match that redeems it has this format and level. */
export type SessionRequest = CreateSessionRequest & Pick<Session, "format" | "level">;

export interface Sessions {
  make(identity: IdentityId, request: SessionRequest): Promise<Session>;
  /** What there is of it, used or not; null when there is none. Rejects with StoreUnavailable. */
  find(id: string): Promise<Session | null>;
  /**
   * Takes the session for one match. `played` says which one it became; `release` gives the session back when that
   * match never came to be.
   */
  redeem(id: string): Promise<
    Answer<{
      readonly session: Session;
      played(match: NonNullable<Session["played"]>): Promise<void>;
      release(): Promise<void>;
    }>
  >;
}

export function makeSessions(store: SmallStore, now: () => number): Sessions {
  return {
    async make(identity, { mode, format, level, model, prompt_hash }) {
      const session: Session = {
        id: randomUUID(),
        mode,
        identity,
        format,
        level,
        model: model ?? null,
        prompt_hash: prompt_hash ?? null,
        expires_at: now() + SESSION_FOR_MS,
        used: false,
        played: null,
      };
      await store.put(keyOf(session.id), session, session.expires_at);
      return session;
    },
    async find(id) {
      return sessionSchema.safeParse(await store.get(keyOf(id))).data ?? null;
    },
    async redeem(id) {
      const key = keyOf(id);
      const read = sessionSchema.safeParse(await store.take(key));
      if (!read.success) return refuse("not_found", "There is no such session, or it has expired.");
      const session = read.data;
      // Also of one that is used: the next caller is told why.
      await store.put(key, { ...session, used: true }, session.expires_at);
      if (session.used) return refuse("code_used", "This session has had its match; ask for another.");
      const put = (more: Partial<Session>) => store.put(key, { ...session, ...more }, session.expires_at);
      return {
        ok: true,
        session,
        played: (played) => put({ used: true, played }),
        release: () => put({}),
      };
    },
  };
}

function keyOf(id: string): string {
  return `session:${id}`;
}
