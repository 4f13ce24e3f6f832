/** From a model's configuration to a model that can be asked. Keys come from the environment and go nowhere else. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { Agent, fetch as patientFetch } from "undici";
import { keyEnvOf, type ModelConfig } from "../../shared/protocol/models.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenedModel {
  readonly config: ModelConfig;
  readonly languageModel: LanguageModel;
  /** The text without the key, should a provider send it back. */
  redact(text: string): string;
}

const OPENAI = "https://api.openai.com/v1";

/** A model may think longer than the five minutes after which Node's own fetch gives up; the turn's clock ends it. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
const fetch = ((input: never, init?: object) =>
  patientFetch(input, { ...init, dispatcher: patient })) as unknown as typeof globalThis.fetch;

/** Throws when the environment holds no key where the model needs one; the message names the variable. */
export function openModel(config: ModelConfig, env: Environment): OpenedModel {
  const variable = keyEnvOf(config);
  const key = variable === null ? undefined : env[variable]?.trim();
  if (variable !== null && !key) throw new Error(`the environment variable ${variable} holds no key`);
  return {
    config,
    languageModel: languageModel(config, key),
    redact: (text) => (key === undefined ? text : text.replaceAll(key, "[key]")),
  };
}

function languageModel({ provider, base_url: baseURL, model }: ModelConfig, key: string | undefined): LanguageModel {
  const at = baseURL === undefined ? {} : { baseURL };
  switch (provider) {
    case "openai-compatible":
    case "openai":
      return createOpenAICompatible({
        name: provider,
        baseURL: baseURL ?? OPENAI,
        includeUsage: true,
        fetch,
        ...(key === undefined ? {} : { apiKey: key }),
      }).chatModel(model);
    case "anthropic":
      return createAnthropic({ ...at, apiKey: key ?? "", fetch })(model);
    case "google":
      return createGoogle({ ...at, apiKey: key ?? "", fetch })(model);
  }
}
