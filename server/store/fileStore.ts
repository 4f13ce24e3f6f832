/**
 * The store on files (DESIGN 2): appends go to one journal; matches' own files follow in the background.
 * Memory holds what is not over or not yet out of the journal, and nothing else that grows.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AFTER_OVER_MS } from "../../rooms/lifetime.ts";
import { type Reporter, StoreUnavailable } from "../../rooms/ports.ts";
import { type MatchId, parseMatchId, type RoomCode } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import { elapsedInTurn } from "./alive.ts";
import { Background } from "./background.ts";
import { codeOf, type DiskWrites, makeFolder, realWrites, removeFile, renameFile, syncFolder } from "./disk.ts";
import { FinishedList } from "./finishedList.ts";
import { flushSegment } from "./flush.ts";
import type { Frame } from "./frame.ts";
import { Journal, type JournalEntry, type JournalOptions } from "./journal.ts";
import { lockFolder } from "./lock.ts";
import { type JournalSource, LogReader } from "./logReader.ts";
import { type FinishedMatch, type MatchStore, type Seal, type UnfinishedMatch, VersionConflict } from "./MatchStore.ts";
import { MatchFiles } from "./matchFiles.ts";
import { PruneRounds } from "./pruning.ts";
import { Recent } from "./recent.ts";
import { KEEP_ALL, type Retention } from "./retention.ts";
import { readSegments, segmentPath } from "./segments.ts";
import { type Found, SoleClaims } from "./soleClaims.ts";
import { type AlivePayload, type Tracked, TrackedMatches } from "./tracked.ts";

export interface FileStoreOptions {
  readonly seal: Seal;
  readonly report: Reporter;
  /** Least time between two commits in milliseconds; what arrives meanwhile shares the next one. */
  readonly windowMs?: number;
  readonly segmentBytes?: number;
  /** Milliseconds after opening before files are tidied, so that recovery has the disk for itself. */
  readonly settleMs?: number;
  /** Milliseconds until background work that failed is tried again. */
  readonly retryMs?: number;
  /** How long what is over is kept; left out: for ever. */
  readonly retention?: Retention;
  /** For metrics. */
  readonly onCommit?: JournalOptions["onCommit"];
  /** For tests of failing disks. */
  readonly writes?: DiskWrites;
}

const DEFAULTS = { windowMs: 1, segmentBytes: 16 << 20, settleMs: 5_000, retryMs: 1_000, retention: KEEP_ALL };
/** Signs of life wait this long for a commit that goes anyway. */
const ALIVE_WAIT_MS = 200;

/**
 * Opens the store in `dir`, which is created if need be. Throws DataDirLocked when another process holds it, and
 * system errors when the folder cannot be read or made.
 */
export async function openFileStore(dir: string, options: FileStoreOptions): Promise<FileStore> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  let store: FileStore | null = null;
  const lock = await lockFolder(dir, () => store?.lost());
  try {
    const journalDir = join(dir, "journal");
    await makeFolder(journalDir);
    const files = new MatchFiles(dir);
    await files.prepare();
    const list = new FinishedList(dir);
    const finished = await list.load();
    store = new FileStore(journalDir, files, list, { ...DEFAULTS, ...options }, lock.release);
    await store.recover(finished);
    return store;
  } catch (error) {
    lock.release();
    throw error;
  }
}

type Settings = FileStoreOptions & typeof DEFAULTS;

