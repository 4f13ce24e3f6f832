/** What a model's answers cost: tokens, seconds and tokens a second, for the turn and in total. */
import type { TokenUsage } from "../../shared/protocol/log.ts";

export interface Spent {
  readonly input: number;
  /** Thinking included. */
  readonly output: number;
  readonly thinking: number;
  readonly seconds: number;
}

export interface Cost extends Spent {
  readonly total: number;
  /** Output tokens a second; 0 when nothing was measured. */
  readonly tokens_per_second: number;
}

const NOTHING: Spent = { input: 0, output: 0, thinking: 0, seconds: 0 };

export class Meter {
  #all: Spent = NOTHING;
  #turn: Spent = NOTHING;

  /** What is added from now on is another turn's. */
  nextTurn(): void {
    this.#turn = NOTHING;
  }

  add(spent: Spent): void {
    this.#all = sum(this.#all, spent);
    this.#turn = sum(this.#turn, spent);
  }

  get turn(): Cost {
    return costOf(this.#turn);
  }

  get all(): Cost {
    return costOf(this.#all);
  }

  /** The running totals as a move reports them (PROTOCOL 6). */
  get usage(): TokenUsage {
    const { total, thinking } = this.all;
    return { total, thinking };
  }
}

function sum(a: Spent, b: Spent): Spent {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    thinking: a.thinking + b.thinking,
    seconds: a.seconds + b.seconds,
  };
}

function costOf(spent: Spent): Cost {
  const { input, output, seconds } = spent;
  return { ...spent, total: input + output, tokens_per_second: seconds > 0 ? output / seconds : 0 };
}
