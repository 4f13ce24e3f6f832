/**
 * The store on Redis: one stream per match, for any number of processes (DESIGN 2 and 4).
 *
 * What "durable" means here is what the Redis server makes of it. Only `appendonly yes` with `appendfsync always` has
 * an entry on disk before the answer, as the file store has. With `everysec` an answer may be up to two seconds ahead
 * of the disk, and even of the system's own buffers, so that also the death of Redis alone may lose what was
 * acknowledged. Replicas follow after the answer, so a failover may lose what the old primary had acknowledged;
 * `min-replicas-to-write` bounds how much. `WAIT` after each append would narrow that and is not offered: it does not
 * close it either. `maxmemory-policy` must be `noeviction`. What Redis says of itself is checked on opening and told.
 */
import { randomUUID } from "node:crypto";
import type { Reporter } from "../../../rooms/ports.ts";
import { type MatchId, parseMatchId, type RoomCode } from "../../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../../shared/protocol/log.ts";
import { KEPT_AT_HAND } from "../finishedList.ts";
import {
  type FinishedMatch,
  type MatchStore,
  NotOwner,
  type Seal,
  StoreUnavailable,
  type UnfinishedMatch,
  VersionConflict,
} from "../MatchStore.ts";
import { KEEP_ALL, keepsAll, type Retention } from "../retention.ts";
import { Claims } from "./claims.ts";
import { RedisRoomCodes } from "./codes.ts";
import { tellDurability } from "./durability.ts";
import { DEFAULT_PREFIX, Keys } from "./keys.ts";
import { Link } from "./link.ts";
import { pruneFinished } from "./pruning.ts";
import { readLog, readUnfinished, scanUnfinished } from "./reading.ts";
import { Sealing } from "./sealing.ts";
import { Signs } from "./signs.ts";

export interface RedisStoreOptions {
  /** `redis[s]://[[user][:password]@]host[:port][/database]` */
  readonly url: string;
  readonly seal: Seal;
  readonly report: Reporter;
  /** Name under which others reach this process; unique for each start. Left out: a random one. */
  readonly processId?: string;
  /** All keys begin with it. */
  readonly prefix?: string;
  /** Milliseconds after which the matches of a process that does not renew may be taken; renewed at a third of it. */
  readonly leaseMs?: number;
  /** Milliseconds after which a call that got no answer counts as failed. */
  readonly answerMs?: number;
  /** Milliseconds in which Redis must be there at the start. */
  readonly openMs?: number;
  /** Milliseconds until background work that failed is tried again. */
  readonly retryMs?: number;
  /** How long what is over is kept; left out: for ever. */
  readonly retention?: Retention;
}

const DEFAULTS = { prefix: DEFAULT_PREFIX, leaseMs: 10_000, retryMs: 1_000, retention: KEEP_ALL };

/** Connects and takes the lease of this process. Rejects with StoreUnavailable. */
export async function openRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const settings = { processId: randomUUID(), ...DEFAULTS, ...options };
  const link = await Link.open(settings);
  const store = new RedisStore(link, settings);
  try {
    await store.start();
    return store;
  } catch (error) {
    link.destroy();
    throw error;
  }
}

type Settings = RedisStoreOptions & typeof DEFAULTS & { readonly processId: string };

export class RedisStore implements MatchStore {
  readonly claims: Claims;
  /** Room codes over all processes. */
  readonly codes: RedisRoomCodes;
  readonly #link: Link;
  readonly #keys: Keys;
  readonly #settings: Settings;
  readonly #signs: Signs;
  readonly #sealing: Sealing;
  /** Creations of which nobody knows whether they arrived. */
  readonly #doubtful = new Map<MatchId, RoomCode>();
  readonly #onItsWay = new Set<Promise<unknown>>();
  #pruneTimer: NodeJS.Timeout | null = null;
  #closed: StoreUnavailable | null = null;
  #closing: Promise<void> | null = null;

