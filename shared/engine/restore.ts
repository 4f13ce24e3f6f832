import type { Match } from "./match.ts";
import type { Result, VisibleMatch } from "./types.ts";

export function restoreMatch(_visible: VisibleMatch, _seed: string): Result<Match, "bad_state"> {
  return { ok: false, code: "bad_state", message: "not written yet" };
}