export class FileStore implements MatchStore {
  readonly #journalDir: string;
  readonly #files: MatchFiles;
  readonly #list: FinishedList;
  readonly #settings: Settings;
  readonly #unlock: () => void;
  readonly #matches = new TrackedMatches();
  readonly #reader: LogReader;
  readonly #background: Background;
  readonly claims: SoleClaims;
  #journal: Journal | null = null;
  /** Segments that are complete, oldest first. */
  #complete: { readonly seq: number; readonly size: number }[] = [];
  readonly #toSeal = new Set<MatchId>();
  readonly #pruning: PruneRounds;
  /** What the background is at, for its log. */
  #atWork: MatchId | null = null;
  readonly #sealing = new Map<MatchId, Promise<string | null>>();
  readonly #signs = new Map<MatchId, { readonly version: number; readonly elapsedMs: number }>();
  /** Matches that are over, by code, as long as their room may be open; and rematches, by the match before. */
  readonly #overByCode = new Recent<RoomCode>(AFTER_OVER_MS);
  readonly #rematches = new Recent<MatchId>(2 * AFTER_OVER_MS);
  #signTimer: NodeJS.Timeout | null = null;
  #closed: StoreUnavailable | null = null;

  constructor(journalDir: string, files: MatchFiles, list: FinishedList, settings: Settings, unlock: () => void) {
    this.#journalDir = journalDir;
    this.#files = files;
    this.#list = list;
    this.#settings = settings;
    this.#unlock = unlock;
    this.#reader = new LogReader(journalDir, files);
    this.claims = new SoleClaims({
      find: (key) => this.#find(key),
      read: (id) => this.#readUnfinished(id),
      readOver: (id) => this.#readOver(id),
      unfinished: () => this.#unfinishedIds(),
    });
    this.#background = new Background({
      step: () => this.#tidy(),
      onError: (error) =>
        settings.report.error(error, {
          ...(this.#atWork === null ? {} : { match_id: this.#atWork }),
          at: "store.background",
        }),
      retryMs: settings.retryMs,
    });
    this.#pruning = new PruneRounds({
      files,
      list,
      retention: settings.retention,
      report: settings.report,
      inJournal: (id) => {
        const match = this.#matches.get(id);
        return match === undefined ? "no" : match.over ? "over" : "running";
      },
      renew: () => this.#journal?.renew(),
      wake: () => this.#background.wake(),
    });
  }

  /** Takes in what the process before left. `finished`: what its list of finished matches says, oldest first. */
  async recover(finished: readonly FinishedMatch[]): Promise<void> {
    const { windowMs, segmentBytes, report, writes = realWrites, onCommit = () => {} } = this.#settings;
    for (const { room_code, match_id, ended_at_ms } of finished) {
      this.#overByCode.note(room_code, match_id, ended_at_ms);
    }
    const { segments, nextSeq } = await readSegments(this.#journalDir);
    for (const segment of segments) {
      const misfits = this.#matches.adopt(segment);
      this.#complete.push({ seq: segment.seq, size: segment.size });
      this.#noteRecent(segment.frames.map(({ frame }) => frame));
      if (segment.damaged > 0) {
        const error = new Error(`journal segment ${segment.seq} has ${segment.damaged} damaged lines`);
        report.error(error, { at: "store.recover" });
      }
      for (const match_id of new Set(misfits)) {
        const error = new Error(`an entry before those in journal segment ${segment.seq} is missing`);
        report.error(error, { match_id, at: "store.recover" });
      }
    }
    for (const match of this.#matches.all()) if (match.over) this.#toSeal.add(match.id);
    this.#journal = new Journal({
      dir: this.#journalDir,
      nextSeq,
      previous: this.#complete.at(-1) ?? null,
      writes,
      windowMs,
      segmentBytes,
      open: () => this.#matches.open(),
      rider: () => this.#aliveEntry(),
      onRotate: (before) => {
        if (this.#complete.at(-1)?.seq !== before.seq) this.#complete.push(before);
        this.#pruning.rotated();
        this.#background.wake();
      },
      onCommit,
    });
    // A full disk does not keep the process from starting: what can be read is served, appends are refused.
    await this.#journal.start().catch((error: unknown) => report.error(error, { at: "store.recover" }));
    this.#pruning.begin();
    this.#background.wake(this.#settings.settleMs);
  }

  async create(entry: CreatedEntry): Promise<void> {
    const { match_id: id, room_code: code } = entry;
    const journal = this.#open();
    if (parseMatchId(id) === null) throw new VersionConflict("not a match id");
    if (this.#matches.get(id) !== undefined) throw new VersionConflict(`match ${id} exists`);
    if (this.#matches.byCode(code) !== undefined) throw new VersionConflict(`room ${code} exists`);
    const match = this.#matches.add(id, code);
    const exists = await this.#files.hasLog(id).catch((cause: unknown) => {
      this.#matches.remove(match);
      throw new StoreUnavailable("the disk could not be read", { cause });
    });
    if (exists) {
      this.#matches.remove(match);
      throw new VersionConflict(`match ${id} exists`);
    }
    await journal.append(this.#entriesFor(match, [entry], false, () => this.#matches.remove(match)));
    this.claims.hold(id);
    this.#noteRematch(entry);
  }

  async append(id: MatchId, version: number, entries: readonly LogEntry[], over: boolean): Promise<void> {
    const journal = this.#open();
    const match = this.#matches.get(id);
    if (match === undefined || match.ending) throw new VersionConflict(`match ${id} is over or does not exist`);
    if (match.reserved !== version || match.reserved === 0) {
      throw new VersionConflict(`match ${id} has ${match.reserved} entries, not ${version}`);
    }
    if (entries.length === 0 && !over) return;
    await journal.append(this.#entriesFor(match, entries, over, () => {}));
  }

  alive(id: MatchId, elapsedMs: number): void {
    const match = this.#matches.get(id);
    if (match === undefined || match.over || match.version === 0 || this.#closed !== null) return;
    this.#signs.set(id, { version: match.version, elapsedMs: Math.round(elapsedMs) });
    this.#signTimer ??= setTimeout(() => {
      this.#signTimer = null;
      if (this.#signs.size > 0) this.#journal?.nudge();
    }, ALIVE_WAIT_MS).unref();
  }

  async read(id: MatchId): Promise<readonly LogEntry[] | null> {
    this.#open();
    if (parseMatchId(id) === null) return null;
    const match = this.#matches.get(id);
    if (match?.version === 0) return null;
    return (await this.#reader.read(id, match))?.entries ?? null;
  }

  async unfinished(): Promise<readonly UnfinishedMatch[]> {
    this.#open();
    const found: UnfinishedMatch[] = [];
    const source = this.#reader.bulk();
    for (const id of this.#unfinishedIds()) {
      try {
        const match = await this.#readUnfinished(id, source);
        if (match !== null) found.push(match);
      } catch (error) {
        // One damaged log must not keep the others from coming back.
        this.#settings.report.error(error, { match_id: id, at: "store.unfinished" });
      }
    }
    return found;
  }

  async unfinishedByCode(code: RoomCode): Promise<MatchId | null> {
    this.#open();
    const match = this.#matches.byCode(code);
    return match === undefined || match.version === 0 ? null : match.id;
  }

  async rematchOf(id: MatchId): Promise<MatchId | null> {
    this.#open();
    return this.#rematches.get(id) ?? null;
  }

  async finished(limit: number): Promise<readonly FinishedMatch[]> {
    this.#open();
    return this.#list.newest(limit);
  }

  async record(id: MatchId): Promise<string | null> {
    this.#open();
    if (parseMatchId(id) === null) return null;
    const match = this.#matches.get(id);
    if (match !== undefined && !match.over) return null;
    try {
      return (await this.#files.readRecord(id)) ?? (await this.#seal(id));
    } catch (cause) {
      if (codeOf(cause) === undefined) throw cause;
      throw new StoreUnavailable("the record could not be read or written", { cause });
    }
  }

  async close(): Promise<void> {
    if (this.#closed !== null) return;
    this.#closed = new StoreUnavailable("the store is closed");
    if (this.#signTimer !== null) clearTimeout(this.#signTimer);
    this.#pruning.stop();
    await this.#journal?.stop(this.#closed);
    await this.#background.stop();
    this.#unlock();
  }

  /** Another process has taken the folder: nothing may be written any more. */
  lost(): void {
    this.#closed ??= new StoreUnavailable("another process has taken the data folder");
    this.#settings.report.error(this.#closed, { at: "store.lock" });
    this.#signs.clear();
    void this.#journal?.stop(this.#closed);
    void this.#background.stop();
  }

  #open(): Journal {
    if (this.#closed !== null) throw this.#closed;
    if (this.#journal === null) throw new StoreUnavailable("the store is not open yet");
    return this.#journal;
  }

  #unfinishedIds(): MatchId[] {
    return [...this.#matches.all()].filter((m) => !m.over && m.version > 0).map((m) => m.id);
  }

  async #readUnfinished(id: MatchId, source?: JournalSource): Promise<UnfinishedMatch | null> {
    this.#open();
    const match = this.#matches.get(id);
    if (match === undefined || match.over || match.version === 0) return null;
    const log = await this.#reader.read(id, match, source);
    if (log === null || match.over) return null;
    // In a copy of a running server's folder (backup.ts) files know more than the journal.
    if (log.entries.length > match.version) match.version = match.reserved = log.entries.length;
    if (log.over) {
      this.#matches.end(match);
      this.claims.drop(id);
      this.#toSeal.add(id);
      this.#background.wake();
      return null;
    }
    const [created] = log.entries;
    if (created?.type === "created") this.#noteRematch(created);
    return { matchId: id, entries: log.entries, aliveElapsedMs: elapsedInTurn(log.entries, match.sign) };
  }

  async #readOver(id: MatchId): Promise<readonly LogEntry[] | null> {
    this.#open();
    if (parseMatchId(id) === null) return null;
    const match = this.#matches.get(id);
    if (match !== undefined && !match.over) return null;
    const log = await this.#reader.read(id, match);
    return log?.over ? log.entries : null;
  }

  #noteRematch({ match_id, rematch_of, at_ms }: CreatedEntry): void {
    if (rematch_of !== null) this.#rematches.note(rematch_of, match_id, at_ms);
  }

  async #find(key: MatchId | RoomCode): Promise<Found | null> {
    this.#open();
    const id = parseMatchId(key);
    const match = id === null ? this.#matches.byCode(key as RoomCode) : this.#matches.get(id);
    if (match !== undefined) return match.version === 0 ? null : { matchId: match.id, over: match.over };
    const recent = id === null ? this.#overByCode.get(key as RoomCode) : undefined;
    if (recent !== undefined) return { matchId: recent, over: true };
    return id !== null && (await this.#files.hasLog(id)) ? { matchId: id, over: true } : null;
  }

  #entriesFor(match: Tracked, entries: readonly LogEntry[], over: boolean, failed: () => void): JournalEntry {
    const version = match.reserved;
    const count = entries.length;
    match.reserved = version + count;
    match.ending = over;
    return {
      kind: over ? "last" : "entries",
      match: match.id,
      version,
      count,
      payload: JSON.stringify(entries),
      done: (ref) => {
        match.version = version + count;
        match.refs.push({ ...ref, version, count });
        if (!over) return;
        this.#matches.end(match);
        this.#noteOver(match.code, match.id, entries.at(-1));
        this.claims.drop(match.id);
        this.#signs.delete(match.id);
        this.#toSeal.add(match.id);
        this.#background.wake();
      },
      failed: () => {
        // Everything that waited behind it failed as well.
        match.reserved = match.version;
        match.ending = false;
        failed();
      },
    };
  }

  /** What of a segment says which rooms may be opened again, and which have a rematch. */
  #noteRecent(frames: readonly Frame[]): void {
    for (const { kind, match, version, payload } of frames) {
      if (kind !== "last" && !(kind === "entries" && version === 0)) continue;
      const entries = JSON.parse(payload) as LogEntry[];
      const [first] = entries;
      if (first?.type === "created") this.#noteRematch(first);
      const code = this.#matches.get(match as MatchId)?.code;
      if (kind === "last" && code !== undefined) this.#noteOver(code, match as MatchId, entries.at(-1));
    }
  }

  #noteOver(code: RoomCode, id: MatchId, last: LogEntry | undefined): void {
    if (last !== undefined && last.type !== "closed") this.#overByCode.note(code, id, last.at_ms);
  }

  #aliveEntry(): JournalEntry | null {
    if (this.#signs.size === 0) return null;
    const signs = [...this.#signs];
    this.#signs.clear();
    const payload: AlivePayload = signs.map(([id, sign]) => [id, sign.version, sign.elapsedMs]);
    return {
      kind: "alive",
      match: "-",
      version: 0,
      count: 0,
      payload: JSON.stringify(payload),
      done: () => {
        for (const [id, sign] of signs) {
          const match = this.#matches.get(id);
          if (match !== undefined && !match.over) match.sign = sign;
        }
      },
      failed: () => {},
    };
  }

  /** One step of background work: seal a match that is over, or empty the oldest complete segment. */
  async #tidy(): Promise<boolean> {
    this.#atWork = null;
    const [id] = this.#toSeal;
    if (id !== undefined) {
      await this.#sealInTurn(id);
      return true;
    }
    const [oldest] = this.#complete;
    // Without a newer segment nothing on disk would tell which matches are not over.
    if (oldest !== undefined && this.#journal?.currentSeq != null) {
      await this.#empty(oldest);
      return true;
    }
    return this.#pruning.step();
  }

  async #sealInTurn(id: MatchId): Promise<void> {
    this.#atWork = id;
    try {
      await this.#seal(id);
      this.#atWork = null;
    } catch (error) {
      if (codeOf(error) !== undefined || error instanceof StoreUnavailable) throw error;
      // A log that does not fold stays as it is, and must not hold up the others.
      this.#settings.report.error(error, { match_id: id, at: "store.seal" });
      this.#sealed(id);
    }
  }

  /** The record of a match that is over: made once, then always the same. Null when there is none to make. */
  #seal(id: MatchId): Promise<string | null> {
    const running = this.#sealing.get(id) ?? this.#makeRecord(id).finally(() => this.#sealing.delete(id));
    this.#sealing.set(id, running);
    return running;
  }

  async #makeRecord(id: MatchId): Promise<string | null> {
    const there = await this.#files.readRecord(id);
    if (there === null || !this.#list.has(id)) {
      const log = await this.#reader.read(id, this.#matches.get(id));
      if (log === null || !log.over) return null;
      const sealed = await this.#settings.seal(log.entries);
      if (sealed !== null) {
        const text = there ?? sealed.lines.map((line) => `${line}\n`).join("");
        if (there === null) await this.#files.writeRecord(id, text);
        if (!this.#list.has(id)) await this.#list.add(sealed.summary);
        this.#sealed(id);
        return text;
      }
    }
    this.#sealed(id);
    return there;
  }

  #sealed(id: MatchId): void {
    this.#toSeal.delete(id);
    const match = this.#matches.get(id);
    if (match === undefined) return;
    match.sealed = true;
    if (match.refs.length === 0) this.#matches.remove(match);
  }

  async #empty(segment: { readonly seq: number; readonly size: number }): Promise<void> {
    const { report } = this.#settings;
    const path = segmentPath(this.#journalDir, segment.seq);
    const flushed = await flushSegment(path, segment.size, this.#files, () => this.#closed === null);
    if (flushed === null) return;
    const { matches, problems } = flushed;
    for (const id of matches) if (this.#toSeal.has(id)) await this.#sealInTurn(id);
    // From here on readers look into the files.
    this.#matches.release(segment.seq);
    if (problems.length > 0) {
      for (const { matchId, problem } of problems) {
        const about = matchId === null ? {} : { match_id: matchId };
        report.error(new Error(`kept ${path}.damaged: ${problem}`), { ...about, at: "store.flush" });
      }
      await renameFile(path, `${path}.damaged`);
    } else {
      await removeFile(path);
    }
    await syncFolder(this.#journalDir);
    this.#complete = this.#complete.filter((s) => s.seq !== segment.seq);
  }
}
