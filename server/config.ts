/** Configuration by environment; every setting has a default that needs nothing. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { modelsSchema } from "../shared/protocol/models.ts";

const onOff = (fallback: "on" | "off") =>
  z
    .enum(["on", "off"])
    .default(fallback)
    .transform((text) => text === "on");
const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number<string>().int().min(min).max(max).default(fallback);

/** A folder of the package, wherever the process was started. */
function packaged(folder: string): string {
  return fileURLToPath(new URL(`../${folder}`, import.meta.url));
}

/** JSON that stands in the setting itself, or in the file that it names. */
const jsonOrFile = z.string().transform((text, context) => {
  try {
    return JSON.parse(text.trim().startsWith("{") ? text : readFileSync(text, "utf8")) as unknown;
  } catch (error) {
    const unread = error instanceof SyntaxError ? "this is no JSON" : `no such file can be read (${String(error)})`;
    context.addIssue({ code: "custom", message: unread });
    return z.NEVER;
  }
});

const schema = z.object({
  /** The public port; 0 takes a free one. */
  PORT: whole(2567, 0, 65_535),
  HOST: z.string().min(1).default("0.0.0.0"),
  /** Health, readiness and metrics; left out: PORT + 1. 0 takes a free one. */
  OPS_PORT: z.coerce.number<string>().int().min(0).max(65_535).optional(),
  OPS_HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("./data"),
  /** `redis[s]://[[user][:password]@]host[:port][/database]`: matches lie there, for any number of processes. */
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\/./, { error: "not an address of Redis" })
    .optional(),
  /** All keys in Redis begin with it, so that installations can share one. */
  REDIS_PREFIX: z.string().min(1).max(64).default("gearmice:"),
  /** With Redis: seconds after which the matches of a process that gives no sign of life go to another. */
  LEASE_SECONDS: whole(10, 1, 300),
  /** With Redis: where the other processes reach this one, `http://<host>:<port>`. Left out: by HOST and PORT. */
  PEER_ADDRESS: z.url({ protocol: /^http$/ }).optional(),
  /** How long matches that are over are kept: days after their end, and the newest that many. Left out: for ever, all. */
  KEEP_DAYS: z.coerce.number<string>().int().min(1).max(100_000).optional(),
  KEEP_MATCHES: z.coerce.number<string>().int().min(1).max(1_000_000_000).optional(),
  /** One match of house bots is always live. */
  SHOWCASE: onOff("on"),
  /** Seconds a turn may take where a room says nothing else (R9.2). */
  TURN_SECONDS: whole(600, 5, 86_400),
  /** Proxies in front whose X-Forwarded-For is believed. */
  TRUST_PROXY: whole(0, 0, 10),
  /** Origins that may call from a browser, separated by commas; `*` for all. Empty: this server's own pages. */
  CORS_ORIGINS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ""),
    )
    .refine((origins) => origins.every((o) => o === "*" || URL.canParse(o)), { error: "not a list of origins" }),
  LOG_LEVEL: z.enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
  /** Limits by address and identity. `off` is for tests and load generators. */
  RATE_LIMITS: onOff("on"),
  /** Messages a second of one socket that are worked off, and at which it is closed. */
  SOCKET_MESSAGES_PER_SECOND: whole(60, 1, 1_000_000),
  SOCKET_KICK_PER_SECOND: whole(300, 2, 10_000_000),
  /** Milliseconds a house bot holds a move back: when all seats are the house's, and when people play along. */
  SHOWCASE_PACE_MS: whole(1_200, 0, 60_000),
  BOT_PACE_MS: whole(700, 0, 60_000),
  /**
   * Language models that house seats can be given to, by name (`brain: "model:<name>"`): JSON, or a file of it, such as
   * `{"small":{"provider":"openai-compatible","base_url":"http://localhost:11434/v1","model":"qwen3:8b"}}`.
   * Keys stand in the environment, under the name that `key_env` gives.
   */
  MODELS: jsonOrFile.pipe(modelsSchema).default({}),
  /** Seats that such models play at once in this process; above, a room with one is `bot_unavailable`. */
  MODEL_SEATS: whole(16, 0, 10_000),
  /** Rooms at once in this process; above, creating one is `unavailable`. */
  MAX_ROOMS: whole(20_000, 1, 1_000_000),
  /** The built web app, and static files served as they are. */
  CLIENT_DIR: z.string().min(1).default(packaged("dist/client")),
  PUBLIC_DIR: z.string().min(1).default(packaged("public")),
});

export type Config = z.infer<typeof schema>;

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the settings. Throws ConfigError whose message is one line that names the setting and what was wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, string> = {};
  for (const key of Object.keys(schema.shape)) {
    const value = env[key];
    if (value !== undefined && value !== "") given[key] = value;
  }
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const lines = read.error.issues.map((issue) => {
    const key = String(issue.path[0]);
    // Somebody may have written a key into it.
    if (key === "MODELS")
      return `MODELS: ${issue.path
        .slice(1)
        .map((part) => `${String(part)}: `)
        .join("")}${issue.message}`;
    return `${key}=${JSON.stringify(given[key] ?? "")}: ${issue.message}`;
  });
  throw new ConfigError(lines.join("; "));
}
