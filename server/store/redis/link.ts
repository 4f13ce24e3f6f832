/**
 * The connection to Redis. The library reconnects by itself; here every call gets an answer in bounded time, and every
 * failure is StoreUnavailable: either nothing was sent, or nobody knows whether it arrived.
 */
import { setImmediate as nextRound } from "node:timers/promises";
import { createClient, ErrorReply } from "redis";
import type { Reporter } from "../../../rooms/ports.ts";
import { StoreUnavailable } from "../../../rooms/ports.ts";
import * as codeScripts from "./codeScripts.ts";
import * as leaseScripts from "./leaseScripts.ts";
import * as ledgerScripts from "./ledgerScripts.ts";
import * as logScripts from "./logScripts.ts";
import * as sealScripts from "./sealScripts.ts";

export interface LinkOptions {
  /** `redis[s]://[[user][:password]@]host[:port][/database]` */
  readonly url: string;
  readonly report: Reporter;
  /** Milliseconds after which a call that got no answer breaks the connection; left out: 3,000. */
  readonly answerMs?: number;
  /** Milliseconds in which Redis must be there for the first time; left out: 10,000. */
  readonly openMs?: number;
}

const scripts = { ...logScripts, ...leaseScripts, ...sealScripts, ...codeScripts, ...ledgerScripts };
const ANSWER_MS = 3_000;
const OPEN_MS = 10_000;
const MAX_RETRY_MS = 1_000;

function makeClient(url: string, reconnectStrategy: (retries: number, cause: Error) => number | Error) {
  return createClient({
    url,
    scripts,
    // What is sent is either answered or lost; a call that waited for the connection would come too late.
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    maintNotifications: "disabled",
    socket: { reconnectStrategy, connectTimeout: 5_000 },
  });
}
export type Client = ReturnType<typeof makeClient>;

interface Waiting {
  readonly since: number;
}

export class Link {
  readonly #options: LinkOptions;
  readonly #answerMs: number;
  /** In the order in which they were sent. */
  readonly #waiting = new Set<Waiting>();
  readonly #readyListeners = new Set<() => void>();
  #client: Client;
  #watch: NodeJS.Timeout | null = null;
  #wasReady = false;
  #down = false;
  #ended = false;

  private constructor(options: LinkOptions) {
    this.#options = options;
    this.#answerMs = options.answerMs ?? ANSWER_MS;
    this.#client = this.#make();
  }

  /** Rejects with StoreUnavailable when Redis is not there in time or does not let us in. */
  static async open(options: LinkOptions): Promise<Link> {
    const link = new Link(options);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("Redis does not answer")), options.openMs ?? OPEN_MS);
    try {
      await Promise.race([link.#client.connect(), late.promise]);
      return link;
    } catch (cause) {
      link.destroy();
      throw new StoreUnavailable("Redis cannot be reached", { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs one call; it may be sent together with others. Rejects with StoreUnavailable. */
  async run<T>(call: (client: Client) => Promise<T>): Promise<T> {
    if (this.#ended) throw new StoreUnavailable("the connection to Redis is closed");
    const client = this.#client;
    const waiting = { since: performance.now() };
    this.#waiting.add(waiting);
    this.#watchOldest();
    try {
      return await call(client);
    } catch (cause) {
      // It was the primary and is a replica now: whoever has its name may be the new one.
      if (cause instanceof ErrorReply && cause.message.startsWith("READONLY")) this.#replace(client);
      throw new StoreUnavailable("Redis did not do it", { cause });
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Calls `listener` each time the connection is there again. */
  onReady(listener: () => void): void {
    this.#readyListeners.add(listener);
  }

  /** Breaks the connection; what is on its way rejects. */
  destroy(): void {
    this.#ended = true;
    if (this.#watch !== null) clearTimeout(this.#watch);
    this.#client.destroy();
  }

  #make(): Client {
    const client = makeClient(this.#options.url, (retries, cause) => {
      // A wrong password does not get better by trying.
      if (!this.#wasReady && cause instanceof ErrorReply) return cause;
      return Math.min(MAX_RETRY_MS, 25 * 2 ** retries) * (0.5 + Math.random() / 2);
    });
    client.on("error", (error) => {
      if (this.#down || this.#ended) return;
      this.#down = true;
      this.#options.report.error(error, { at: "store.redis" });
    });
    client.on("ready", () => {
      const back = this.#wasReady;
      this.#wasReady = true;
      if (this.#down) this.#options.report.info("Redis is there again", {});
      this.#down = false;
      if (back) for (const listener of this.#readyListeners) listener();
    });
    return client;
  }

  #replace(client: Client): void {
    if (this.#ended || client !== this.#client) return;
    this.#client = this.#make();
    client.destroy();
    // It goes on trying, and every failure is told by its error event.
    this.#client.connect().catch(() => {});
  }

  #watchOldest(): void {
    if (this.#watch !== null || this.#ended) return;
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    const due = oldest.since + this.#answerMs - performance.now();
    this.#watch = setTimeout(() => void this.#look(), Math.max(0, due)).unref();
  }

  /** A connection that does not answer is given up: a call behind a hole in the net would wait for minutes. */
  async #look(): Promise<void> {
    // When it was this process that stood still, the answers are there and only have to be read.
    await nextRound();
    await nextRound();
    this.#watch = null;
    const [oldest] = this.#waiting;
    if (oldest !== undefined && performance.now() - oldest.since >= this.#answerMs) this.#replace(this.#client);
    this.#watchOldest();
  }
}
