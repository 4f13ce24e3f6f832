/** What every command says of itself, and what becomes of one that nobody reads. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { commandsOf, describeProgram } from "./program.ts";

const BIN = fileURLToPath(new URL("gearmice.js", import.meta.url));
const COMMANDS = commandsOf(describeProgram());

test.each(COMMANDS.map((command) => [pathOf(command), command] as const))("%s --help has examples", (path, command) => {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  const examples = help.split("Examples:\n")[1] ?? "";
  expect(examples).toContain(path);
  // An example that the command would not take is worse than none.
  for (const line of examples.split("\n").filter((text) => text.startsWith("  $ "))) {
    expect([line, problemOf(wordsIn(line))]).toEqual([line, null]);
  }
});

/** What stands behind the command's name in a line for the shell, up to a redirection, a pipe or a comment. */
function wordsIn(line: string): string[] {
  const [, ours = ""] = / gearmice(?: ([^#|<>]*))?(?:[#|<>].*)?$/.exec(line.replace(/\$\(.*?\)/g, "x")) ?? [];
  return ours.split(" ").filter((word) => word !== "");
}

function pathOf(command: (typeof COMMANDS)[number]): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** What commander has against that call; nothing of it is run. */
function problemOf(words: readonly string[]): string | null {
  const program = describeProgram();
  for (const command of commandsOf(program)) {
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
    // A command without one of its own shows its help, which is an error here.
    if (command.commands.length === 0) command.action(() => {});
  }
  try {
    program.parse(words, { from: "user" });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

test("whoever stops reading ends it without a word", async () => {
  const shell = `"${process.execPath}" "${BIN}" play --help | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", shell]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^Usage: gearmice play \[options\]\n(0|141)\n$/);
});
