/** Why a request cannot be read: the one refusal that every door makes of what a schema says. */
import type { z } from "zod";
import { type ErrorCode, type Refusal, refuse } from "./codes.ts";

const MAX_MESSAGE = 300;

type Issue = z.core.$ZodIssue;

/**
 * `bad_request` naming the field, or the code that the schema's own check names (`refineCode`). `whole`: what is named
 * when no field is to blame.
 */
export function unreadable(error: z.ZodError, whole = "body"): Refusal {
  const issue = error.issues[0] === undefined ? null : innermost(error.issues[0]);
  if (issue === null) return refuse("bad_request", `${whole}: cannot be read`);
  const code = issue.code === "custom" ? (issue.params?.refusal as ErrorCode | undefined) : undefined;
  const where = issue.path.map(String).join(".");
  return refuse(code ?? "bad_request", `${where || whole}: ${issue.message}`.slice(0, MAX_MESSAGE).toWellFormed());
}

/** What a schema's `refine` takes so that its failure is a refusal of `code`. */
export function refineCode(code: ErrorCode, error: string) {
  return { error, params: { refusal: code } };
}

/** Of a choice of several forms, what is wrong with the one that was most nearly meant. */
function innermost(issue: Issue): Issue {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue;
  const [nearest] = [...issue.errors].sort((a, b) => weight(a) - weight(b));
  const first = nearest?.[0];
  return first === undefined ? issue : innermost({ ...first, path: [...issue.path, ...first.path] });
}

/** Fields that are wrong, missing or too many. */
function weight(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}
