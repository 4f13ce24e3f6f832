/**
 * The `gearmice` command. One file a command: each exports a function that describes it to commander and loads what it
 * needs only when it runs, so that `gearmice engine` does not wait for the server's modules.
 * Exit codes: 0 done, 1 failed, 2 a wrong call.
 */
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { engineCommand } from "./engine.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const COMMANDS: readonly (() => Command)[] = [engineCommand];

const program = new Command("gearmice")
  .description("Realtime server for the gears-and-mice puzzle, and the tools around it.")
  .version(version, "-V, --version")
  .showHelpAfterError("(add --help for what is possible)")
  .configureHelp({ showGlobalOptions: true });

for (const describe of COMMANDS) program.addCommand(describe());
for (const command of [program, ...program.commands]) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 || error.code === "commander.help" ? 0 : 2;
  } else {
    process.stderr.write(`gearmice: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
