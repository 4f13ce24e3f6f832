/** What the file store knows in memory: matches that are not over, and those whose last entries lie in the journal. */
import { type MatchId, parseMatchId, type RoomCode } from "../../shared/protocol/ids.ts";
import type { CreatedEntry } from "../../shared/protocol/log.ts";
import type { AliveSign } from "./alive.ts";
import type { Frame } from "./frame.ts";
import type { FrameRef } from "./journal.ts";
import type { FoundSegment, OpenMatch, SegmentHeader } from "./segments.ts";

/** Where in the journal some entries of a match lie. */
export interface TrackedRef extends FrameRef {
  readonly version: number;
  readonly count: number;
}

export interface Tracked {
  readonly id: MatchId;
  readonly code: RoomCode;
  /** Durable entries; 0 while the first is being written. */
  version: number;
  /** Durable entries and those being written. */
  reserved: number;
  over: boolean;
  /** An entry that ends the match is durable or being written. */
  ending: boolean;
  /** Over and its record written, or there is none to write. */
  sealed: boolean;
  /** Entries that are not yet known to lie in the match's own file, oldest first. */
  refs: TrackedRef[];
  sign: AliveSign | null;
}

export class TrackedMatches {
  readonly #byId = new Map<MatchId, Tracked>();
  readonly #byCode = new Map<RoomCode, Tracked>();

  get(id: MatchId): Tracked | undefined {
    return this.#byId.get(id);
  }

  byCode(code: RoomCode): Tracked | undefined {
    return this.#byCode.get(code);
  }

  all(): IterableIterator<Tracked> {
    return this.#byId.values();
  }

  add(id: MatchId, code: RoomCode): Tracked {
    const match: Tracked = {
      id,
      code,
      version: 0,
      reserved: 0,
      over: false,
      ending: false,
      sealed: false,
      refs: [],
      sign: null,
    };
    this.#byId.set(id, match);
    this.#byCode.set(code, match);
    return match;
  }

  /** The code is free again; the match stays known until its entries have left the journal. */
  end(match: Tracked): void {
    match.over = true;
    match.ending = true;
    match.sign = null;
    if (this.#byCode.get(match.code) === match) this.#byCode.delete(match.code);
  }

  remove(match: Tracked): void {
    this.#byId.delete(match.id);
    if (this.#byCode.get(match.code) === match) this.#byCode.delete(match.code);
  }

  /** Everything in segments up to `seq` lies in the matches' own files. */
  release(seq: number): void {
    for (const match of this.#byId.values()) {
      if (match.refs[0] !== undefined && match.refs[0].seq <= seq) match.refs = match.refs.filter((r) => r.seq > seq);
      if (match.over && match.sealed && match.refs.length === 0) this.remove(match);
    }
  }

  /** The matches that are not over, as a segment's header lists them. */
  open(): OpenMatch[] {
    const list: OpenMatch[] = [];
    for (const { id, code, version, over, sign } of this.#byId.values()) {
      if (!over && version > 0) list.push([id, code, version, sign?.version ?? -1, sign?.elapsedMs ?? 0]);
    }
    return list;
  }

  /** Takes in what a process before left in one segment; segments come oldest first. Returns what did not fit. */
  adopt(segment: FoundSegment): string[] {
    const misfits: string[] = [];
    this.#adoptHeader(segment.header);
    for (const { frame, offset, length } of segment.frames) {
      if (frame.kind === "alive") this.#adoptSigns(JSON.parse(frame.payload) as AlivePayload);
      else if (!this.#adoptEntries(frame, { seq: segment.seq, offset, length })) misfits.push(frame.match);
    }
    return misfits;
  }

  #adoptHeader(header: SegmentHeader): void {
    for (const [rawId, code, version, aliveVersion, elapsedMs] of header.open) {
      const id = parseMatchId(rawId);
      if (id === null) continue;
      const match = this.#byId.get(id) ?? this.add(id, code as RoomCode);
      match.version = match.reserved = Math.max(match.version, version);
      if (aliveVersion >= 0 && !match.over) match.sign = { version: aliveVersion, elapsedMs };
    }
  }

  #adoptSigns(signs: AlivePayload): void {
    for (const [rawId, version, elapsedMs] of signs) {
      const match = this.#byId.get(rawId as MatchId);
      if (match !== undefined && !match.over) match.sign = { version, elapsedMs };
    }
  }

  #adoptEntries(frame: Frame, ref: FrameRef): boolean {
    const id = parseMatchId(frame.match);
    if (id === null) return false;
    const { version, count } = frame;
    let match = this.#byId.get(id);
    if (match === undefined) {
      // Not the first frame and in no header: it was over, or what came before it is lost; its file may have it.
      const [created] = version === 0 ? (JSON.parse(frame.payload) as CreatedEntry[]) : [];
      match = this.add(id, created?.room_code ?? ("" as RoomCode));
      match.version = version;
    }
    const fits = version <= match.version;
    match.refs.push({ ...ref, version, count });
    match.version = match.reserved = Math.max(match.version, version + count);
    if (frame.kind === "last") this.end(match);
    return fits;
  }
}

export type AlivePayload = [id: string, version: number, elapsedMs: number][];
