/** `--agent-script`: one process a turn; the state on its standard input, its answer on its output (PROTOCOL 11). */
import { spawn } from "node:child_process";
import type { Brain } from "../brains/brain.ts";
import { readAnswer } from "./answer.ts";
import { programOf } from "./runner.ts";

/** For one answer, or the rest of the clock where that is less. */
export const SCRIPT_MS = 120_000;
const MAX_OUTPUT = 1024 * 1024;

/** `onNotes` is told what the script writes on its standard error. */
export function scriptBrain(file: string, onNotes: (text: string) => void, longestMs = SCRIPT_MS): Brain {
  return {
    choose: (view, _seat, { remainingMs }) =>
      new Promise((resolve, reject) => {
        const { command, args } = programOf(file);
        const ms = Math.min(longestMs, remainingMs);
        const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
        let out = "";
        let failure: Error | null = null;
        const stop = (reason: string) => {
          failure ??= new Error(reason);
          child.kill("SIGKILL");
        };
        const timer = setTimeout(() => stop(`the script took longer than ${Math.round(ms / 1_000)} s`), ms);
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          out += text;
          if (out.length > MAX_OUTPUT) stop("the script wrote more than 1 MiB");
        });
        child.stderr.setEncoding("utf8").on("data", onNotes);
        // A script that does not read is judged by what it answers.
        child.stdin.on("error", () => {});
        child.stdin.end(`${JSON.stringify(view)}\n`);
        child.once("error", (error) => {
          clearTimeout(timer);
          reject(new Error(`the script cannot be run: ${error.message}`));
        });
        child.once("close", (code, signal) => {
          clearTimeout(timer);
          if (failure !== null) return reject(failure);
          if (code !== 0) return reject(new Error(`the script ended with ${code ?? signal}`));
          try {
            resolve(readAnswer(out));
          } catch (error) {
            reject(error);
          }
        });
      }),
  };
}
