/**
 * Files that this user alone may read: keys and tokens. Written whole or not at all. One that has come out of a backup
 * with a wider mode is narrowed before it is read; one whose mode cannot be narrowed is not used.
 */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "./store/disk.ts";

const OTHERS = 0o077;

/** The text of the file; null when there is none. Throws when it cannot be read or others can read it for good. */
export function readPrivate(path: string): string | null {
  try {
    narrow(path);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Narrows the mode of a file that is there to 0600; whether that was needed. */
export function narrow(path: string): boolean {
  if ((statSync(path).mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, 0o600);
  } catch (cause) {
    throw new Error(`others can read ${path}, and its mode cannot be changed: chmod 600 it`, { cause });
  }
  return true;
}

/** Writes a file unless there is one: whoever came first has used what is in it. Returns what is there then. */
export function makePrivate(path: string, text: string): string {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
    syncFolderOf(path);
    return text;
  } catch (error) {
    const there = codeOf(error) === "EEXIST" ? readPrivate(path) : null;
    if (there === null) throw error;
    return there;
  } finally {
    unlinkSync(draft);
  }
}

/** Writes a file in place of the one that is there: a reader finds the one or the other, whole. */
export function replacePrivate(path: string, text: string): void {
  renameSync(writeDraft(path, text), path);
  syncFolderOf(path);
}

function writeDraft(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  const fd = openSync(draft, "wx", 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return draft;
}

function syncFolderOf(path: string): void {
  const fd = openSync(dirname(path), "r");
  fsyncSync(fd);
  closeSync(fd);
}
