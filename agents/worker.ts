/** A worker thread that hosts many bots; thinking happens here and never on the thread of the rooms (DESIGN 3). */
import { randomBytes } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { ModelConfig } from "../shared/protocol/models.ts";
import type { Assignment } from "./assignment.ts";
import type { Brain } from "./brains/brain.ts";
import { random } from "./brains/random.ts";
import { brainKind } from "./brains/registry.ts";
import { temperOf } from "./brains/styles.ts";
import { driveSeat } from "./drivers/colyseus.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

if (parentPort === null) throw new Error("this file runs as a worker thread");
const supervisor = parentPort;
const running = new Map<number, AbortController>();

const tell = (message: FromWorker) => supervisor.postMessage(message);

supervisor.on("message", (message: ToWorker) => {
  switch (message.type) {
    case "drive":
      void drive(message);
      return;
    case "release":
      running.get(message.bot)?.abort();
      running.delete(message.bot);
      return;
  }
});

async function drive({ bot, url, assignment, model }: Extract<ToWorker, { type: "drive" }>): Promise<void> {
  const stop = new AbortController();
  running.set(bot, stop);
  try {
    const failed = (reason: string) => tell({ type: "stumbled", bot, reason });
    const brain = model === null ? houseBrain(assignment) : await modelBrain(model, assignment, stop.signal, failed);
    tell({ type: "ready", bot });
    await driveSeat({
      url,
      assignment,
      brain,
      // What a model says is what is played, and when it says nothing no bot plays in its name.
      fallback: model === null ? random.create(searchSeed()) : null,
      signal: stop.signal,
      onBrainFailure: failed,
    });
    tell({ type: "ended", bot });
  } catch (error) {
    tell({ type: "died", bot, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    if (running.get(bot) === stop) running.delete(bot);
  }
}

function houseBrain({ brain, style = null }: Assignment): Brain {
  const kind = brainKind(brain);
  if (kind === null) throw new Error(`there is no brain ${brain}`);
  return kind.create(searchSeed(), temperOf(style));
}

async function modelBrain(
  model: ModelConfig,
  assignment: Assignment,
  signal: AbortSignal,
  failed: (reason: string) => void,
): Promise<Brain> {
  // Only threads in which a model plays load what it needs.
  const { seatedModel } = await import("./llm/seated.ts");
  return seatedModel({ model, assignment, env: process.env, signal, failed });
}

/** R11.4: a generator of its own. All zero, which is no seed, does not come out of 16 random bytes in our time. */
function searchSeed(): string {
  return randomBytes(16).toString("hex");
}
