/** `--agent-loop`: one process for the match; a state a line in, an answer a line out (PROTOCOL 11). */
import { createInterface } from "node:readline";
import type { Brain } from "../brains/brain.ts";
import { readAnswer } from "./answer.ts";
import { SCRIPT_MS, tooLong } from "./oneShot.ts";
import { endProgram, startProgram } from "./runner.ts";

export interface LoopBrain extends Brain {
  /** Ends the process. */
  close(): void;
}

interface Waiting {
  resolve(line: string): void;
  reject(error: Error): void;
}

/** A process that has ended, or did not answer in time, is started again for the next turn. */
export function loopBrain(file: string, onNotes: (text: string) => void, longestMs = SCRIPT_MS): LoopBrain {
  type Child = ReturnType<typeof startProgram>;
  let child: Child | null = null;
  let waiting: Waiting | null = null;
  const fail = (from: Child, reason: Error) => {
    if (child !== from) return;
    child = null;
    endProgram(from);
    waiting?.reject(reason);
    waiting = null;
  };
  const start = () => {
    const started = startProgram(file);
    started.on("error", (error) => fail(started, new Error(`the script cannot be run: ${error.message}`)));
    started.on("close", (code, signal) => fail(started, new Error(`the script ended with ${code ?? signal}`)));
    started.stderr.setEncoding("utf8").on("data", onNotes);
    createInterface({ input: started.stdout }).on("line", (line) => {
      // Nobody has asked: chatter.
      if (child !== started || waiting === null) return;
      waiting.resolve(line);
      waiting = null;
    });
    return started;
  };
  return {
    async choose(view, _seat, { remainingMs }) {
      child ??= start();
      const asked = child;
      const ms = Math.min(longestMs, remainingMs);
      const answered = new Promise<string>((resolve, reject) => {
        waiting = { resolve, reject };
      });
      asked.stdin.write(`${JSON.stringify(view)}\n`);
      const timer = setTimeout(() => fail(asked, tooLong(ms)), ms);
      try {
        return readAnswer(await answered);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      const running = child;
      child = null;
      if (running !== null) endProgram(running);
    },
  };
}
