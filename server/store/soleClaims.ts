/** Claims on the matches of a store that one process has to itself: whatever is in it may be taken, nothing is lost. */
import { randomUUID } from "node:crypto";
import type { MatchId, RoomCode } from "../../shared/protocol/ids.ts";
import type { LogEntry } from "../../shared/protocol/log.ts";
import type { MatchClaims, Peer, UnfinishedMatch, Whereabouts } from "./MatchStore.ts";

/** More than have ended within the time in which a room may be opened again. */
const MAX_LET_GO = 100_000;

export type Found = Omit<Whereabouts, "processId" | "address">;

export interface SoleSource {
  find(key: MatchId | RoomCode): Promise<Found | null>;
  read(id: MatchId): Promise<UnfinishedMatch | null>;
  /** The log of a match that is over; null when it is not. */
  readOver(id: MatchId): Promise<readonly LogEntry[] | null>;
  unfinished(): readonly MatchId[];
}

export class SoleClaims implements MatchClaims {
  readonly processId = randomUUID();
  readonly #source: SoleSource;
  readonly #held = new Set<MatchId>();
  /** Of those that are over, what this process has let go of: nobody is to open its room again. */
  readonly #letGo = new Set<MatchId>();

  constructor(source: SoleSource) {
    this.#source = source;
  }

  /** For the store: the match has been created. */
  hold(id: MatchId): void {
    this.#held.add(id);
  }

  /** For the store: the match is over. */
  drop(id: MatchId): void {
    this.#held.delete(id);
  }

  async ownerOf(key: MatchId | RoomCode): Promise<Whereabouts | null> {
    const found = await this.#source.find(key);
    return found && { ...found, processId: this.#held.has(found.matchId) ? this.processId : null, address: null };
  }

  async adopt(id: MatchId): Promise<UnfinishedMatch | null> {
    const match = await this.#source.read(id);
    if (match !== null) this.#held.add(id);
    return match;
  }

  async adoptOver(id: MatchId): Promise<readonly LogEntry[] | null> {
    return this.#letGo.has(id) ? null : this.#source.readOver(id);
  }

  async release(id: MatchId): Promise<void> {
    if (this.#held.delete(id)) return;
    this.#letGo.add(id);
    if (this.#letGo.size > MAX_LET_GO) for (const oldest of this.#letGo) return void this.#letGo.delete(oldest);
  }

  sure(): boolean {
    return true;
  }

  async orphans(limit: number): Promise<readonly MatchId[]> {
    return this.#source
      .unfinished()
      .filter((id) => !this.#held.has(id))
      .slice(0, limit);
  }

  async announce(): Promise<void> {}

  async peers(): Promise<readonly Peer[]> {
    return [];
  }

  async leads(): Promise<boolean> {
    return true;
  }

  lost(): () => void {
    return () => {};
  }
}
