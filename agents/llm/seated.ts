/** A language model on a seat that the house drives. */

import { withCustomTexts } from "../../shared/prompts/custom.ts";
import { build } from "../../shared/prompts/index.ts";
import { styleOf } from "../../shared/prompts/styles.ts";
import type { ModelConfig } from "../../shared/protocol/models.ts";
import type { NativeState } from "../../shared/protocol/state.ts";
import type { Assignment } from "../assignment.ts";
import type { Brain } from "../brains/brain.ts";
import { llmAgent, llmBrain } from "./agent.ts";
import { type Environment, openModel } from "./model.ts";

export interface SeatedModel {
  readonly model: ModelConfig;
  readonly assignment: Pick<Assignment, "seat" | "style">;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Told why there was no command of the model's. */
  readonly failed: (reason: string) => void;
}

/** Throws when the environment holds no key for it. */
export function seatedModel({ model, assignment, env, signal, failed }: SeatedModel): Brain {
  const { seat, style = null } = assignment;
  const manner = style === null ? null : (styleOf(style)?.text ?? style);
  const systemPrompt = ({ meta }: NativeState) => {
    const prompt = withCustomTexts(build(meta.format, seat), [manner], meta.kind);
    if (!prompt.ok) throw new Error(prompt.message);
    return prompt.prompt;
  };
  const agent = llmAgent({ model: openModel(model, env), seat, systemPrompt, signal });
  return llmBrain(agent, ({ failure }) => {
    if (failure !== undefined && !signal.aborted) failed(failure);
  });
}
