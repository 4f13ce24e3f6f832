/** The few operations on files that the store is made of, each as a promise and each durable where it says so. */
import {
  close,
  constants,
  fdatasync,
  fstat,
  fsync,
  ftruncate,
  mkdir,
  open,
  read,
  readdir,
  rename,
  rmdir,
  stat,
  unlink,
  write,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** The two operations whose failure the journal must survive; tests put failing ones in their place. */
export interface DiskWrites {
  /** Writes up to `length` bytes; resolves with how many were written. */
  write(fd: number, bytes: Buffer, offset: number, length: number, position: number): Promise<number>;
  /** Resolves when everything written to the file is on the disk. */
  sync(fd: number): Promise<void>;
}

export const realWrites: DiskWrites = {
  write: (fd, bytes, offset, length, position) =>
    new Promise((resolve, reject) =>
      write(fd, bytes, offset, length, position, (error, n) => (error ? reject(error) : resolve(n))),
    ),
  sync: promisify(fdatasync),
};

export const openFile: (path: string, flags: string | number, mode?: number) => Promise<number> = promisify(open);
export const closeFile: (fd: number) => Promise<void> = promisify(close);
export const truncateFile: (fd: number, size: number) => Promise<void> = promisify(ftruncate);
export const removeFile: (path: string) => Promise<void> = promisify(unlink);
export const renameFile: (from: string, to: string) => Promise<void> = promisify(rename);
export const removeFolder: (path: string) => Promise<void> = promisify(rmdir);
export const listFolder: (path: string) => Promise<string[]> = promisify(readdir);

export async function writeAll(writes: DiskWrites, fd: number, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += await writes.write(fd, bytes, done, bytes.length - done, position + done);
  }
}

/** Makes the names in a folder durable: after creating, renaming or removing a file in it. */
export async function syncFolder(path: string): Promise<void> {
  const fd = await openFile(path, constants.O_RDONLY);
  try {
    await promisify(fsync)(fd);
  } finally {
    await closeFile(fd);
  }
}

/** Makes sure, durably, that there is a folder that only this user may enter; its parent must exist. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await promisify(mkdir)(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  // Also when it was there: a crash may have come between its making and its syncing.
  await syncFolder(dirname(path));
}

/** Reads `length` bytes at `position`; fewer only at the end of the file. */
export function readAt(fd: number, length: number, position: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  if (length === 0) return Promise.resolve(bytes);
  return new Promise((resolve, reject) => {
    const more = (done: number) =>
      read(fd, bytes, done, length - done, position + done, (error, n) => {
        if (error) reject(error);
        else if (n === 0 || done + n === length) resolve(bytes.subarray(0, done + n));
        else more(done + n);
      });
    more(0);
  });
}

/** Unix ms of the last write. */
export async function changedMs(path: string): Promise<number> {
  return (await promisify(stat)(path)).mtimeMs;
}

export async function sizeOf(fd: number): Promise<number> {
  return (await promisify(fstat)(fd)).size;
}

/** The code of a system error, such as ENOSPC; undefined for everything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
