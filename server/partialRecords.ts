/**
 * Partial records, each made on a thread of its own: one replays and hashes its whole match, up to a second of work
 * that anybody who watches may ask for, and the rooms' thread has none to spare.
 */
import { Worker } from "node:worker_threads";
import type { PlayerId } from "../shared/engine/index.ts";
import { RefusalError, refuse } from "../shared/protocol/codes.ts";
import type { MatchId } from "../shared/protocol/ids.ts";
import type { LogEntry } from "../shared/protocol/log.ts";
import type { MatchStore } from "./store/MatchStore.ts";

/** What the thread is given; it answers with the record's text and ends. */
export interface PartialRequest {
  readonly entries: readonly LogEntry[];
  readonly viewer: PlayerId | null;
}

/**
 * The record of a running match as far as `viewer` may know it, lines that end in newlines; null when there is no log.
 * Rejects with RefusalError when too many are asked for.
 */
export type MakePartial = (
  match: { readonly id: MatchId; readonly version: number },
  viewer: PlayerId | null,
) => Promise<string | null>;

/** One is made at a time; so many may be asked for at once. */
const MAX_ASKED = 8;

// Beside this file, under the extension that this file has: .ts as written, .js in a build.
const THREAD = new URL(`./partialThread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

export function partialRecords(store: Pick<MatchStore, "read">): MakePartial {
  const asked = new Map<string, Promise<string | null>>();
  let last: Promise<unknown> = Promise.resolve();

  return async ({ id, version }, viewer) => {
    const key = `${id} ${version} ${viewer}`;
    const same = asked.get(key);
    if (same !== undefined) return same;
    if (asked.size >= MAX_ASKED) {
      throw new RefusalError(refuse("unavailable", "Too many records are being made; try again.", 2));
    }
    const made = last.then(async () => {
      const entries = await store.read(id);
      return entries && onThread({ entries, viewer });
    });
    const done = () => void asked.delete(key);
    last = made.then(done, done);
    asked.set(key, made);
    return made;
  };
}

function onThread(request: PartialRequest): Promise<string> {
  const thread = new Worker(THREAD, { workerData: request });
  // The end of the process does not wait for it.
  thread.unref();
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the thread ended without a record")));
  });
}
