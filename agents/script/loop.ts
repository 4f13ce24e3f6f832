/** `--agent-loop`: one process for the match; a state a line in, an answer a line out (PROTOCOL 11). */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Brain } from "../brains/brain.ts";
import { readAnswer } from "./answer.ts";
import { SCRIPT_MS } from "./oneShot.ts";
import { programOf } from "./runner.ts";

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
  let child: ChildProcessWithoutNullStreams | null = null;
  let waiting: Waiting | null = null;
  const fail = (from: ChildProcessWithoutNullStreams, reason: string) => {
    if (child !== from) return;
    child = null;
    from.kill("SIGKILL");
    waiting?.reject(new Error(reason));
    waiting = null;
  };
  const start = () => {
    const { command, args } = programOf(file);
    const started = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
    started.on("error", (error) => fail(started, `the script cannot be run: ${error.message}`));
    started.on("close", (code, signal) => fail(started, `the script ended with ${code ?? signal}`));
    started.stdin.on("error", () => {});
    started.stderr.setEncoding("utf8").on("data", onNotes);
    createInterface({ input: started.stdout }).on("line", (line) => {
      // Nobody has asked: a late answer to a turn that was given up, or chatter.
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
      const timer = setTimeout(() => fail(asked, `the script took longer than ${Math.round(ms / 1_000)} s`), ms);
      try {
        return readAnswer(await answered);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      const running = child;
      child = null;
      running?.stdin.end();
      running?.kill();
    },
  };
}
