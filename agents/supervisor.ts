/** Starts the house's bots in worker threads and starts them again when they die (DESIGN 3). */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { keyEnvOf, MODEL_PREFIX, type ModelConfig, type Models } from "../shared/protocol/models.ts";
import type { Assignment } from "./assignment.ts";
import { BRAINS, brainKind } from "./brains/registry.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** A bot that has died this often is not started again: its clock decides. */
const MAX_RESTARTS = 3;
const READY_WITHIN_MS = 20_000;

export interface SupervisorOptions {
  /** Where the server is. */
  readonly url: string;
  /** Threads; left out: one less than there are cores, 1 to 4. */
  readonly threads?: number;
  /** The language models that seats can be given to, by name. */
  readonly models?: Models;
  /** Seats that models play at once: each answer may cost. Left out: as many as there are. */
  readonly modelSeats?: number;
  readonly report: {
    error(error: unknown, context: { readonly match_id?: string; readonly code?: string; readonly at: string }): void;
    info(message: string, context: Readonly<Record<string, unknown>>): void;
  };
}

interface Bot {
  readonly number: number;
  readonly assignment: Assignment;
  thread: Thread;
  restarts: number;
  ready(): void;
  /** Ends it; rejects what waits for it to get ready. */
  failed(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  bots: number;
}

export class ThreadSupervisor {
  readonly #options: SupervisorOptions;
  readonly #size: number;
  readonly #threads = new Set<Thread>();
  readonly #bots = new Map<number, Bot>();
  #numbers = 0;
  #closed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#size = options.threads ?? Math.max(1, Math.min(4, availableParallelism() - 1));
  }

  knows(brain: string): boolean {
    return brainKind(brain) !== null || this.#modelOf(brain) !== null;
  }

  /** Every brain by the name that a seat gives it, models last. */
  offered(): readonly { readonly name: string; readonly model: string | null }[] {
    const models = Object.entries(this.#options.models ?? {});
    return [
      ...BRAINS.map(({ name }) => ({ name, model: null })),
      ...models.map(([name, { model }]) => ({ name: `${MODEL_PREFIX}${name}`, model })),
    ];
  }

  #modelOf(brain: string): ModelConfig | null {
    const { models = {} } = this.#options;
    const name = brain.startsWith(MODEL_PREFIX) ? brain.slice(MODEL_PREFIX.length) : "";
    return Object.hasOwn(models, name) ? (models[name] ?? null) : null;
  }

