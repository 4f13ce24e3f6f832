/**
 * The lease of one process (DESIGN 4). One key with an expiry stands for the whole process, so renewing costs the same
 * for one match and for a thousand. What a process may write is decided by each match's owner and token alone, in the
 * script that writes; the expiry only says when others may take its matches. A process that comes back too late keeps
 * those that nobody took, and is told of the others.
 */
import { StoreUnavailable } from "../../../rooms/ports.ts";
import { type MatchId, parseMatchId, parseRoomCode, type RoomCode } from "../../../shared/protocol/ids.ts";
import type { LogEntry } from "../../../shared/protocol/log.ts";
import { elapsedInTurn } from "../alive.ts";
import type { MatchClaims, Peer, UnfinishedMatch, Whereabouts } from "../MatchStore.ts";
import type { Keys } from "./keys.ts";
import type { Link } from "./link.ts";
import { entriesOf, signOf } from "./stored.ts";

/** A match that this process holds, as far as it knows. */
export interface Claim {
  token: string;
  /** Length of its log, as far as known. */
  version: number;
  /** Something is on its way that may arrive late; the next reading takes a new token and so shuts it out. */
  doubtful: boolean;
}

export interface LeaseOptions {
  readonly processId: string;
  readonly leaseMs: number;
  readonly onError: (error: unknown) => void;
  /** The lease stands and Redis answers. */
  readonly onRenewed: () => Promise<void>;
}

const CHECKED_AT_ONCE = 500;

export class Claims implements MatchClaims {
  readonly #link: Link;
  readonly #keys: Keys;
  readonly #options: LeaseOptions;
  readonly #held = new Map<MatchId, Claim>();
  readonly #listeners = new Set<(ids: readonly MatchId[]) => void>();
  #address = "";
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> | null = null;
  /** Monotonic: the lease stands at least until then, since it was renewed after the renewal was sent. */
  #sureUntilMs = 0;
  /** The lease had lapsed and it has not been looked yet which matches others took. */
  #unsure = false;
  #failing = false;
  #stopped = false;

