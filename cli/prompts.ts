/** `gearmice prompts` and `gearmice strategies`: what a model is told, and the texts of one's own beside it. */
import { Command, Option } from "commander";
import type { PlayerId } from "../shared/engine/index.ts";
import type { PromptMode } from "../shared/prompts/index.ts";

interface ListOptions {
  readonly json?: boolean;
}

export function promptsCommand(): Command {
  const prompts = new Command("prompts").description("the system prompts of models").addHelpText(
    "after",
    `
Texts of your own lie in the folder prompts/ and are named by --prompt-file.

Examples:
  $ gearmice prompts list
  $ gearmice prompts show 2v2 P3 --ally P4`,
  );
  prompts
    .command("list")
    .description("each mode and player that has one, its modules, and your own texts")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ gearmice prompts list\n  $ gearmice prompts list --json")
    .action(listPrompts);
  prompts
    .command("show <mode> <player>")
    .description("one system prompt, as a model gets it")
    .addOption(new Option("--ally <player>", "in arena: the ally, which makes it 2v2"))
    .addHelpText("after", "\nExamples:\n  $ gearmice prompts show solo P1\n  $ gearmice prompts show 2v2 P3 --ally P4")
    .action(showPrompt);
  return prompts;
}

export function strategiesCommand(): Command {
  const strategies = new Command("strategies").description("ways to play that a model can be told").addHelpText(
    "after",
    `
Texts of your own lie in the folder strategies/ and are named by --strategy-file.

Examples:
  $ gearmice strategies list`,
  );
  strategies
    .command("list")
    .description("the strategies of the Arena's prompts, and your own")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExamples:\n  $ gearmice strategies list\n  $ gearmice strategies list --json")
    .action(listStrategies);
  return strategies;
}

async function listPrompts({ json }: ListOptions): Promise<void> {
  const [{ fragments, PROMPT_MODES }, { PLAYERS_OF }, folder] = await Promise.all([
    import("../shared/prompts/index.ts"),
    import("../shared/engine/index.ts"),
    ownFolder(),
  ]);
  const modes = PROMPT_MODES.map((mode) => {
    const players = PLAYERS_OF[mode === "arena" ? "ffa4" : mode];
    return { mode, players, modules: fragments(mode, players[0] ?? "P1").map(({ module }) => module) };
  });
  const own = await folder.texts("prompts");
  if (json) return write(JSON.stringify({ modes, own, folder: folder.path }));
  for (const { mode, players, modules } of modes)
    write(`${mode.padEnd(6)} ${players.join(" ")}\n  ${modules.join(", ")}`);
  write(own.length === 0 ? `none of your own in ${folder.path}/prompts` : `your own: ${own.join(", ")}`);
}

async function showPrompt(mode: string, player: string, { ally }: { readonly ally?: string }): Promise<void> {
  const [{ build, readerOf }, { UsageError }] = await Promise.all([
    import("../shared/prompts/index.ts"),
    import("./player/folder.ts"),
  ]);
  const read = readerOf(mode, player, ally);
  if (!read.ok) throw new UsageError(read.message);
  write(build(mode as PromptMode, player as PlayerId, ally as PlayerId | undefined));
}

async function listStrategies({ json }: ListOptions): Promise<void> {
  const [{ fragments }, folder] = await Promise.all([import("../shared/prompts/index.ts"), ownFolder()]);
  const built = fragments("arena", "P1").filter(({ module }) => module.startsWith("arena."));
  const own = await folder.texts("strategies");
  if (json) return write(JSON.stringify({ built, own, folder: folder.path }));
  for (const { text } of built) write(`${text.replace(/^## /, "").replace("\n- ", "\n  ")}`);
  write(own.length === 0 ? `none of your own in ${folder.path}/strategies` : `your own: ${own.join(", ")}`);
}

async function ownFolder() {
  const { openFolder } = await import("./player/folder.ts");
  return openFolder(process.env);
}

const write = (text: string): void => void process.stdout.write(`${text}\n`);
