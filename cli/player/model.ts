/** A language model as a player's agent: which one `--model` names, and what it is told beside the system prompt. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type LlmAgent, type LlmChoice, llmAgent } from "../../agents/llm/agent.ts";
import { openModel } from "../../agents/llm/model.ts";
import type { PlayerId } from "../../shared/engine/index.ts";
import { withCustomTexts } from "../../shared/prompts/custom.ts";
import { build } from "../../shared/prompts/index.ts";
import { sha256Hex } from "../../shared/protocol/hash.ts";
import type { Kind } from "../../shared/protocol/log.ts";
import { type ModelConfig, type ModelProvider, modelSchema } from "../../shared/protocol/models.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Agent } from "./agent.ts";
import { type PlayerFolder, UsageError } from "./folder.ts";
import type { AgentOptions } from "./options.ts";

/** The providers that stand before a slash in `--model`; any other name is asked of a local server. */
const PROVIDERS: readonly ModelProvider[] = ["openai", "anthropic", "google"];
const DEFAULT_LOCAL_URL = "http://localhost:11434/v1";

/**
 * Rejects with UsageError when the model cannot be asked: no key, no address, no text where a file is named; with Error
 * when its own server is not there, before a session is used up or a seat is taken.
 */
export async function modelAgent(
  name: string,
  options: AgentOptions,
  folder: PlayerFolder,
  note: (text: string) => void,
): Promise<Agent> {
  const config = configOf(name, options.localUrl ?? folder.env.GEARMICE_LOCAL_URL);
  const model = opened(config, folder.env);
  const texts = await Promise.all([
    textOf(options.promptFile, "prompts", folder),
    textOf(options.strategyFile, "strategies", folder),
  ]);
  const tried = withCustomTexts("", texts, "lab");
  if (!tried.ok) throw new UsageError(`${tried.code}: ${tried.message}`);
  const told = (prompt: string, kind: Kind) => {
    const made = withCustomTexts(prompt, texts, kind);
    if (!made.ok) throw new Error(made.message);
    if (made.moderation_notice !== undefined) note(made.moderation_notice);
    return made.prompt;
  };
  const systemPrompt = ({ meta }: NativeState, seat: PlayerId) => told(build(meta.format, seat), meta.kind);
  await reached(config);
  const stop = new AbortController();
  let agent: LlmAgent | null = null;
  return {
    model: config.model,
    // Who creates a room is P1 there.
    promptHash: (format, kind) => sha256Hex(told(build(format, "P1"), kind)),
    brain: {
      async choose(view, seat, clock) {
        agent ??= llmAgent({
          model,
          seat,
          systemPrompt: (seen) => systemPrompt(seen, seat),
          signal: stop.signal,
          onWait: (reason, ms) => note(`${reason}; asking again in ${Math.ceil(ms / 1_000)} s`),
        });
        const choice = await agent.choose(view, clock);
        note(costText(choice));
        if (choice.failure !== undefined) note(`no command: ${choice.failure}`);
        return choice;
      },
    },
    close: () => stop.abort(),
  };
}

function configOf(name: string, localUrl: string | undefined): ModelConfig {
  const [first = "", ...rest] = name.split("/");
  const provider = rest.length > 0 ? PROVIDERS.find((one) => one === first) : undefined;
  const read = modelSchema.safeParse(
    provider === undefined
      ? { provider: "openai-compatible", model: name, base_url: localUrl ?? DEFAULT_LOCAL_URL }
      : { provider, model: rest.join("/") },
  );
  if (read.success) return read.data;
  throw new UsageError(`--model ${name}: ${read.error.issues[0]?.message ?? "cannot be read"}`);
}

const REACH_MS = 5_000;

/** Whatever it answers, it is there; one that is slow to answer is, too. */
async function reached({ provider, base_url: address }: ModelConfig): Promise<void> {
  if (provider !== "openai-compatible" || address === undefined) return;
  const signal = AbortSignal.timeout(REACH_MS);
  try {
    // What is not read would hold its connection, and with it the program.
    await (await fetch(`${address}/models`, { signal })).body?.cancel();
  } catch (error) {
    if (signal.aborted) return;
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw new Error(`no model's server at ${address}: ${cause?.code ?? message}`);
  }
}

function opened(config: ModelConfig, env: PlayerFolder["env"]) {
  try {
    return openModel(config, env);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The text of a file, or of a name in the player's folder. */
async function textOf(file: string | undefined, kind: "prompts" | "strategies", folder: PlayerFolder) {
  if (file === undefined) return null;
  const places = [file, join(folder.path, kind, basename(file)), join(folder.path, kind, `${basename(file)}.txt`)];
  for (const place of places) {
    const text = await readFile(place, "utf8").catch(() => null);
    if (text !== null) return text;
  }
  throw new UsageError(`there is no file ${file}`);
}

function costText({ cost: { turn, total } }: LlmChoice): string {
  const speed = turn.tokens_per_second.toFixed(1);
  return `tokens: ${turn.input} in, ${turn.output} out, ${turn.thinking} thinking, ${speed}/s; ${total.total} in all`;
}
