/** All of `gearmice`'s commands, described; each loads what it needs only when it runs. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
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

const HELP = `
Exit codes: 0 done, 1 failed, 2 a wrong call. Every command has --help with examples of its own.

Examples:
  $ gearmice serve
  $ gearmice play --brain greedy
  $ gearmice play --agent-script ~/gearmice/agents/agent.ts
  $ gearmice play --model llama3.2 --local-url http://localhost:11434/v1
  $ gearmice arena create --opponent greedy --agent-loop ~/gearmice/agents/agent.py
  $ gearmice arena watch IXENT-K7M2QP
  $ gearmice verify match.jsonl --key http://localhost:2567/.well-known/gearmice-keys.json`;

/** The whole command; a wrong call is thrown as CommanderError. */
export function describeProgram(): Command {
  const program = new Command("gearmice")
    .description("Realtime server for the gears-and-mice puzzle, and the tools around it.")
    .version(version, "-V, --version")
    .showHelpAfterError("(add --help for what is possible)")
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", HELP);
  for (const describe of COMMANDS) program.addCommand(describe());
  for (const command of commandsOf(program)) command.exitOverride();
  return program;
}

/** A command and all below it. */
export function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap((one) => commandsOf(one as Command))];
}

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
