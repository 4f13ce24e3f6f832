/**
 * The `gearmice` command. One file a command: each exports a function that describes it to commander and loads what it
 * needs only when it runs, so that `gearmice engine` does not wait for the server's modules.
 * Exit codes: 0 done, 1 failed, 2 a wrong call.
 */
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { adminCommand } from "./admin.ts";
import { arenaCommand } from "./arena.ts";
import { engineCommand } from "./engine.ts";
import { keysCommand } from "./keys.ts";
import { loginCommand, statusCommand } from "./login.ts";
import { mcpCommand } from "./mcp.ts";
import { playCommand } from "./play.ts";
import { promptsCommand, strategiesCommand } from "./prompts.ts";
import { serveCommand } from "./serve.ts";
import type { VerifyCommandOptions } from "./verify.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const COMMANDS: readonly (() => Command)[] = [
  serveCommand,
  playCommand,
  arenaCommand,
  loginCommand,
  statusCommand,
  promptsCommand,
  strategiesCommand,
  mcpCommand,
  engineCommand,
  adminCommand,
  keysCommand,
  verify,
];

/** Errors that say that settings or options are wrong. */
const WRONG_CALLS: ReadonlySet<string> = new Set(["ConfigError", "UsageError"]);

const program = new Command("gearmice")
  .description("Realtime server for the gears-and-mice puzzle, and the tools around it.")
  .version(version, "-V, --version")
  .showHelpAfterError("(add --help for what is possible)")
  .configureHelp({ showGlobalOptions: true });

function verify(): Command {
  return new Command("verify")
    .description("check a match record without a server: chain, signature, seed, replay, result")
    .argument("<file>", "a record (.jsonl)")
    .option("--key <source>", "trusted keys: 64 hex digits, or file or address of a key list")
    .option("--allow-unknown-signer", "exit with 0 though no key is given")
    .option("--json", "one JSON object instead of a sentence")
    .addHelpText(
      "after",
      `
Exit codes: 0 right, 1 wrong or signed by an unknown key, 2 it cannot be read.

Examples:
  $ gearmice verify match.jsonl --key http://localhost:2567/.well-known/gearmice-keys.json
  $ gearmice verify match.jsonl --allow-unknown-signer`,
    )
    .action(async (file: string, options: VerifyCommandOptions) => {
      const { verifyCommand } = await import("./verify.ts");
      process.exitCode = await verifyCommand(file, options);
    });
}

for (const describe of COMMANDS) program.addCommand(describe());
const all = (command: Command): Command[] => [command, ...command.commands.flatMap((one) => all(one as Command))];
for (const command of all(program)) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 || error.code === "commander.help" ? 0 : 2;
  } else {
    process.stderr.write(`gearmice: ${error instanceof Error ? error.message : String(error)}\n`);
    // A command that failed half way may have left timers or sockets behind. A setting is part of the call.
    process.exit(error instanceof Error && WRONG_CALLS.has(error.name) ? 2 : 1);
  }
}
