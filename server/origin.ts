/**
 * Which pages may call. Nothing here acts on cookies, so a strange page could do no more in a visitor's browser than
 * anybody can do himself; but it would do it from the visitor's address, inside the visitor's network.
 */
import type { IncomingMessage } from "node:http";
import { refuse } from "../shared/protocol/codes.ts";

export interface OriginSettings {
  /** Origins whose pages may call; `*`: all. */
  readonly CORS_ORIGINS: readonly string[];
  /** Above 0 a proxy may tell by which host it was called. */
  readonly TRUST_PROXY: number;
}

export const FOREIGN_PAGE = refuse("forbidden", "Pages of this origin may not call; the operator can name it.");

/** Whether it is named in the settings. */
export function isNamed(origin: string, { CORS_ORIGINS }: Pick<OriginSettings, "CORS_ORIGINS">): boolean {
  return CORS_ORIGINS.includes("*") || CORS_ORIGINS.includes(origin);
}

/** Whether the caller is a program (no Origin at all), a page of this server, or of an origin that is named. */
export function mayCall(req: Pick<IncomingMessage, "headers">, settings: OriginSettings): boolean {
  const { origin, host, "x-forwarded-host": forwarded } = req.headers;
  if (origin === undefined || isNamed(origin, settings)) return true;
  const hosts = [
    host,
    ...(settings.TRUST_PROXY > 0
      ? [
          String(forwarded ?? "")
            .split(",")[0]
            ?.trim(),
        ]
      : []),
  ];
  return URL.canParse(origin) && hosts.some((name) => name !== "" && name === new URL(origin).host);
}
