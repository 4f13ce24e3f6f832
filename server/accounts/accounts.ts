/**
 * Accounts and their personal access codes (PROTOCOL 6). A guest becomes an account with the first code: its name and
 * id are kept, and whoever has the code gets its identity token again. Of a code only its hash is stored.
 */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { type Answer, refuse } from "../../shared/protocol/codes.ts";
import { type IdentityId, ROOM_CODE_ALPHABET } from "../../shared/protocol/ids.ts";
import type { Identity } from "../tokens.ts";
import type { SmallStore } from "./smallStore.ts";

const CODE_FOR_MS = 90 * 24 * 60 * 60 * 1_000;
const GROUPS = 4;
const GROUP = 5;
const PREFIX = "GM";
const SHAPE = new RegExp(`^${PREFIX}[${ROOM_CODE_ALPHABET}]{${GROUPS * GROUP}}$`);

const keptSchema = z.object({ id: z.string(), name: z.string(), expires_at: z.number() });

export interface AccessCode {
  /** `GM-XXXXX-XXXXX-XXXXX-XXXXX`: 100 bits. */
  readonly code: string;
  /** Unix milliseconds. */
  readonly expires_at: number;
}

export interface Accounts {
  /** A new code for this identity; older ones stay good until they expire. Rejects with StoreUnavailable. */
  makeCode(identity: Identity): Promise<AccessCode>;
  /** Whose code it is, as often as it is asked; `not_found` when it is nobody's (any more). */
  exchange(typed: string): Promise<Answer<{ readonly identity: Identity; readonly expires_at: number }>>;
}

export function makeAccounts(store: SmallStore, now: () => number): Accounts {
  return {
    async makeCode({ id, name }) {
      const letters = [...randomBytes(GROUPS * GROUP)].map((byte) => ROOM_CODE_ALPHABET[byte & 31]).join("");
      const code = `${PREFIX}-${letters.match(/.{5}/g)?.join("-")}`;
      const expires_at = now() + CODE_FOR_MS;
      const account = `account:${id}`;
      if ((await store.get(account)) === null) await store.put(account, { id, name, created_at_ms: now() }, null);
      await store.put(keyOf(PREFIX + letters), { id, name, expires_at }, expires_at);
      return { code, expires_at };
    },
    async exchange(typed) {
      const bare = typed.slice(0, 64).toUpperCase().replace(/[\s-]/g, "");
      const kept = SHAPE.test(bare) ? keptSchema.safeParse(await store.get(keyOf(bare))) : null;
      if (!kept?.success) return refuse("not_found", "This access code is nobody's, or has expired.");
      const { id, name, expires_at } = kept.data;
      return { ok: true, identity: { id: id as IdentityId, name }, expires_at };
    },
  };
}

function keyOf(bare: string): string {
  return `code:${createHash("sha256").update(bare).digest("hex")}`;
}
