/** What all routers of the HTTP door share: callers, bodies, and the one envelope of errors (PROTOCOL 6). */
import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import { StoreUnavailable } from "../../rooms/ports.ts";
import { type Refusal, RefusalError, refuse, STATUS_OF } from "../../shared/protocol/codes.ts";
import { MAX_BODY_BYTES } from "../../shared/protocol/requests.ts";
import { unreadable } from "../../shared/protocol/unreadable.ts";
import type { Peers } from "../cluster/peers.ts";
import type { RoomGateway } from "../gateway.ts";
import type { Limits, Rule } from "../limits.ts";
import type { Caller, MatchService } from "../service/MatchService.ts";
import type { Identity, Tokens } from "../tokens.ts";
import { whoOf } from "../who.ts";

export interface HttpPorts {
  readonly gateway: RoomGateway;
  /** Calls have been handed on to where their match is when a router sees them. */
  readonly service: MatchService;
  /** The same for matches that other processes hold, too. */
  readonly everywhere: MatchService;
  readonly tokens: Tokens;
  readonly limits: Limits;
  readonly now: () => number;
  /** The other processes of this installation; null when this is the only one. */
  readonly peers: Peers | null;
  addressOf(req: Request): string;
}

/** Answers with a refusal: its status, its code, when to try again, and what else the door adds. */
export function sendRefusal(res: Response, refusal: Refusal, extra: object = {}): void {
  const { code, message, retry_after_s } = refusal;
  res.locals.code = code;
  if (retry_after_s !== undefined) res.set("Retry-After", String(retry_after_s));
  if (code === "unauthorized") res.set("WWW-Authenticate", "Bearer");
  res.status(STATUS_OF[code]).json({
    error: { code, message, ...(retry_after_s === undefined ? {} : { retry_after_s }) },
    ...extra,
  });
}

/** The value of an answer; a refusal is thrown to the error handler. */
export function granted<T extends { readonly ok: true }>(answer: T | Refusal): T {
  if (!answer.ok) throw new RefusalError(answer);
  return answer;
}

/** The body as `schema` reads it; the refusal names the field. */
export function bodyOf<T>(req: Request, schema: z.ZodType<T>): T {
  const read = schema.safeParse(req.body ?? {});
  if (read.success) return read.data;
  throw new RefusalError(unreadable(read.error));
}

export function tokenOf(req: Request): string | null {
  const found = /^Bearer +([\w.~+/-]+=*) *$/i.exec(req.get("authorization") ?? "");
  if (found?.[1]) return found[1];
  if (req.get("authorization") === undefined) return null;
  throw new RefusalError(refuse("unauthorized", "The Authorization header holds no bearer token."));
}

/** Who calls about rooms; an identity token is needed. */
export function identityOf(req: Request, tokens: Tokens): Identity {
  const token = tokenOf(req);
  const identity = token === null ? null : tokens.verifyIdentity(token);
  if (identity) return identity;
  throw new RefusalError(
    refuse("unauthorized", "This needs an identity token: POST /api/v1/identities {name} gives one."),
  );
}

export function callerOf(req: Request, { addressOf }: Pick<HttpPorts, "addressOf">): Caller {
  const { code } = req.query;
  return { token: tokenOf(req), code: typeof code === "string" ? code.slice(0, 64) : null, address: addressOf(req) };
}

/**
 * Calls `then` once when the connection of an answer is closed, at once when that has happened already: a caller may be
 * gone before the handler runs, and then no event comes any more.
 */
export function whenGone(res: Response, then: () => void): void {
  if (res.closed) then();
  else res.once("close", then);
}

/** Where the caller has reached us, without a slash at the end. */
export function rootOf(req: Request): string {
  const host = /^[\w.:[\]-]{1,255}$/.exec(req.get("host") ?? "")?.[0] ?? "localhost";
  const proto = req.get("x-forwarded-proto") === "https" ? "https" : req.protocol;
  return `${proto}://${host}`;
}

/** A path parameter; Express gives a list only for wildcards. */
export function param(req: Request, name: string): string {
  const value = req.params[name];
  return typeof value === "string" ? value : "";
}

export function limited(ports: HttpPorts, rule: Rule): RequestHandler {
  return async (req, _res, next) => {
    const refusal = await ports.limits.take(rule, ports.addressOf(req));
    if (refusal) throw new RefusalError(refusal);
    next();
  };
}

/** A call counts as open until its answer is: an address may have so many waiting. */
export function inProgress(ports: Pick<HttpPorts, "limits" | "addressOf">): RequestHandler {
  return (req, res, next) => {
    const close = ports.limits.open("call", ports.addressOf(req));
    if (close === null) throw new RefusalError(refuse("rate_limited", "Too many calls are waiting for an answer.", 10));
    whenGone(res, close);
    next();
  };
}

/** Below, a body is no more than any call is, and those are counted. */
const SMALL_BODY_BYTES = 4 * 1_024;

/** Counts the KiB of a body, by address and by whose token it comes with, before anybody reads it. */
export function weighed(ports: Pick<HttpPorts, "limits" | "addressOf" | "tokens">): RequestHandler {
  return async (req, _res, next) => {
    // What comes in chunks says nothing of its length.
    const chunked = req.headers["transfer-encoding"] !== undefined;
    const length = chunked ? MAX_BODY_BYTES : Math.min(Number(req.headers["content-length"] ?? 0), MAX_BODY_BYTES);
    if (length <= SMALL_BODY_BYTES) return next();
    const [address, kib] = [ports.addressOf(req), Math.ceil(length / 1_024)];
    const who = whoOf(tokenOf(req), ports.tokens);
    const tooMuch =
      (await ports.limits.take("bytes", address, undefined, kib)) ??
      (who === null ? null : await ports.limits.take("bytes", address, who, kib));
    if (tooMuch) throw new RefusalError(tooMuch);
    next();
  };
}

/** What a store gives; when it cannot, `unavailable`. */
export async function stored<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      throw new RefusalError(refuse("unavailable", "This cannot be stored or read just now; try again.", 1));
    }
    throw error;
  }
}
