/** What every measured process answers to the benchmark: its memory, its time on the processor, the loop's delay. */
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface Usage {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** User and system, all threads. */
  readonly cpuMs: number;
  /** Since the last time it was asked. */
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
}

export type ToSubject =
  | { readonly ask: "usage"; readonly gc: boolean }
  | { readonly ask: "rooms"; readonly count: number }
  | { readonly ask: "stop" };

export interface FromSubject {
  readonly url?: string;
  readonly usage?: Usage;
  /** Keys by which clients find the rooms that were asked for. */
  readonly rooms?: readonly string[];
}

/** Serves the benchmark over the channel to its parent until it says stop or is gone. */
export function serveParent(url: string, hooks: { rooms(count: number): Promise<string[]>; stop(): Promise<void> }) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const tell = (message: FromSubject) => void process.send?.(message);
  const usage = (gc: boolean): Usage => {
    for (let i = 0; gc && i < 4; i++) globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { heapUsed, rss, arrayBuffers } = process.memoryUsage();
    const told = {
      heapBytes: heapUsed + arrayBuffers,
      rssBytes: rss,
      cpuMs: (user + system) / 1_000,
      loopDelayP99Ms: delay.percentile(99) / 1e6,
      loopDelayMaxMs: delay.max / 1e6,
    };
    delay.reset();
    return told;
  };
  process.on("message", async (message: ToSubject) => {
    if (message.ask === "usage") tell({ usage: usage(message.gc) });
    else if (message.ask === "rooms") tell({ rooms: await hooks.rooms(message.count) });
    else {
      await hooks.stop();
      process.exit();
    }
  });
  process.on("disconnect", () => process.exit());
  tell({ url });
}
