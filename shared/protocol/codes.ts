/** The one list of refusal codes (PROTOCOL 4), with the HTTP status of each. The same words at every door. */
export const STATUS_OF = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  legal_off: 403,
  not_host: 403,
  not_found: 404,
  match_not_started: 409,
  match_already_started: 409,
  match_over: 409,
  match_not_over: 409,
  player_out: 409,
  stale_turn: 409,
  not_your_turn: 409,
  too_late: 409,
  room_full: 409,
  seat_taken: 409,
  ambiguous_game: 409,
  code_used: 410,
  code_expired: 410,
  room_closed: 410,
  too_large: 413,
  syntax: 422,
  wrong_phase: 422,
  no_such_tile: 422,
  obstacle: 422,
  occupied: 422,
  not_in_stock: 422,
  not_on_start_edge: 422,
  not_adjacent: 422,
  not_a_gear: 422,
  not_your_network: 422,
  no_bots: 422,
  bad_options: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  bot_unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS_OF;

/** A refusal as every door gives it. `retry_after_s` (seconds) comes with 429 and 503. */
export interface Refusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retry_after_s?: number;
}

export function refuse(code: ErrorCode, message: string, retryAfterS?: number): Refusal {
  return retryAfterS === undefined
    ? { ok: false, code, message }
    : { ok: false, code, message, retry_after_s: retryAfterS };
}

/** The refusal in an error envelope of the HTTP door (PROTOCOL 6); null when it is none. */
export function readRefusal(envelope: unknown): Refusal | null {
  const { error } = (envelope ?? {}) as { error?: unknown };
  const { code, message, retry_after_s } = (error ?? {}) as Record<string, unknown>;
  if (typeof code !== "string" || !Object.hasOwn(STATUS_OF, code)) return null;
  const retryAfterS = typeof retry_after_s === "number" ? retry_after_s : undefined;
  return refuse(code as ErrorCode, String(message ?? ""), retryAfterS);
}

/** What a command returns: its answer, or a refusal with a code. */
export type Answer<T extends object> = ({ readonly ok: true } & T) | Refusal;

/** A refusal thrown across layers that can only throw (room calls over presence). */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = "RefusalError";
    this.refusal = refusal;
  }
}

/** Codes that only the engine process gives (PROTOCOL 9); it has no HTTP status. */
export const ENGINE_CODES = [
  "unknown_op",
  "bad_json",
  "line_too_long",
  "no_such_match",
  "bad_seed",
  "nothing_to_undo",
] as const;
export type EngineCode = (typeof ENGINE_CODES)[number];
