/** A language model as an agent: from what a seat sees to a command, whatever the model says or fails to say. */
import type { ModelMessage } from "ai";
import type { PlayerId } from "../../shared/engine/index.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Brain, Choice, TurnClock } from "../brains/brain.ts";
import { type Answered, ask, NoAnswer } from "./ask.ts";
import { type Cost, Meter } from "./meter.ts";
import type { OpenedModel } from "./model.ts";
import { type ReadAnswer, readAnswer } from "./read.ts";
import { legalText, type Refused, refusalOf, turnText } from "./tell.ts";

/** Of the clock, for the command's own way. */
const MARGIN_MS = 500;
/** Of an answer that was no good, its end. */
const SENT_BACK = 4_000;
const FORM = 'Answer with one JSON object and nothing else: {"command": "...", "reasoning": "..."}.';

export interface LlmChoice extends Choice {
  readonly reasoning: string;
  readonly cost: { readonly turn: Cost; readonly total: Cost };
  /** Why there was no command of the model's, or none that could be read; the empty one is sent then. */
  readonly failure?: string;
}

export interface LlmAgentOptions {
  readonly model: OpenedModel;
  readonly seat: PlayerId;
  /** Made for the seat and kind of the match that the first view tells of, or the same for all. */
  readonly systemPrompt: string | ((view: NativeState) => string);
  /** Aborts what is being asked when nobody wants it any more. */
  readonly signal?: AbortSignal;
  /** Told why the model's server is asked again, and in how many milliseconds; the reason holds no key. */
  readonly onWait?: (reason: string, ms: number) => void;
}

export interface LlmAgent {
  /** The model's command. Never rejects: without one, it is the empty command, which the rules refuse (`syntax`). */
  choose(view: NativeState, clock: TurnClock): Promise<LlmChoice>;
}

interface Last {
  readonly match: string;
  readonly turn: number;
  readonly command: string;
}

export function llmAgent({ model, seat, systemPrompt, signal, onWait }: LlmAgentOptions): LlmAgent {
  const meter = new Meter();
  let system: string | null = null;
  let last: Last | null = null;

  /** One answer, read; or why there is none. */
  const answer = async (messages: readonly ModelMessage[], untilMs: number, until: AbortSignal) => {
    const question = { system: system ?? "", messages, signal: until, untilMs };
    let said: Answered;
    try {
      said = await ask(model, question, (cost) => meter.add(cost), onWait);
    } catch (error) {
      if (error instanceof NoAnswer) return { read: null, said: "", failure: error.message, final: true };
      throw error;
    }
    const read = readAnswer(said.text);
    const failure =
      said.cut ?? (said.text.trim() === "" ? "the answer was empty" : "the answer held no JSON with a command");
    return { read, said: said.text, failure, final: false };
  };

  const chosen = async (view: NativeState, untilMs: number, until: AbortSignal): Promise<Omit<LlmChoice, "cost">> => {
    const messages: ModelMessage[] = [
      { role: "user", content: turnText(view, seat) + refusedBefore(view, seat, last) },
    ];
    const first = await answer(messages, untilMs, until);
    // By the fixed rules of a benchmark what was said counts, whatever it is.
    const mayRetry = view.meta.kind !== "benchmark" && !first.final && !until.aborted;
    const wrong = mayRetry ? wrongWith(view, seat, first.read) : null;
    if (wrong === null) return choiceOf(first.read, first.failure);
    const said: ModelMessage[] =
      first.said.trim() === "" ? [] : [{ role: "assistant", content: first.said.slice(-SENT_BACK) }];
    const asked = `${wrong.message}\n${legalText(view)}\n${FORM}`;
    const again: ModelMessage = { role: "user", content: asked };
    // Two messages of one side in a row are no talk to some models.
    const talk =
      said.length > 0 ? [...messages, ...said, again] : [{ ...again, content: `${messages[0]?.content}\n\n${asked}` }];
    const second = await answer(talk as ModelMessage[], untilMs, until);
    return choiceOf(second.read ?? first.read, second.failure);
  };

  return {
    async choose(view, { remainingMs, signal: turn }) {
      if (last?.match !== view.meta.match_id || last.turn !== view.meta.turn) meter.nextTurn();
      system ??= typeof systemPrompt === "string" ? systemPrompt : systemPrompt(view);
      // Timers take whole milliseconds.
      const usableMs = Math.max(0, Math.floor(remainingMs - MARGIN_MS));
      const timer = Number.isFinite(usableMs) ? [AbortSignal.timeout(Math.min(usableMs, 2 ** 31 - 1))] : [];
      const until = AbortSignal.any([...timer, ...(signal ? [signal] : []), ...(turn ? [turn] : [])]);
      const choice = await chosen(view, performance.now() + usableMs, until);
      last = { match: view.meta.match_id, turn: view.meta.turn, command: choice.command };
      return { ...choice, usage: meter.usage, cost: { turn: meter.turn, total: meter.all } };
    },
  };
}

/** The agent as a brain of its seat. */
export function llmBrain(agent: LlmAgent, told: (choice: LlmChoice) => void = () => {}): Brain {
  return {
    async choose(view, _seat, clock) {
      const choice = await agent.choose(view, clock);
      told(choice);
      return choice;
    },
  };
}

function choiceOf(read: ReadAnswer | null, failure: string): Omit<LlmChoice, "cost"> {
  return read === null ? { command: "", reasoning: `(No command: ${failure}.)`, failure } : read;
}

/** Why a command would be refused, said to the model; null: nothing is wrong with it. */
function wrongWith(view: NativeState, seat: PlayerId, read: ReadAnswer | null): { readonly message: string } | null {
  if (read === null) return { message: "Your answer held no JSON object with a command." };
  const refused = refusalOf(view, seat, read.command);
  return refused === null ? null : { message: told(read.command, refused) };
}

/** A command of this turn that the server has refused (R8.3): said once more when the turn is still ours. */
function refusedBefore(view: NativeState, seat: PlayerId, last: Last | null): string {
  if (view.data.refusals_this_turn === 0 || last?.match !== view.meta.match_id || last.turn !== view.meta.turn)
    return "";
  const refused = refusalOf(view, seat, last.command);
  return refused === null ? "" : `\n\n${told(last.command, refused)}`;
}

function told(command: string, { code, message }: Refused): string {
  return `Your command ${JSON.stringify(command.slice(0, 100))} is refused: ${code}: ${message}`;
}