  constructor(link: Link, settings: Settings) {
    const { processId, leaseMs, retryMs, report, seal } = settings;
    this.#link = link;
    this.#settings = settings;
    this.#keys = new Keys(settings.prefix);
    this.claims = new Claims(link, this.#keys, {
      processId,
      leaseMs,
      onError: (error) => report.error(error, { at: "store.lease" }),
      onRenewed: () => this.#discardDoubtful(),
    });
    this.codes = new RedisRoomCodes(link, this.#keys, processId);
    this.#signs = new Signs(link, this.#keys, processId);
    this.#sealing = new Sealing(link, this.#keys, {
      seal,
      read: (id) => readLog(link, this.#keys, id),
      onError: (error, id) => report.error(error, { at: "store.seal", ...(id === undefined ? {} : { match_id: id }) }),
      forgottenMs: leaseMs,
      retryMs,
    });
  }

  async start(): Promise<void> {
    await this.claims.start();
    await tellDurability(this.#link, this.#settings.report);
    this.#sealing.start();
    if (!keepsAll(this.#settings.retention)) this.#pruneLater();
  }

  async create(entry: CreatedEntry): Promise<void> {
    this.#open();
    const { match_id: id, room_code: code } = entry;
    if (parseMatchId(id) === null) throw new VersionConflict("not a match id");
    const { prefix, unfinished, processes } = this.#keys;
    const held = this.#keys.held(this.claims.processId);
    const rematch = entry.rematch_of === null ? [] : [this.#keys.rematch(entry.rematch_of)];
    const own = [this.#keys.log(id), this.#keys.match(id), this.#keys.code(code)];
    const keys = [...own, unfinished, held, processes, ...rematch];
    const args = [prefix, this.claims.processId, id, code, JSON.stringify(entry)];
    const outcome = await this.#track(this.#link.run((redis) => redis.createLog(keys, args))).catch((error) => {
      this.#doubtful.set(id, code);
      throw error;
    });
    if (outcome === "exists") throw new VersionConflict(`match ${id} exists`);
    if (outcome === "code") throw new VersionConflict(`room ${code} exists`);
    this.claims.hold(id);
  }

  async append(id: MatchId, version: number, entries: readonly LogEntry[], over: boolean): Promise<void> {
    this.#open();
    if (!Number.isSafeInteger(version) || version < 1 || parseMatchId(id) === null) {
      throw new VersionConflict(`match ${id} has no version ${version}`);
    }
    if (entries.length === 0 && !over) return;
    const claim = this.claims.of(id);
    const keys = [this.#keys.log(id), this.#keys.match(id)];
    const head = [this.#keys.prefix, this.claims.processId, claim?.token ?? "", id, String(version), over ? "1" : "0"];
    const args = [...head, ...entries.map((entry) => JSON.stringify(entry))];
    const outcome = await this.#track(this.#link.run((redis) => redis.appendLog(keys, args))).catch((error) => {
      if (claim !== undefined) claim.doubtful = true;
      throw error;
    });
    switch (outcome) {
      case "ok":
        if (claim !== undefined) claim.version = version + entries.length;
        if (over) this.#sealing.ended(id);
        return;
      case "version":
        throw new VersionConflict(`match ${id} does not have ${version} entries`);
      case "over":
        throw new VersionConflict(`match ${id} is over`);
      case "missing":
      case "notOwner":
        if (claim !== undefined) this.claims.gone(id, claim);
        throw new NotOwner(`match ${id} is not held by this process`);
    }
  }

  alive(id: MatchId, elapsedMs: number): void {
    const claim = this.claims.of(id);
    if (claim !== undefined && this.#closed === null) this.#signs.note(id, claim, elapsedMs);
  }

  async read(id: MatchId): Promise<readonly LogEntry[] | null> {
    this.#open();
    if (parseMatchId(id) === null) return null;
    if (this.claims.of(id)?.doubtful) {
      const adopted = await this.claims.adopt(id);
      if (adopted !== null) return adopted.entries;
    }
    return readLog(this.#link, this.#keys, id);
  }

  async unfinished(): Promise<readonly UnfinishedMatch[]> {
    this.#open();
    const found = new Map<MatchId, UnfinishedMatch>();
    for await (const ids of scanUnfinished(this.#link, this.#keys)) {
      const read = ids.map((id) =>
        readUnfinished(this.#link, this.#keys, id).catch((error: unknown) => {
          if (error instanceof StoreUnavailable) throw error;
          // One damaged log must not keep the others from coming back.
          this.#settings.report.error(error, { match_id: id, at: "store.unfinished" });
          return null;
        }),
      );
      for (const match of await Promise.all(read)) if (match !== null) found.set(match.matchId, match);
    }
    return [...found.values()];
  }

  async unfinishedByCode(code: RoomCode): Promise<MatchId | null> {
    this.#open();
    const id = await this.#link.run((redis) => redis.get(this.#keys.code(code)));
    return id === null ? null : parseMatchId(id);
  }

  async rematchOf(id: MatchId): Promise<MatchId | null> {
    this.#open();
    if (parseMatchId(id) === null) return null;
    const found = await this.#link.run((redis) => redis.get(this.#keys.rematch(id)));
    return found === null ? null : parseMatchId(found);
  }

  async finished(limit: number): Promise<readonly FinishedMatch[]> {
    this.#open();
    const count = Math.min(limit, KEPT_AT_HAND);
    if (count <= 0) return [];
    const texts = await this.#link.run((redis) => redis.lRange(this.#keys.finished, 0, count - 1));
    return texts.map((text) => JSON.parse(text) as FinishedMatch);
  }

  async record(id: MatchId): Promise<string | null> {
    this.#open();
    return parseMatchId(id) === null ? null : this.#sealing.record(id);
  }

  close(): Promise<void> {
    this.#closed ??= new StoreUnavailable("the store is closed");
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** However Redis does, it takes no longer than a few answers may. */
  async #close(): Promise<void> {
    if (this.#pruneTimer !== null) clearTimeout(this.#pruneTimer);
    await Promise.allSettled([this.#signs.flush(), ...this.#onItsWay]);
    await this.#sealing.stop();
    await this.claims.stop().catch((error: unknown) => this.#settings.report.error(error, { at: "store.close" }));
    this.#link.destroy();
  }

  #pruneLater(): void {
    if (this.#closed === null)
      this.#pruneTimer = setTimeout(() => void this.#prune(), this.#settings.retention.everyMs).unref();
  }

  async #prune(): Promise<void> {
    const { report, retention } = this.#settings;
    try {
      // One of the processes does it for all.
      if (await this.claims.leads("retention")) {
        const matches = await pruneFinished(this.#link, this.#keys, retention, Date.now());
        if (matches > 0) report.info("finished matches thrown away", { matches });
      }
    } catch (error) {
      if (this.#closed === null) report.error(error, { at: "store.prune" });
    }
    this.#pruneLater();
  }

  #open(): void {
    if (this.#closed !== null) throw this.#closed;
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#onItsWay.add(work);
    const done = () => this.#onItsWay.delete(work);
    work.then(done, done);
    return work;
  }

  /** Whoever created the match was told that it failed, so it must not be there. */
  async #discardDoubtful(): Promise<void> {
    for (const [id, code] of this.#doubtful) {
      const { prefix, unfinished } = this.#keys;
      const held = this.#keys.held(this.claims.processId);
      const keys = [this.#keys.log(id), this.#keys.match(id), this.#keys.code(code), unfinished, held];
      await this.#link.run((redis) => redis.discardLog(keys, [prefix, this.claims.processId, id]));
      this.#doubtful.delete(id);
    }
  }
}
