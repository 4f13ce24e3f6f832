/**
 * The store on files (DESIGN 2): appends go to one journal; matches' own files follow in the background.
 * Memory holds what is not over or not yet out of the journal, and nothing else that grows.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Reporter, StoreUnavailable } from "../../rooms/ports.ts";
import { type MatchId, parseMatchId, type RoomCode } from "../../shared/protocol/ids.ts";
import type { CreatedEntry, LogEntry } from "../../shared/protocol/log.ts";
import { elapsedInTurn } from "./alive.ts";
import { Background } from "./background.ts";
import { codeOf, type DiskWrites, makeFolder, realWrites } from "./disk.ts";
import { FinishedList } from "./finishedList.ts";
import { Journal, type JournalEntry, type JournalOptions } from "./journal.ts";
import { lockFolder } from "./lock.ts";
import { type JournalSource, LogReader } from "./logReader.ts";
import { type FinishedMatch, type MatchStore, type Seal, type UnfinishedMatch, VersionConflict } from "./MatchStore.ts";
import { MatchFiles } from "./matchFiles.ts";
import { PruneRounds } from "./pruning.ts";
import { RecentRooms } from "./recentRooms.ts";
import { KEEP_ALL, type Retention } from "./retention.ts";
import { readSegments } from "./segments.ts";
import { SignsOfLife } from "./signs.ts";
import { type Found, SoleClaims } from "./soleClaims.ts";
import { Tidying } from "./tidying.ts";
import { type Tracked, TrackedMatches } from "./tracked.ts";

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
  readonly #tidying: Tidying;
  readonly #pruning: PruneRounds;
  readonly #signs = new SignsOfLife(this.#matches, () => this.#journal?.nudge());
  readonly #recent = new RecentRooms();
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
    this.#tidying = new Tidying({
      journalDir,
      matches: this.#matches,
      files,
      list,
      reader: this.#reader,
      report: settings.report,
      seal: settings.seal,
      isJournalOpen: () => this.#journal?.currentSeq != null,
      isStoreOpen: () => this.#closed === null,
    });
    this.#background = new Background({
      step: async () => (await this.#tidying.step()) || this.#pruning.step(),
      onError: (error) =>
        settings.report.error(error, {
          ...(this.#tidying.atWork === null ? {} : { match_id: this.#tidying.atWork }),
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
      this.#recent.noteFinished(room_code, match_id, ended_at_ms);
    }
    const { segments, nextSeq } = await readSegments(this.#journalDir);
    for (const segment of segments) {
      const misfits = this.#matches.adopt(segment);
      this.#tidying.completed({ seq: segment.seq, size: segment.size });
      const frames = segment.frames.map(({ frame }) => frame);
      this.#recent.noteFrames(frames, (id) => this.#matches.get(id)?.code);
      if (segment.damaged > 0) {
        const error = new Error(`journal segment ${segment.seq} has ${segment.damaged} damaged lines`);
        report.error(error, { at: "store.recover" });
      }
      for (const match_id of new Set(misfits)) {
        const error = new Error(`an entry before those in journal segment ${segment.seq} is missing`);
        report.error(error, { match_id, at: "store.recover" });
      }
    }
    for (const match of this.#matches.all()) if (match.over) this.#tidying.ended(match.id);
    this.#journal = new Journal({
      dir: this.#journalDir,
      nextSeq,
      previous: this.#tidying.newestComplete,
      writes,
      windowMs,
      segmentBytes,
      open: () => this.#matches.open(),
      rider: () => this.#signs.take(),
      onRotate: (before) => {
        this.#tidying.completed(before);
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
    this.#recent.noteCreated(entry);
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
    if (this.#closed === null) this.#signs.note(id, elapsedMs);
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
    return this.#recent.rematchOf(id) ?? null;
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
      return (await this.#files.readRecord(id)) ?? (await this.#tidying.record(id));
    } catch (cause) {
      if (codeOf(cause) === undefined) throw cause;
      throw new StoreUnavailable("the record could not be read or written", { cause });
    }
  }

  async close(): Promise<void> {
    if (this.#closed !== null) return;
    this.#closed = new StoreUnavailable("the store is closed");
    this.#signs.stop();
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
      this.#tidying.ended(id);
      this.#background.wake();
      return null;
    }
    const [created] = log.entries;
    if (created?.type === "created") this.#recent.noteCreated(created);
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

  async #find(key: MatchId | RoomCode): Promise<Found | null> {
    this.#open();
    const id = parseMatchId(key);
    const match = id === null ? this.#matches.byCode(key as RoomCode) : this.#matches.get(id);
    if (match !== undefined) return match.version === 0 ? null : { matchId: match.id, over: match.over };
    const recent = id === null ? this.#recent.over(key as RoomCode) : undefined;
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
        this.#recent.noteOver(match.code, match.id, entries.at(-1));
        this.claims.drop(match.id);
        this.#signs.forget(match.id);
        this.#tidying.ended(match.id);
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
}
