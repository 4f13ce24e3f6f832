/** What every part of the benchmark is given, and what it is. */
import type { Figures, Target } from "../figures.ts";
import type { SubjectName } from "../subject.ts";

export interface Settings {
  readonly quick: boolean;
  /** Of the duel that is played. */
  readonly level: number;
  /** Where data folders are made. */
  readonly dir: string;
  /** More arguments for the Node of the measured process, as for a profile. */
  readonly nodeArgs: readonly string[];
}

export interface Part {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly targets: readonly Target[];
  /** One repetition of one subject, from starting its process to its end. */
  run(subject: string, settings: Settings): Promise<Figures>;
}

export const BOTH_BASELINES: readonly SubjectName[] = ["gearmice", "colyseus", "ws"];

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
