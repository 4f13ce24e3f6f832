/**
 * A copy of a data folder, also while a server runs on it: whatever was acknowledged before the copy was begun is in it.
 *
 * The order does it. What says that a match is over (records, lists, certificates) comes first, so that nothing in the
 * copy is over of which the copy has no end. Then the journal, then the matches' logs: an entry leaves the journal only
 * when it lies in a log, so it is met in the one or in the other. A segment that goes while it is being copied lies in
 * the logs by then; what has come after it is looked for again. Logs may be newer than the journal, which the store
 * takes in on opening.
 */
import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, stat, utimes } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { codeOf } from "./disk.ts";

/** What belongs to the process that runs, not to the data. */
const NOT_DATA = /^(lock|admin-address)(\.|$)|\.(draft|new)$|\.tmp$/;
const [JOURNAL, LOGS] = ["journal", "matches"] as const;

export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies `from` into `to`, which must be empty or not there. Rejects with system errors; then the copy is not whole.
 * `before`, for tests, is waited for before each part.
 */
export async function copyData(
  from: string,
  to: string,
  before: (part: string) => Promise<void> = async () => {},
): Promise<Copied> {
  const way = relative(resolve(from), resolve(to));
  if (way.split(sep)[0] !== "..") throw new Error(`${to} lies in ${from}: the copy would copy itself`);
  const names = await readdir(from);
  if (!names.includes(JOURNAL)) throw new Error(`${from} holds no journal: it is no data folder (set DATA_DIR)`);
  await mkdir(to, { recursive: true, mode: 0o700 });
  if ((await readdir(to)).length > 0) throw new Error(`${to} is not empty`);
  const copy = new Copy(from, to, before);
  for (const name of names) if (name !== JOURNAL && name !== LOGS && !NOT_DATA.test(name)) await copy.all(name);
  await copy.journal();
  await before(LOGS);
  await copy.all(LOGS);
  await copy.sync();
  return { files: copy.files, bytes: copy.bytes };
}

class Copy {
  readonly #from: string;
  readonly #to: string;
  readonly #before: (part: string) => Promise<void>;
  readonly #folders = new Set<string>();
  files = 0;
  bytes = 0;

  constructor(from: string, to: string, before: (part: string) => Promise<void>) {
    this.#from = from;
    this.#to = to;
    this.#before = before;
  }

  /** A file, or a folder with all below it. What goes meanwhile was to be thrown away. */
  async all(name: string): Promise<void> {
    const found = await stat(join(this.#from, name)).catch(unlessGone);
    if (found === null || NOT_DATA.test(name)) return;
    if (!found.isDirectory()) return void (await this.#file(name));
    await this.#folder(name);
    for (const child of await readdir(join(this.#from, name))) await this.all(join(name, child));
  }

  /** Every segment that is there; again, when one has gone in between: what took its place must be in the copy. */
  async journal(): Promise<void> {
    await this.#folder(JOURNAL);
    const done = new Set<string>();
    for (let again = true; again; ) {
      again = false;
      for (const name of (await readdir(join(this.#from, JOURNAL))).sort()) {
        if (done.has(name)) continue;
        await this.#before(name);
        if (await this.#file(join(JOURNAL, name))) done.add(name);
        else again = true;
      }
    }
  }

  /** Makes the names durable. */
  async sync(): Promise<void> {
    for (const folder of [...this.#folders, this.#to, dirname(this.#to)]) await syncPath(folder);
  }

  async #folder(name: string): Promise<void> {
    await mkdir(join(this.#to, name), { recursive: true, mode: 0o700 });
    this.#folders.add(join(this.#to, name));
  }

  /** With its mode and its times, by which the store tells how old it is. False when it has gone. */
  async #file(name: string): Promise<boolean> {
    const [source, target] = [join(this.#from, name), join(this.#to, name)];
    const found = await stat(source).catch(unlessGone);
    if (found === null || (await copyFile(source, target, constants.COPYFILE_FICLONE).catch(unlessGone)) === null) {
      return false;
    }
    await utimes(target, found.atime, found.mtime);
    await syncPath(target);
    this.files++;
    this.bytes += found.size;
    return true;
  }
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function unlessGone(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}
