/** Room codes and the other ids of PROTOCOL 1, each with a parser and a maker. */

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };

/** `IXENT-XXXXXX`. */
export type RoomCode = Brand<string, "RoomCode">;
/** UUID v7. */
export type MatchId = Brand<string, "MatchId">;
/** Id of a guest or an account. */
export type IdentityId = Brand<string, "IdentityId">;

export const ROOM_CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
export const ROOM_CODE_PREFIX = "IXENT-";
const ROOM_CODE_LENGTH = 6;
const CANONICAL_CODE = new RegExp(`^${ROOM_CODE_PREFIX}[${ROOM_CODE_ALPHABET}]{${ROOM_CODE_LENGTH}}$`);

/**
 * Reads a typed room code without regard to case, blanks, hyphens or a missing `IXENT`.
 * Null when it is none.
 */
export function parseRoomCode(text: string): RoomCode | null {
  if (text.length > 64) return null;
  const bare = text.toUpperCase().replace(/[\s\-\u2010-\u2015]/g, "");
  const tail = bare.length > ROOM_CODE_LENGTH && bare.startsWith("IXENT") ? bare.slice(5) : bare;
  const code = ROOM_CODE_PREFIX + tail;
  return CANONICAL_CODE.test(code) ? (code as RoomCode) : null;
}

/**
 * Makes a room code out of random bytes (at least 6, from a CSPRNG).
 * The alphabet has 32 letters, so five bits of each byte are used and no letter is favoured.
 */
export function makeRoomCode(randomBytes: Uint8Array): RoomCode {
  let code = ROOM_CODE_PREFIX;
  for (let i = 0; i < ROOM_CODE_LENGTH; i++) code += ROOM_CODE_ALPHABET[(randomBytes[i] ?? 0) & 31];
  return code as RoomCode;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function parseMatchId(text: string): MatchId | null {
  return UUID.test(text) ? (text as MatchId) : null;
}
