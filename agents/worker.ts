/** A worker thread that hosts many bots; thinking happens here and never on the thread of the rooms (DESIGN 3). */
import { randomBytes } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { Assignment } from "./assignment.ts";
import { random } from "./brains/random.ts";
import { brainKind } from "./brains/registry.ts";
import { driveSeat } from "./drivers/colyseus.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

if (parentPort === null) throw new Error("this file runs as a worker thread");
const supervisor = parentPort;
const running = new Map<number, AbortController>();

const tell = (message: FromWorker) => supervisor.postMessage(message);

supervisor.on("message", (message: ToWorker) => {
  switch (message.type) {
    case "drive":
      void drive(message.bot, message.url, message.assignment);
      return;
    case "release":
      running.get(message.bot)?.abort();
      running.delete(message.bot);
      return;
  }
});

async function drive(bot: number, url: string, assignment: Assignment): Promise<void> {
  const stop = new AbortController();
  running.set(bot, stop);
  try {
    const kind = brainKind(assignment.brain);
    if (kind === null) throw new Error(`there is no brain ${assignment.brain}`);
    const brain = kind.create(searchSeed());
    tell({ type: "ready", bot });
    await driveSeat({
      url,
      assignment,
      brain,
      fallback: random.create(searchSeed()),
      signal: stop.signal,
      onBrainFailure: (reason) => tell({ type: "stumbled", bot, reason }),
    });
    tell({ type: "ended", bot });
  } catch (error) {
    tell({ type: "died", bot, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    if (running.get(bot) === stop) running.delete(bot);
  }
}

/** R11.4: a generator of its own. All zero, which is no seed, does not come out of 16 random bytes in our time. */
function searchSeed(): string {
  return randomBytes(16).toString("hex");
}
