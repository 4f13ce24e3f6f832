/** The public HTTP server: how long a caller may take to say what he wants, and how many connections one may have. */
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Refusal, refuse, STATUS_OF } from "../shared/protocol/codes.ts";
import { addressOf } from "./address.ts";
import type { Limits } from "./limits.ts";

export interface Patience {
  /** In which the head of a call must be there, from the opening of the connection or the end of the call before. */
  readonly headersTimeout: number;
  /** In which all of a call must be there, its body too. Answers may take as long as they like: streams, waits. */
  readonly requestTimeout: number;
  /** How often it is looked. */
  readonly connectionsCheckingInterval: number;
}

const PATIENCE: Patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };
/** No client or proxy sends as many; Node's own is 2,000. */
const MAX_HEADERS = 100;

/**
 * A server that lets nobody take his time. Calls on one connection are not counted (`maxRequestsPerSocket`): above its
 * number Node answers a bare 503, and an agent that plays for hours over one connection does no harm.
 */
export function makePublicServer(patience: Patience = PATIENCE): Server {
  const server = createServer({
    ...patience,
    // A call that would also speak HTTP/2 (`Upgrade: h2c`, the default of some clients) is a call like any other.
    // Before Node 24.9 the option is unknown, and such a call ends in the upgrader.
    shouldUpgradeCallback: (req) => req.headers.upgrade?.toLowerCase() === "websocket",
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    // What is half answered can only be cut; so can who has gone.
    const inAnswer = (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;
    if (!socket.writable || error.code === "ECONNRESET" || inAnswer) return void socket.destroy();
    answerRaw(socket, unreadable(error.code));
  });
  return server;
}

/**
 * Bounds the connections of each address. `proxies`: with trusted proxies in front a connection says nothing of who
 * uses it, and they count for themselves. Returns what takes a connection off the count: that of another process of
 * this installation, which carries the calls of many.
 */
export function boundConnections(
  server: Server,
  { limits, proxies }: { readonly limits: Pick<Limits, "open">; readonly proxies: number },
): (socket: Socket) => void {
  const closers = new WeakMap<Socket, () => void>();
  if (proxies > 0) return () => {};
  server.on("connection", (socket: Socket) => {
    const close = limits.open("connection", addressOf({ socket, headers: {} } as IncomingMessage, 0));
    if (close === null) return answerRaw(socket, refuse("rate_limited", "Too many connections are open.", 10));
    const once = () => {
      if (closers.delete(socket)) close();
    };
    closers.set(socket, once);
    socket.once("close", once);
  });
  return (socket) => closers.get(socket)?.();
}

function unreadable(code: string | undefined): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return refuse("too_large", "The head of this call is too long.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse("bad_request", "This call was not complete in time.");
  return refuse("bad_request", "This is no HTTP call.");
}

/** The envelope of errors (PROTOCOL 6), where there is no answer to write it into; then the connection ends. */
export function answerRaw(socket: Duplex, { code, message, retry_after_s }: Refusal): void {
  const retry = retry_after_s === undefined ? {} : { retry_after_s };
  const body = JSON.stringify({ error: { code, message, ...retry } });
  const status = STATUS_OF[code];
  socket.on("error", () => socket.destroy());
  // Who sends on and on is not listened to.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: application/json\r\nConnection: close\r\n${retry_after_s === undefined ? "" : `Retry-After: ${retry_after_s}\r\n`}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
