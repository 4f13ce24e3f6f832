/** Options that several commands share; imports nothing heavy, since every command is described at each start. */
import { type Command, InvalidArgumentError, Option } from "commander";

export interface AgentOptions {
  readonly agentScript?: string;
  readonly agentLoop?: string;
  readonly brain?: string;
  /** `openai/…`, `anthropic/…`, `google/…`, or a model of a local server. */
  readonly model?: string;
  readonly localUrl?: string;
  readonly promptFile?: string;
  readonly strategyFile?: string;
}

export interface ServerOptions {
  readonly server?: string;
  readonly name?: string;
  readonly json?: boolean;
}

export const number = (text: string): number => {
  if (/^[0-9]{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("it must be a whole number.");
};

/** What every command takes that only looks at a server; `json`: what it writes with `--json`. */
export function lookOptions(command: Command, json: string): Command {
  return command
    .option("--server <address>", "the server; else GEARMICE_SERVER, else http://localhost:2567")
    .option("--json", json);
}

/** What every command takes that is somebody at a server. */
export function serverOptions(command: Command): Command {
  return lookOptions(command, "one JSON object on standard output, and nothing else").option(
    "--name <name>",
    "what others are shown as your name; else GEARMICE_NAME, else the name you have there",
  );
}

const WAYS = ["agentScript", "agentLoop", "brain", "model"] as const;

/** What plays: one of these, or the keyboard. */
export function agentOptions(command: Command): Command {
  const way = (own: (typeof WAYS)[number], flags: string, text: string) =>
    new Option(flags, text).conflicts(WAYS.filter((one) => one !== own));
  return command
    .addOption(way("agentScript", "--agent-script <file>", "a program that is run for every turn"))
    .addOption(way("agentLoop", "--agent-loop <file>", "a program that runs for the whole match, a line a turn"))
    .addOption(way("brain", "--brain <name>", "a brain of the house: random, greedy, expert"))
    .addOption(way("model", "--model <name>", "a language model: openai/…, anthropic/…, google/…, or a local one"))
    .option("--local-url <address>", "an OpenAI-compatible server; else GEARMICE_LOCAL_URL, else Ollama's")
    .option("--prompt-file <file>", "a text for the model, after its system prompt; not in a benchmark")
    .option("--strategy-file <file>", "a strategy for the model; not in a benchmark");
}
