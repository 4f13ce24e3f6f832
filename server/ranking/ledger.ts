/**
 * The leaderboard and the certificates it is made of. One process keeps them in a file to which only is appended, one
 * line a match; several keep them in Redis. A match that is told twice is counted once.
 */
import type { Format } from "../../shared/engine/index.ts";
import type { Certificate } from "../../shared/protocol/certificate.ts";
import type { Kind, LogEntry } from "../../shared/protocol/log.ts";
import { type SignerSource, signerNow } from "../signing.ts";
import type { Seal } from "../store/MatchStore.ts";
import { certificatesOf } from "./certificate.ts";

export interface BoardName {
  readonly kind: Exclude<Kind, "lab">;
  readonly format: Format;
  readonly level: number;
}

/** One player on one board: the best match counts. */
export interface BoardRow {
  readonly player_id: string;
  readonly name: string;
  readonly player_kind: "human" | "ai";
  readonly model: string | null;
  readonly matches: number;
  readonly wins: number;
  /** Of the best match (R10.3; in 2v2 the team's, R10.4). */
  readonly efficiency: number;
  readonly score: number;
  readonly turns: number;
  readonly match_id: string;
  readonly certificate: string;
  readonly ended_at_ms: number;
}

export interface Ledger {
  /** Durable when it resolves. Rejects with StoreUnavailable. */
  add(certificates: readonly Certificate[]): Promise<void>;
  /** The best players of a board, best first. */
  board(name: BoardName, limit: number): Promise<readonly BoardRow[]>;
  certificate(id: string): Promise<Certificate | null>;
  close(): Promise<void>;
}

/** The same seal, which enters each match into the ledger before its record is kept: neither is without the other. */
export function rankedSeal(seal: Seal, source: SignerSource, ledger: Pick<Ledger, "add">): Seal {
  return async (entries: readonly LogEntry[]) => {
    const record = await seal(entries);
    if (record === null) return null;
    const certificates = certificatesOf(entries, record, signerNow(source));
    if (certificates.length > 0) await ledger.add(certificates);
    return record;
  };
}

/** What is the better match of one player: more efficiency, then the earlier one. */
export function isBetter(a: { efficiency: number; ended_at_ms: number }, b: typeof a): boolean {
  return a.efficiency > b.efficiency || (a.efficiency === b.efficiency && a.ended_at_ms < b.ended_at_ms);
}

export function boardKey({ kind, format, level }: BoardName | Certificate): string {
  return `${kind}:${format}:${level}`;
}

/** The row of a player whose only match this is. */
export function rowOf(c: Certificate): BoardRow {
  return {
    player_id: c.player_id,
    name: c.name,
    player_kind: c.player_kind,
    model: c.model,
    matches: 1,
    wins: c.won ? 1 : 0,
    efficiency: c.side_efficiency,
    score: c.score,
    turns: c.turns,
    match_id: c.match_id,
    certificate: c.id,
    ended_at_ms: c.ended_at_ms,
  };
}
