/**
 * Sealing on a thread of its own: a record replays and hashes its whole match, which on the rooms' thread would take
 * longer than playing it did. The thread starts with the first match that ends and reads the signing key itself.
 */
import { Worker } from "node:worker_threads";
import { StoreUnavailable } from "../rooms/ports.ts";
import { LogError } from "../shared/protocol/match.ts";
import type { Seal, SealedRecord } from "./store/MatchStore.ts";

/** What the thread is asked and answers. */
export interface SealRequest {
  readonly id: number;
  readonly entries: Parameters<Seal>[0];
}
export type SealAnswer =
  | { readonly id: number; readonly sealed: SealedRecord | null }
  | { readonly id: number; readonly problem: string };

export interface Sealer {
  readonly seal: Seal;
  /** Ends the thread; what it was asked rejects with StoreUnavailable. */
  stop(): Promise<void>;
}

interface Waiting {
  readonly resolve: (sealed: SealedRecord | null) => void;
  readonly reject: (error: Error) => void;
}

// Beside this file, under the extension that this file has: .ts as written, .js in a build.
const THREAD = new URL(`./sealThread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Seals with the key in `dir` (see `openSigner`). */
export function startSealer(dir: string): Sealer {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let nextId = 0;

  function start(): Worker {
    const started = new Worker(THREAD, { workerData: { dir } });
    started.unref();
    started.on("message", (answer: SealAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("sealed" in answer) asked?.resolve(answer.sealed);
      else asked?.reject(new LogError(answer.problem));
    });
    let cause: unknown = null;
    started.on("error", (error) => {
      cause = error;
    });
    started.on("exit", () => {
      if (thread === started) thread = null;
      // The store asks again later, and a new thread starts.
      for (const { reject } of waiting.values()) reject(new StoreUnavailable("the sealing thread ended", { cause }));
      waiting.clear();
    });
    return started;
  }

  return {
    seal: (entries) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        thread ??= start();
        thread.postMessage({ id, entries } satisfies SealRequest);
      }),
    async stop() {
      await thread?.terminate();
    },
  };
}
