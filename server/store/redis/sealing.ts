/**
 * Records of matches that are over. The process that ended a match makes its record in the background; when it dies
 * before that, another one does. Should two make it, the one that comes first is kept for ever.
 */
import { StoreUnavailable } from "../../../rooms/ports.ts";
import type { MatchId } from "../../../shared/protocol/ids.ts";
import type { LogEntry } from "../../../shared/protocol/log.ts";
import { Background } from "../background.ts";
import type { Seal } from "../MatchStore.ts";
import type { Keys } from "./keys.ts";
import type { Link } from "./link.ts";

export interface SealingOptions {
  readonly seal: Seal;
  readonly read: (id: MatchId) => Promise<readonly LogEntry[] | null>;
  readonly onError: (error: unknown, id?: MatchId) => void;
  /** Milliseconds after its end at which a match without a record is taken for forgotten. */
  readonly forgottenMs: number;
  readonly retryMs: number;
}

const FORGOTTEN_AT_ONCE = 20;

export class Sealing {
  readonly #link: Link;
  readonly #keys: Keys;
  readonly #options: SealingOptions;
  readonly #background: Background;
  readonly #ended = new Set<MatchId>();
  readonly #running = new Map<MatchId, Promise<string | null>>();
  #timer: NodeJS.Timeout | null = null;
  #searching = true;

  constructor(link: Link, keys: Keys, options: SealingOptions) {
    this.#link = link;
    this.#keys = keys;
    this.#options = options;
    this.#background = new Background({
      step: () => this.#step(),
      onError: (error) => options.onError(error),
      retryMs: options.retryMs,
    });
  }

  /** Begins to look for matches that were forgotten, now and again. */
  start(): void {
    this.#background.wake();
    this.#timer = setInterval(() => {
      this.#searching = true;
      this.#background.wake();
    }, this.#options.forgottenMs).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#background.stop();
  }

  /** This process has ended the match. */
  ended(id: MatchId): void {
    this.#ended.add(id);
    this.#background.wake();
  }

  /** The record, made now if need be; null when the match is unknown, not over, or has none. */
  async record(id: MatchId): Promise<string | null> {
    const [record, over, unsealable] = await this.#link.run(async (redis) => {
      const [record, marks] = await Promise.all([
        redis.get(this.#keys.record(id)),
        redis.hmGet(this.#keys.match(id), ["over", "unsealable"]),
      ]);
      return [record, ...marks];
    });
    if (record != null) return record;
    return over === "1" && unsealable !== "1" ? this.#seal(id) : null;
  }

  async #step(): Promise<boolean> {
    const [id] = this.#ended;
    if (id !== undefined) {
      await this.#sealInTurn(id);
      this.#ended.delete(id);
      return true;
    }
    if (!this.#searching) return false;
    const args = [String(this.#options.forgottenMs), String(FORGOTTEN_AT_ONCE)];
    const found = await this.#link.run((redis) => redis.findUnsealed([this.#keys.unsealed], args));
    for (const each of found) this.#ended.add(each as MatchId);
    this.#searching = found.length === FORGOTTEN_AT_ONCE;
    return found.length > 0;
  }

  async #sealInTurn(id: MatchId): Promise<void> {
    try {
      await this.#seal(id);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // A log that does not fold stays as it is, and must not hold up the others.
      this.#options.onError(error, id);
      await this.#keepNone(id);
    }
  }

  #seal(id: MatchId): Promise<string | null> {
    const running = this.#running.get(id) ?? this.#make(id).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  async #make(id: MatchId): Promise<string | null> {
    const entries = await this.#options.read(id);
    const sealed = entries === null ? null : await this.#options.seal(entries);
    if (sealed === null) {
      await this.#keepNone(id);
      return null;
    }
    const text = sealed.lines.map((line) => `${line}\n`).join("");
    const keys = [this.#keys.record(id), this.#keys.unsealed, this.#keys.finished];
    const there = await this.#link.run((redis) => redis.keepRecord(keys, [id, text, JSON.stringify(sealed.summary)]));
    return there ?? text;
  }

  async #keepNone(id: MatchId): Promise<void> {
    await this.#link.run((redis) => redis.keepNoRecord([this.#keys.match(id), this.#keys.unsealed], [id]));
  }
}