  /** Resolves when the bot is ready to connect; rejects when it cannot be started. A bot of that seat is replaced. */
  drive(assignment: Assignment): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("no bots are started any more"));
    if (!this.knows(assignment.brain)) return Promise.reject(new Error(`there is no brain ${assignment.brain}`));
    const { match_id, seat } = assignment;
    for (const bot of this.#bots.values()) {
      if (bot.assignment.match_id === match_id && bot.assignment.seat === seat) bot.failed(new Error("replaced"));
    }
    const lacking = this.#lackingFor(assignment.brain);
    if (lacking !== null) return Promise.reject(new Error(`${assignment.brain}: ${lacking}`));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => bot.failed(new Error("the bot did not get ready in time")), READY_WITHIN_MS);
      const number = ++this.#numbers;
      const bot: Bot = {
        number,
        assignment,
        thread: this.#thread(),
        restarts: 0,
        ready: () => {
          clearTimeout(timer);
          resolve();
        },
        failed: (error) => {
          clearTimeout(timer);
          this.#release(bot);
          reject(error);
        },
      };
      this.#bots.set(number, bot);
      this.#start(bot);
    });
  }

  /** Why a model cannot be given one seat more; null: it can, or it is none. */
  #lackingFor(brain: string): string | null {
    const model = this.#modelOf(brain);
    if (model === null) return null;
    const variable = keyEnvOf(model);
    if (variable !== null && !process.env[variable]?.trim()) return `the environment variable ${variable} holds no key`;
    const { modelSeats = Number.POSITIVE_INFINITY } = this.#options;
    const seated = [...this.#bots.values()].filter((bot) => this.#modelOf(bot.assignment.brain) !== null);
    return seated.length < modelSeats
      ? null
      : `models play on ${modelSeats} seats already, as many as MODEL_SEATS allows`;
  }

  /** The match is over or gone: its bots leave. */
  release(matchId: string): void {
    for (const bot of this.#bots.values()) if (bot.assignment.match_id === matchId) bot.failed(new Error("released"));
  }

  /** How many seats are driven now. */
  get driven(): number {
    return this.#bots.size;
  }

  /** The worker threads, for those who want to know how they fare. */
  get workers(): readonly Worker[] {
    return [...this.#threads].map(({ worker }) => worker);
  }

  /** Ends all bots and threads. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const bot of this.#bots.values()) bot.failed(new Error("no bots are started any more"));
    await Promise.all(this.workers.map((worker) => worker.terminate()));
    this.#threads.clear();
  }

  /** The thread with the fewest bots, a new one while there are fewer than there may be. */
  #thread(): Thread {
    let least: Thread | null = null;
    for (const thread of this.#threads) if (least === null || thread.bots < least.bots) least = thread;
    if (least !== null && (least.bots === 0 || this.#threads.size >= this.#size)) return least;
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
    const worker = new Worker(new URL(file, import.meta.url), {
      name: "bots",
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    const thread: Thread = { worker, bots: 0 };
    this.#threads.add(thread);
    worker.on("message", (message: FromWorker) => this.#heard(message));
    worker.on("error", (error) => this.#options.report.error(error, { at: "bots.thread" }));
    worker.on("exit", () => this.#lost(thread));
    // What the SDK says on the console is no business of the operator's.
    worker.stdout.resume();
    worker.stderr.resume();
    // The server's sockets keep the process alive, not its bots.
    worker.unref();
    return thread;
  }

  #start(bot: Bot): void {
    bot.thread.bots += 1;
    const { number, assignment } = bot;
    const model = this.#modelOf(assignment.brain);
    this.#tell(bot, { type: "drive", bot: number, url: this.#options.url, assignment, model });
  }

  #tell(bot: Bot, message: ToWorker): void {
    bot.thread.worker.postMessage(message);
  }

  #release(bot: Bot): void {
    if (!this.#bots.delete(bot.number)) return;
    bot.thread.bots -= 1;
    this.#tell(bot, { type: "release", bot: bot.number });
  }

  #heard(message: FromWorker): void {
    const bot = this.#bots.get(message.bot);
    if (bot === undefined) return;
    switch (message.type) {
      case "ready":
        bot.ready();
        return;
      case "ended":
        this.#release(bot);
        return;
      case "stumbled": {
        const { match_id, code, brain } = bot.assignment;
        this.#options.report.error(new Error(`${brain}: ${message.reason}`), { match_id, code, at: "bots.brain" });
        return;
      }
      case "died":
        this.#restart(bot, message.reason);
        return;
    }
  }

  /** A thread has ended: its bots go to another. */
  #lost(thread: Thread): void {
    this.#threads.delete(thread);
    if (this.#closed) return;
    for (const bot of [...this.#bots.values()]) {
      if (bot.thread === thread) this.#restart(bot, "its thread has ended");
    }
  }

  #restart(bot: Bot, reason: string): void {
    const { match_id, code, seat } = bot.assignment;
    bot.thread.bots -= 1;
    if (bot.restarts >= MAX_RESTARTS) {
      this.#bots.delete(bot.number);
      const error = new Error(`the bot of ${seat} died ${MAX_RESTARTS + 1} times: ${reason}`);
      bot.failed(error);
      this.#options.report.error(error, { match_id, code, at: "bots.restart" });
      return;
    }
    bot.restarts += 1;
    this.#options.report.info("bot restarted", { match_id, code, seat, reason, restarts: bot.restarts });
    bot.thread = this.#thread();
    this.#start(bot);
  }
}
