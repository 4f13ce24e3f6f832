/**
 * The other processes of one installation (DESIGN 4). A call that reached the wrong one is handed on as it is, to the
 * one that holds the match, and its answer is handed back: no rule of a door or a room is told twice.
 * What was handed to a process is cut when that process lives no more, so nobody waits for it.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import type { Clock, Reporter } from "../../rooms/ports.ts";
import { isBelieved, signingAt } from "../keys/period.ts";
import type { TokenKeys } from "../keys/tokenKeys.ts";
import type { MatchClaims, Peer } from "../store/MatchStore.ts";

const SECRET = "x-gearmice-peer";
const ADDRESS = "x-gearmice-address";
/** How often it is looked who lives. */
const LOOK_MS = 1_000;
/** In which another process must answer what it knows by heart. */
const ASK_MS = 1_000;
/** Between two hops of HTTP only (RFC 9110, 7.6.1). */
const OF_THE_HOP = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
const OF_THE_BODY = ["content-length", "content-type", "content-encoding"];

export interface PeersOptions {
  readonly claims: Pick<MatchClaims, "peers">;
  /** The token keys that all processes share; they may be rotated. */
  keys(): TokenKeys;
  readonly clock: Clock;
  readonly report: Reporter;
  /** The caller's address, as far as the network tells. */
  addressOf(req: IncomingMessage): string;
}

/** In whose name another process is called: by which token, from which address. */
export interface PeerCaller {
  readonly token: string | null;
  readonly address: string;
}

const OURSELVES: PeerCaller = { token: null, address: "127.0.0.1" };

