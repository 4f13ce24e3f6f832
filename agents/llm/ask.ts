/** One question to a model: waits as long as the clock allows, and asks again where asking again may help. */
import { setTimeout as sleep } from "node:timers/promises";
import { APICallError, generateText, type ModelMessage, streamText } from "ai";
import type { Spent } from "./meter.ts";
import type { OpenedModel } from "./model.ts";

// Warnings of the library are for who writes programs with it, not for who runs this one.
globalThis.AI_SDK_LOG_WARNINGS = false;

export interface Question {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Aborts at the end of the clock, or when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** `performance.now()` at which the clock ends; Infinity without one. */
  readonly untilMs: number;
}

export interface Answered {
  readonly text: string;
  /** Null: whole. Else why it ended before its end; `text` is what was said until then. */
  readonly cut: string | null;
}

/** No answer at all; the message holds no key. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Of an answer that does not end: nobody needs more to find a command. */
const LONGEST = 1_000_000;
/** Calls for one answer. */
const TRIES = 8;

/**
 * Rejects with NoAnswer. `spent` is told what each call cost, those that failed included; `onWait` why it asks again, and
 * in how many milliseconds.
 */
export async function ask(
  model: OpenedModel,
  question: Question,
  spent: (cost: Spent) => void,
  onWait: (reason: string, ms: number) => void = () => {},
): Promise<Answered> {
  for (let tries = 1; ; tries++) {
    const startedMs = performance.now();
    const said = await call(model, question);
    spent({ ...said.tokens, seconds: (performance.now() - startedMs) / 1_000 });
    if (said.error === null) return { text: said.text, cut: said.cut };
    const why = model.redact(reasonOf(said.error, question.signal));
    if (question.signal.aborted || said.text.trim() !== "") return { text: said.text, cut: why };
    const waitMs = tries < TRIES ? waitOf(said.error, tries) : null;
    if (waitMs === null || performance.now() + waitMs >= question.untilMs) throw new NoAnswer(why);
    onWait(why, waitMs);
    await sleep(waitMs, undefined, { signal: question.signal }).catch(() => undefined);
    if (question.signal.aborted) throw new NoAnswer(why);
  }
}

interface Said {
  readonly text: string;
  readonly cut: string | null;
  readonly error: unknown;
  readonly tokens: Omit<Spent, "seconds">;
}

interface Usage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly outputTokenDetails: { readonly reasoningTokens: number | undefined };
}

const tokensOf = (usage: Usage | null): Omit<Spent, "seconds"> => ({
  input: usage?.inputTokens ?? 0,
  output: usage?.outputTokens ?? 0,
  thinking: usage?.outputTokenDetails.reasoningTokens ?? 0,
});

/** One call; never rejects. */
async function call({ config, languageModel }: OpenedModel, question: Question): Promise<Said> {
  const enough = new AbortController();
  const settings = {
    model: languageModel,
    instructions: question.system,
    messages: [...question.messages],
    abortSignal: AbortSignal.any([question.signal, enough.signal]),
    // Whether and when to ask again is decided here, by the clock of the turn.
    maxRetries: 0,
    ...(config.reasoning === undefined ? {} : { reasoning: config.reasoning }),
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.max_output_tokens === undefined ? {} : { maxOutputTokens: config.max_output_tokens }),
  };
  let text = "";
  let usage: Usage | null = null;
  let cut: string | null = null;
  let error: unknown = null;
  try {
    if (config.stream) {
      for await (const part of streamText({ ...settings, onError: () => {} }).stream) {
        if (part.type === "text-delta") text += part.text;
        else if (part.type === "error") error = part.error ?? new Error("the answer ended in an error");
        else if (part.type === "abort") error = new Error("aborted");
        else if (part.type === "finish") {
          usage = part.totalUsage;
          cut = cutBy(part.finishReason);
        }
        if (text.length > LONGEST) {
          enough.abort();
          error = new Error("the answer had no end");
          break;
        }
      }
      if (error === null && usage === null) error = new Error("the answer broke off");
    } else {
      const answer = await generateText(settings);
      ({ text, usage } = answer);
      cut = cutBy(answer.finishReason);
    }
  } catch (thrown) {
    error = thrown ?? new Error("the call failed");
  }
  return { text, cut, error, tokens: tokensOf(usage) };
}

function cutBy(finishReason: string): string | null {
  if (finishReason === "length") return "the answer reached its limit of tokens";
  if (finishReason === "content-filter") return "the provider's filter ended the answer";
  return null;
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "the time was up";
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    return `the model's server answered ${error.statusCode}: ${error.message}`.slice(0, 300);
  }
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}

/** Milliseconds until asking again makes sense; null: never. */
function waitOf(error: unknown, tries: number): number | null {
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  if (!APICallError.isInstance(error)) return backoff; // The connection broke.
  const { statusCode, responseHeaders = {} } = error;
  if (statusCode !== undefined && statusCode !== 429 && statusCode !== 408 && statusCode < 500 && statusCode >= 300) {
    return null;
  }
  return askedToWaitMs(responseHeaders) ?? backoff;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function askedToWaitMs(headers: Readonly<Record<string, string>>): number | null {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers["retry-after"];
  if (after === undefined) return null;
  const seconds = Number(after);
  if (seconds >= 0) return seconds * 1_000;
  const at = Date.parse(after);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
