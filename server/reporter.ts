/** Structured logs (pino): one JSON object a line, so no field can break out of its line; never a token or a seed. */
import { type DestinationStream, type Logger, pino } from "pino";
import type { Reporter } from "../rooms/ports.ts";

export interface Logs extends Reporter {
  readonly logger: Logger;
}

const SECRET_FIELDS = [
  ...["token", "seat_token", "seatToken", "id_token", "reconnectionToken", "sessionId", "seed"],
  ...["authorization", "Authorization", "cookie", "Cookie", '["set-cookie"]', '["x-gearmice-peer"]'],
  ...['["x-firebase-token"]', '["X-Firebase-Token"]', "password", "admin_token"],
];
/** Fields of that name at the top and in what lies below, such as the headers of a request. */
const atAnyDepth = (name: string) => {
  const below = name.startsWith("[") ? name : `.${name}`;
  return [name, `*${below}`, `*.*${below}`];
};
/** Our signed tokens (server/tokens.ts) and the operator's (server/ops/adminToken.ts), wherever they stand. */
const TOKEN = /gm1\.(?:id|seat)\.[\w-]+\.[\w-]+\.[\w-]+|gma1\.[\w-]+/g;
const BEARER = /\b(Bearer|Basic) +[\w.~+/-]{8,}=*/gi;
/** In an address: what names a token or opens a private room. */
const IN_QUERY = /([?&](?:[\w-]*token|code|key|session|sessionId|password|secret)=)[^&\s"'\\]+/gi;

/** In a path: a room code, which opens a private room. */
const IN_PATH = /(\/(?:rooms?|joinById)\/)IXENT-[A-Z2-9]{6}/gi;

/** A line without the secrets that stand in its texts. */
function hushed(line: string): string {
  return line
    .replace(TOKEN, "[token]")
    .replace(BEARER, "$1 [token]")
    .replace(IN_QUERY, "$1[hidden]")
    .replace(IN_PATH, "$1[code]");
}

/** `destination` left out: standard output. */
export function openReporter(level: string, destination?: DestinationStream): Logs {
  const logger = pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_FIELDS.flatMap(atAnyDepth), remove: true },
      // Last of all: a secret in a text, such as an error's message or an address that was called.
      hooks: { streamWrite: hushed },
    },
    ...(destination === undefined ? [] : [destination]),
  );
  return {
    logger,
    error: (error, context) => logger.error({ err: plain(error), ...context }, "error"),
    info: (message, context) => logger.info(context, message),
  };
}

/** Pino's own serializer walks causes; what is no Error is shown as text, cut. */
function plain(error: unknown): unknown {
  return error instanceof Error ? error : { message: String(error).slice(0, 500) };
}

/** Errors, and warnings, a minute: a client brings one about, stack and all, by any malformed frame. */
const MAX_LINES = 20;
const MINUTE_MS = 60_000;

/** What Colyseus wants of a logger; it knows no fields. `now`: milliseconds, monotonic. */
export function consoleLike(logger: Logger, now: () => number = () => performance.now()) {
  const write = (level: "debug" | "error" | "info" | "trace" | "warn") => {
    const bounded = level === "error" || level === "warn";
    let since = Number.NEGATIVE_INFINITY;
    let count = 0;
    return (...args: unknown[]) => {
      if (now() - since >= MINUTE_MS) {
        if (bounded && count > MAX_LINES)
          logger[level]({ from: "colyseus", left_out: count - MAX_LINES }, "lines left out");
        since = now();
        count = 0;
      }
      count++;
      if (bounded && count > MAX_LINES) return;
      logger[level]({ from: "colyseus" }, args.map(String).join(" ").slice(0, 2_000));
    };
  };
  return {
    debug: write("debug"),
    error: write("error"),
    info: write("debug"),
    trace: write("trace"),
    warn: write("warn"),
  };
}
