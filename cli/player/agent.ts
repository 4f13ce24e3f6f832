/** Which agent plays: a script, a process, a brain of the house, or whoever sits at the keyboard. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import type { Brain } from "../../agents/brains/brain.ts";
import { BRAINS, brainKind } from "../../agents/brains/registry.ts";
import { loopBrain } from "../../agents/script/loop.ts";
import { scriptBrain } from "../../agents/script/oneShot.ts";
import type { Format } from "../../shared/engine/index.ts";
import type { Kind } from "../../shared/protocol/log.ts";
import { type PlayerFolder, UsageError } from "./folder.ts";
import type { AgentOptions } from "./options.ts";

export interface Agent {
  readonly brain: Brain;
  /** What plays, as others are shown it. */
  readonly model: string;
  /** SHA-256 of the prompt that a model is given in a match of that format and kind. */
  promptHash?(format: Format, kind: Kind): string;
  close(): void;
}

/** Rejects with UsageError when there is nothing to play with. `note` is told what the agent says beside its answers. */
export async function openAgent(
  options: AgentOptions,
  folder: PlayerFolder,
  note: (text: string) => void,
): Promise<Agent> {
  const { agentScript, agentLoop, brain, model } = options;
  const onNotes = (text: string) => {
    for (const line of text.split("\n")) if (line.trim() !== "") note(`agent: ${line}`);
  };
  if (agentScript !== undefined) {
    return { brain: scriptBrain(found(agentScript), onNotes), model: "script", close() {} };
  }
  if (agentLoop !== undefined) {
    const loop = loopBrain(found(agentLoop), onNotes);
    return { brain: loop, model: "script", close: () => loop.close() };
  }
  if (brain !== undefined) {
    const kind = brainKind(brain);
    if (kind === null) throw new UsageError(`there is no brain ${brain}: ${BRAINS.map(({ name }) => name).join(", ")}`);
    return { brain: kind.create(randomBytes(16).toString("hex")), model: brain, close() {} };
  }
  if (model !== undefined) {
    const { modelAgent } = await import("./model.ts");
    return modelAgent(model, options, folder, note);
  }
  if (process.stdin.isTTY) return keyboard();
  throw new UsageError(
    "say what plays: --agent-script, --agent-loop, --model, --brain; or play at a terminal yourself",
  );
}

function found(file: string): string {
  if (existsSync(file)) return file;
  throw new UsageError(`there is no file ${file}`);
}

/** Asks at the terminal. */
function keyboard(): Agent {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return {
    brain: { choose: async () => ({ command: (await lines.question("your command: ")).trim() }) },
    model: "human",
    close: () => lines.close(),
  };
}