export class Peers {
  readonly #options: PeersOptions;
  readonly #agent = new Agent({ keepAlive: true });
  /** What is open to whom; by address. */
  readonly #open = new Map<string, Set<{ destroy(): unknown }>>();
  readonly #listeners = new Set<(peers: readonly Peer[]) => void>();
  #living: readonly Peer[] = [];
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** Looks who lives, again and again. Rejects with StoreUnavailable when it cannot be known at the start. */
  async start(): Promise<void> {
    this.#living = await this.#options.claims.peers();
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
    for (const [address] of this.#open) this.#cut(address);
    this.#agent.destroy();
  }

  /** Who called the process that handed this call on; null when none of ours did. Such a call is not handed on again. */
  callerBehind(req: IncomingMessage): string | null {
    if (req.headers[SECRET] === undefined) return null;
    const told = Buffer.from(String(req.headers[SECRET]));
    const { keys, clock } = this.#options;
    const known = keys().some((key) => {
      if (key.key === null || !isBelieved(key, clock.wallMs())) return false;
      const secret = Buffer.from(secretOf(key.key));
      return told.length === secret.length && timingSafeEqual(told, secret);
    });
    if (!known) return null;
    return String(req.headers[ADDRESS] ?? "");
  }

  /** Hands a call on whose body nobody has read, and its answer back. `failed` is called when there is none. */
  forward(
    address: string,
    req: IncomingMessage & { readonly originalUrl?: string },
    res: ServerResponse,
    failed: () => void,
  ) {
    const upstream = request(new URL(pathOf(req.originalUrl ?? req.url), address), {
      agent: this.#agent,
      method: req.method,
      headers: { ...this.#headers(req), ...chunking(req.headers) },
    });
    const done = this.#track(address, upstream);
    upstream.once("response", (answer) => {
      for (const [name, value] of Object.entries(withoutHop(answer.headers))) {
        if (value !== undefined) res.setHeader(name, value);
      }
      res.writeHead(answer.statusCode ?? 502);
      res.flushHeaders();
      answer.pipe(res);
      answer.once("error", () => res.destroy());
    });
    upstream.once("error", () => (res.headersSent ? res.destroy() : failed()));
    upstream.once("close", done);
    res.once("close", () => upstream.destroy());
    req.pipe(upstream);
  }

  /**
   * Calls the HTTP door of another process in the name of a caller: `caller.token` as bearer, `caller.address` as where
   * the call comes from. Resolves with its answer, whose body is still to be read; rejects when there is none, also
   * because `signal` aborts.
   */
  call(
    address: string,
    url: URL,
    options: {
      readonly method: "GET" | "POST";
      readonly caller: PeerCaller;
      readonly body?: unknown;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<IncomingMessage> {
    const { method, caller, body, signal } = options;
    return new Promise((resolve, reject) => {
      const upstream = request(url, {
        agent: this.#agent,
        method,
        ...(signal ? { signal } : {}),
        headers: {
          ...this.#inTheNameOf(caller),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
      });
      const done = this.#track(address, upstream);
      upstream.once("response", resolve);
      upstream.on("error", reject);
      upstream.once("close", done);
      upstream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Hands a socket on that wants to become a WebSocket: from here on its bytes pass through. */
  forwardUpgrade(address: string, req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { hostname, port } = new URL(address);
    const upstream: Socket = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ""));
    const done = this.#track(address, upstream);
    const lines = Object.entries({ ...this.#headers(req), connection: "Upgrade", upgrade: req.headers.upgrade });
    upstream.write(
      `GET ${pathOf(req.url)} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    upstream.write(head);
    upstream.pipe(socket);
    socket.pipe(upstream);
    upstream.setNoDelay(true);
    for (const [one, other] of [
      [upstream, socket],
      [socket, upstream],
    ] as const) {
      one.on("error", () => one.destroy());
      one.once("close", () => other.destroy());
    }
    upstream.once("close", done);
  }

  /** Asks every other process, in the name of a caller or in our own; null for one that did not answer in time or refused. */
  async ask<T>(path: string, caller: PeerCaller = OURSELVES): Promise<(T | null)[]> {
    const living = await this.#options.claims.peers().catch(() => this.#living);
    // One without an address has only just started, and holds nothing.
    const reachable = living.filter(({ address }) => address !== "");
    return Promise.all(
      reachable.map(async ({ address }) => {
        try {
          const signal = AbortSignal.timeout(ASK_MS);
          const answer = await fetch(new URL(path, address), {
            headers: this.#inTheNameOf(caller),
            signal,
          });
          return answer.ok ? ((await answer.json()) as T) : null;
        } catch {
          return null;
        }
      }),
    );
  }

  /**
   * Follows a stream of lines at every other process in the name of a caller, also at those that come, until the
   * returned function is called.
   */
  follow(path: string, caller: PeerCaller, line: (text: string) => void): () => void {
    const open = new Map<string, { destroy(): unknown }>();
    const look = (peers: readonly Peer[]) => {
      for (const { address } of peers) {
        if (address === "" || open.has(address)) continue;
        const upstream = request(new URL(path, address), { headers: this.#inTheNameOf(caller) });
        const done = this.#track(address, upstream);
        open.set(address, upstream);
        upstream.once("response", (answer) => {
          if (answer.statusCode !== 200) return void upstream.destroy();
          const lines = createInterface({ input: answer });
          lines.on("line", (text) => text !== "" && line(text));
          lines.on("error", () => upstream.destroy());
          answer.once("error", () => upstream.destroy());
        });
        upstream.on("error", () => upstream.destroy());
        upstream.once("close", () => {
          open.delete(address);
          done();
        });
        upstream.end();
      }
    };
    this.#listeners.add(look);
    look(this.#living);
    return () => {
      this.#listeners.delete(look);
      for (const upstream of open.values()) upstream.destroy();
    };
  }

  #secret(): string {
    const { keys, clock } = this.#options;
    const current = signingAt(keys(), clock.wallMs(), ({ key }) => key !== null);
    return current?.key ? secretOf(current.key) : "";
  }

  #inTheNameOf({ token, address }: PeerCaller): Record<string, string> {
    return {
      [SECRET]: this.#secret(),
      [ADDRESS]: address,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  /** As they came, with who called; what the caller said of that himself is not believed. */
  #headers(req: IncomingMessage): IncomingHttpHeaders {
    return {
      ...withoutHop(req.headers),
      [SECRET]: this.#secret(),
      [ADDRESS]: this.#options.addressOf(req),
    };
  }

  #track(address: string, thing: { destroy(): unknown }): () => void {
    const things = this.#open.get(address) ?? new Set();
    this.#open.set(address, things);
    things.add(thing);
    return () => {
      things.delete(thing);
      if (things.size === 0 && this.#open.get(address) === things) this.#open.delete(address);
    };
  }

  #lookLater(): void {
    if (!this.#stopped) this.#cancel = this.#options.clock.after(LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    try {
      const living = await this.#options.claims.peers();
      const gone = this.#living.filter(({ processId }) => !living.some((peer) => peer.processId === processId));
      this.#living = living;
      for (const { address } of gone) this.#cut(address);
      for (const listener of this.#listeners) listener(living);
    } catch {
      // While the store cannot tell, nobody is taken for dead. It tells of its troubles itself.
    }
    this.#lookLater();
  }

  #cut(address: string): void {
    for (const thing of this.#open.get(address) ?? []) thing.destroy();
  }
}

/** What proves a process to be one of ours. */
function secretOf(key: string): string {
  return createHmac("sha256", Buffer.from(key, "hex")).update("gearmice peer").digest("base64url");
}

/**
 * Path and query of a request line. It may name a host of the caller's choice (`GET http://host/path`, `GET //host/path`),
 * and what we hand on carries our secret: only the holder's own address may be called.
 */
function pathOf(target: string | undefined): string {
  const { pathname, search } = new URL((target ?? "/").replace(/^\/+/, "/"), "http://holder");
  return `${pathname.replace(/^\/+/, "/")}${search}`;
}

/** Without what is between two hops only: the headers known for it, and those that `Connection` names. */
function withoutHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  // How long a body is stays with the body, whatever the caller names.
  const dropped = new Set([...named.filter((name) => !OF_THE_BODY.includes(name)), ...OF_THE_HOP]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

/** Bodies that came in chunks go on in chunks, also where a call of that method has none as a rule. */
function chunking(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };
}
