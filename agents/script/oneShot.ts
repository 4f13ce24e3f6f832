/** `--agent-script`: one process a turn; the state on its standard input, its answer on its output (PROTOCOL 11). */
import type { Brain } from "../brains/brain.ts";
import { readAnswer } from "./answer.ts";
import { endProgram, startProgram } from "./runner.ts";

/** For one answer, or the rest of the clock where that is less. */
export const SCRIPT_MS = 120_000;
const MAX_OUTPUT = 1024 * 1024;

/** `onNotes` is told what the script writes on its standard error. */
export function scriptBrain(file: string, onNotes: (text: string) => void, longestMs = SCRIPT_MS): Brain {
  return {
    choose: (view, _seat, { remainingMs }) =>
      new Promise((resolve, reject) => {
        const ms = Math.min(longestMs, remainingMs);
        const child = startProgram(file);
        let out = "";
        const end = (failure: Error | null) => {
          clearTimeout(timer);
          endProgram(child);
          if (failure !== null) return reject(failure);
          try {
            resolve(readAnswer(out));
          } catch (error) {
            reject(error);
          }
        };
        const timer = setTimeout(() => end(tooLong(ms)), ms);
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          out += text;
          if (out.length > MAX_OUTPUT) end(new Error("the script wrote more than 1 MiB"));
        });
        child.stderr.setEncoding("utf8").on("data", onNotes);
        child.once("error", (error) => end(new Error(`the script cannot be run: ${error.message}`)));
        child.once("close", (code, signal) =>
          end(code === 0 ? null : new Error(`the script ended with ${code ?? signal}`)),
        );
        child.stdin.end(`${JSON.stringify(view)}\n`);
      }),
  };
}

export function tooLong(ms: number): Error {
  return new Error(`the script took longer than ${Math.round(ms / 1_000)} s`);
}