  constructor(link: Link, keys: Keys, options: LeaseOptions) {
    this.#link = link;
    this.#keys = keys;
    this.#options = options;
    link.onReady(() => void this.#renewSoon());
  }

  get processId(): string {
    return this.#options.processId;
  }

  /** Takes the lease for the first time and keeps it. Rejects with StoreUnavailable. */
  async start(): Promise<void> {
    await this.#renew();
    this.#unsure = false;
    this.#timer = setInterval(() => void this.#renewSoon(), this.#options.leaseMs / 3).unref();
  }

  /** Gives up the lease and with it every match at once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#renewing;
    await this.#link.run((redis) => redis.del(this.#keys.process(this.processId)));
  }

  of(id: MatchId): Claim | undefined {
    return this.#held.get(id);
  }

  /** For the store: this process has created the match. */
  hold(id: MatchId): void {
    this.#held.set(id, { token: "1", version: 1, doubtful: false });
  }

  /** For the store: a script said that the match is not ours. */
  gone(id: MatchId, claim: Claim): void {
    if (this.#held.get(id) === claim) this.#tellLost([id]);
  }

  async ownerOf(key: MatchId | RoomCode): Promise<Whereabouts | null> {
    const id = parseMatchId(key);
    const code = id === null ? parseRoomCode(key) : null;
    if (id === null && code === null) return null;
    const args = [this.#keys.prefix, id ?? "", code ?? ""];
    const found = await this.#link.run((redis) => redis.locateMatch([], args));
    if (found === null) return null;
    const [matchId, over, processId, address] = found;
    const owner = { processId: processId === "" ? null : processId, address: address === "" ? null : address };
    return { matchId: matchId as MatchId, over: over === "1", ...owner };
  }

  async adopt(id: MatchId): Promise<UnfinishedMatch | null> {
    const adopted = await this.#take(id, "open");
    if (adopted === null || adopted === "held") return null;
    const { entries, alive } = adopted;
    return { matchId: id, entries, aliveElapsedMs: elapsedInTurn(entries, signOf(alive)) };
  }

  async adoptOver(id: MatchId): Promise<readonly LogEntry[] | "held" | null> {
    const adopted = await this.#take(id, "over");
    return adopted === null || adopted === "held" ? adopted : adopted.entries;
  }

  async #take(
    id: MatchId,
    what: "open" | "over",
  ): Promise<{ readonly entries: readonly LogEntry[]; readonly alive: string } | "held" | null> {
    if (parseMatchId(id) === null) return null;
    const { log, match, process, held, processes, prefix } = this.#keysOf(id);
    const keys = [log, match, process, held, processes];
    const before = this.#held.get(id);
    const adopted = await this.#link
      .run((redis) => redis.adoptMatch(keys, [prefix, this.processId, id, what]))
      .catch((error: unknown) => {
        // It may be ours now, under a token that we do not know.
        if (before !== undefined) before.doubtful = true;
        throw error;
      });
    const [outcome] = adopted;
    if (outcome === "lapsed") throw new StoreUnavailable("this process has no lease at the moment");
    if (outcome !== "ok") {
      if (outcome === "held" && before !== undefined) this.gone(id, before);
      return outcome === "held" ? "held" : null;
    }
    const [, token, alive, stream] = adopted;
    const entries: LogEntry[] = entriesOf(stream);
    const claim = { token, version: entries.length, doubtful: false };
    if (before === undefined) this.#held.set(id, claim);
    else Object.assign(before, claim);
    return { entries, alive };
  }

  async release(id: MatchId): Promise<void> {
    const claim = this.#held.get(id);
    if (claim === undefined) return;
    this.#held.delete(id);
    const { match, held, processes, prefix } = this.#keysOf(id);
    const args = [prefix, this.processId, id, claim.token];
    await this.#link.run((redis) => redis.releaseMatch([match, held, processes], args));
  }

  sure(): boolean {
    return performance.now() < this.#sureUntilMs;
  }

  async orphans(limit: number): Promise<readonly MatchId[]> {
    const args = [this.#keys.prefix, String(limit)];
    const found = await this.#link.run((redis) => redis.findOrphans([this.#keys.processes], args));
    return found as readonly MatchId[];
  }

  async announce(address: string): Promise<void> {
    this.#address = address;
    // The renewal at work may have gone out with the address before.
    await this.#renewing;
    await this.#renew();
  }

  async peers(): Promise<readonly Peer[]> {
    const args = [this.#keys.prefix, this.processId];
    const found = await this.#link.run((redis) => redis.findPeers([this.#keys.processes], args));
    return found.flatMap((processId, n) => (n % 2 === 0 ? [{ processId, address: found[n + 1] ?? "" }] : []));
  }

  async leads(task: string): Promise<boolean> {
    const keys = [this.#keys.task(task), this.#keys.process(this.processId)];
    const args = [this.#keys.prefix, this.processId];
    return (await this.#link.run((redis) => redis.leadTask(keys, args))) === 1;
  }

  lost(listener: (ids: readonly MatchId[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #keysOf(id: MatchId) {
    const keys = this.#keys;
    const { prefix, processes } = keys;
    const [process, held] = [keys.process(this.processId), keys.held(this.processId)];
    return { log: keys.log(id), match: keys.match(id), process, held, processes, prefix };
  }

  #renewSoon(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#renewing ??= this.#renew()
      .then(
        () => {
          this.#failing = false;
        },
        (error: unknown) => {
          // Once for each time that it begins to fail.
          if (!this.#failing) this.#options.onError(error);
          this.#failing = true;
        },
      )
      .finally(() => {
        this.#renewing = null;
      });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const keys = [this.#keys.process(this.processId), this.#keys.processes];
    const { leaseMs } = this.#options;
    const args = [this.processId, String(leaseMs), this.#address];
    const sentMs = performance.now();
    const kept = await this.#link.run((redis) => redis.renewLease(keys, args));
    if (kept === 0) this.#unsure = true;
    if (this.#unsure) await this.#findLost();
    this.#sureUntilMs = sentMs + leaseMs;
    await this.#options.onRenewed();
  }

  /** From here on the lease stands, so what is ours now stays ours. */
  async #findLost(): Promise<void> {
    const held = [...this.#held];
    for (let i = 0; i < held.length; i += CHECKED_AT_ONCE) {
      const some = held.slice(i, i + CHECKED_AT_ONCE);
      const pairs = some.flatMap(([id, { token }]) => [id, token]);
      const found = await this.#link.run((redis) => redis.findLost([], [this.#keys.prefix, this.processId, ...pairs]));
      const lost = new Set(found);
      // A token that has changed meanwhile was changed here.
      const gone = some.filter(
        ([id, claim], n) => lost.has(id) && this.#held.get(id) === claim && claim.token === pairs[2 * n + 1],
      );
      if (gone.length > 0) this.#tellLost(gone.map(([id]) => id));
    }
    this.#unsure = false;
  }

  #tellLost(ids: readonly MatchId[]): void {
    for (const id of ids) this.#held.delete(id);
    for (const listener of this.#listeners) {
      try {
        listener(ids);
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}
