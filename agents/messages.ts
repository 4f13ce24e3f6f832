/** What the supervisor and its worker threads say to each other. */
import type { ModelConfig } from "../shared/protocol/models.ts";
import type { Assignment } from "./assignment.ts";

/** `bot` is the supervisor's number of one seat of one match. */
export type ToWorker =
  | {
      readonly type: "drive";
      readonly bot: number;
      readonly url: string;
      readonly assignment: Assignment;
      /** The language model that plays; null: a brain of the house. Its key is in the environment alone. */
      readonly model: ModelConfig | null;
    }
  | { readonly type: "release"; readonly bot: number };

export type FromWorker =
  /** The bot is ready to connect. */
  | { readonly type: "ready"; readonly bot: number }
  /** There is nothing left to play. */
  | { readonly type: "ended"; readonly bot: number }
  /** Its brain failed in a turn; another one plays it. */
  | { readonly type: "stumbled"; readonly bot: number; readonly reason: string }
  | { readonly type: "died"; readonly bot: number; readonly reason: string };
