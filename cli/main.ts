/**
 * The `gearmice` command. One file a command: each exports a function that describes it to commander and loads what it
 * needs only when it runs, so that `gearmice engine` does not wait for the server's modules.
 * Exit codes: 0 done, 1 failed, 2 a wrong call.
 */
import { CommanderError } from "commander";
import { describeProgram } from "./program.ts";

/** Errors that say that settings or options are wrong. */
const WRONG_CALLS: ReadonlySet<string> = new Set(["ConfigError", "UsageError"]);

/** As the shell tells of a program that wrote where nobody reads any more (128 + SIGPIPE). */
const NOBODY_READS = 141;

// `gearmice --help | head`: whoever reads has read enough. A server goes on for those who play on it.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (process.argv[2] !== "serve") process.exit(NOBODY_READS);
  });
}

try {
  await describeProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 || error.code === "commander.help" ? 0 : 2;
  } else {
    process.stderr.write(`gearmice: ${error instanceof Error ? error.message : String(error)}\n`);
    // A command that failed half way may have left timers or sockets behind. A setting is part of the call.
    process.exit(error instanceof Error && WRONG_CALLS.has(error.name) ? 2 : 1);
  }
}
